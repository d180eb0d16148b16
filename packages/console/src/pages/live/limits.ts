import type { CommonLimitState } from '../../common-limit-states.ts';
import { byId, element, fillTable, numbers } from './dom.ts';
import { formatCount, formatMoney } from './format.ts';
import { poll } from './polling.ts';
import { describePace } from './wording.ts';

const COLUMNS = ['Limit', 'Of', 'Used', numbers('Left'), numbers('Reserved by open baskets'), 'At this pace'];

/** Shows the limits over all members, a bar for each, from now on. Returns the function that asks for them at once. */
export function startLimits() {
  return poll('/live/limits', 'limits-fault', ({ limits }: { limits: readonly CommonLimitState[] }) => {
    byId('limits-of-all').hidden = limits.length === 0;
    fillTable(byId('limits'), COLUMNS, limits.map(toRow), 'The configuration has no limit over all members.');
  });
}

function toRow(limit: CommonLimitState) {
  const { benefitId, limitId, of, venueId, programmeId, period, quantity, consumed, held, left } = limit;
  const name = element('span', {}, element('code', {}, limitId ?? benefitId), period === '*' ? '' : ` ${period}`);
  const words = `${unitsOf(consumed, limit)} of ${unitsOf(quantity, limit)}`;
  const bar = element('meter', { min: 0, max: quantity, high: quantity * 0.9, value: consumed, title: words }, words);
  return [
    name,
    of === 'venue' ? `${venueId}` : programmeId,
    element('span', {}, bar, ` ${words}`),
    unitsOf(left, limit),
    unitsOf(held, limit),
    describePace(limit),
  ];
}

/** Units of a limit, money with its currency. */
function unitsOf(units: number, { counts, currency }: CommonLimitState) {
  if (counts === 'money' && currency !== undefined) return formatMoney(units, currency);
  return formatCount(units);
}
