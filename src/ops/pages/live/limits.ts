import type { CommonLimitState } from '../../common-limit-states.ts';
import { byId, element, fillTable, numbers, textIn, whileLive } from './dom.ts';
import { formatAmount, formatCount } from './format.ts';

const COLUMNS = ['Limit', 'Of', 'Used', numbers('Left'), numbers('Reserved by open baskets'), 'At this pace'];

/** The limits over all members, a bar for each, asked for every ten seconds while they can be seen. */
export class LimitTable {
  /** What is drawn, so that a text being selected stays while nothing changes. */
  #drawn = '';

  start() {
    whileLive(() => void this.read());
  }

  async read() {
    try {
      const answer = await fetch('/live/limits');
      if (!answer.ok) throw new Error(String(answer.status));
      const { limits } = await answer.json();
      textIn('limits-fault')('');
      this.#draw(limits);
    } catch {
      textIn('limits-fault')('Redis cannot be read: these figures are old.');
    }
  }

  #draw(limits: readonly CommonLimitState[]) {
    const drawn = JSON.stringify(limits);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    byId('limits-of-all').hidden = limits.length === 0;
    fillTable(byId('limits'), COLUMNS, limits.map(toRow), 'The configuration has no limit over all members.');
  }
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
    paceOf(limit),
  ];
}

function paceOf({ left, runsOutOn, since, period }: CommonLimitState) {
  if (left <= 0) return 'used up';
  if (runsOutOn !== undefined) return `runs out on ${runsOutOn}`;
  if (since === undefined) return 'nothing used yet';
  return period === '*' ? 'lasts for years' : 'lasts for the period';
}

/** Units of a limit, money with its currency. */
function unitsOf(units: number, { counts, currency }: CommonLimitState) {
  if (counts === 'money' && currency !== undefined) return `${formatAmount(units, currency)} ${currency}`;
  return formatCount(units);
}
