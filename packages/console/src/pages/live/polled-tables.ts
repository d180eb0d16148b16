import type { CommonLimitState } from '../../common-limit-states.ts';
import type { CostDay, Costs } from '../../live/costs.ts';
import { byId, element, fillTable, numbers, textIn } from './dom.ts';
import { formatCount, formatMoney } from './format.ts';
import { describePace } from './wording.ts';

/** The tables of the live section that are asked for: what benefits cost on a day, and the limits over all members. */

type DayCost = CostDay['benefits'][number];

const DAY_MS = 86_400_000;
const COST_COLUMNS = ['Benefit', 'Programme', ...['Sold baskets', 'Units', 'Saved', 'Taken back'].map(numbers)];
const LIMIT_COLUMNS = ['Limit', 'Of', 'Used', numbers('Left'), numbers('Reserved by open baskets'), 'At this pace'];

const select: HTMLSelectElement = byId('cost-day');

/** Shows what benefits cost on a chosen day, from now on. Returns the function that asks for it at once. */
export function startCosts() {
  let days: readonly CostDay[] = [];
  const draw = () => {
    const benefits = days.find(({ day }) => day === select.value)?.benefits ?? [];
    fillTable(
      byId('costs'),
      COST_COLUMNS,
      [...benefits.map(costRow), ...totalsOf(benefits)],
      'No sold basket has a benefit.',
    );
  };
  select.addEventListener('change', draw);
  return poll('/live/costs', 'costs-fault', (costs: Costs) => {
    days = costs.days;
    offerDays(costs.today);
    draw();
  });
}

/** Offers the venues' today, which need not be the browser's, and the day before. */
function offerDays(today: string) {
  if (select.options[0]?.value === today) return;
  const before = new Date(Date.parse(`${today}T00:00:00Z`) - DAY_MS).toISOString().slice(0, today.length);
  select.replaceChildren(new Option('Today', today), new Option('Yesterday', before));
}

function costRow({ benefitId, programmeId, currency, sold, undone }: DayCost) {
  return [
    element('code', {}, benefitId),
    programmeId,
    formatCount(sold.baskets),
    formatCount(sold.units),
    formatMoney(sold.saved, currency),
    undone.baskets === 0 ? '' : `${formatCount(undone.baskets)}: ${formatMoney(undone.saved, currency)}`,
  ];
}

/** The savings of all benefits, by currency. Baskets are not added up: several benefits may apply in one. */
function totalsOf(benefits: readonly DayCost[]) {
  return [...Map.groupBy(benefits, ({ currency }) => currency)]
    .filter(([, costs]) => costs.length > 1)
    .map(([currency, costs]) => {
      const sum = (of: (cost: DayCost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
      const [units, saved] = [sum(({ sold }) => sold.units), sum(({ sold }) => sold.saved)];
      const undone = sum((cost) => cost.undone.saved);
      const takenBack = undone === 0 ? '' : formatMoney(undone, currency);
      const title = element('strong', {}, 'All benefits');
      return [title, '', '', formatCount(units), formatMoney(saved, currency), takenBack];
    });
}

/** Shows the limits over all members, a bar for each, from now on. Returns the function that asks for them at once. */
export function startLimits() {
  return poll('/live/limits', 'limits-fault', ({ limits }: { limits: readonly CommonLimitState[] }) => {
    byId('limits-of-all').hidden = limits.length === 0;
    fillTable(byId('limits'), LIMIT_COLUMNS, limits.map(limitRow), 'The configuration has no limit over all members.');
  });
}

function limitRow(limit: CommonLimitState) {
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

/**
 * Asks for a path every ten seconds while the live section can be seen, and draws each answer that differs from the one
 * before, so that a text being selected stays while nothing changes. Returns the function that asks at once.
 */
function poll<T>(path: string, faultId: string, draw: (answer: T) => void) {
  let drawn = '';
  const ask = async () => {
    try {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (text !== drawn) draw(JSON.parse(text));
      drawn = text;
      textIn(faultId)('');
    } catch {
      textIn(faultId)('Redis cannot be read: these figures are old.');
    }
  };
  setInterval(() => {
    if (!document.hidden && !byId('section-live').hidden) void ask();
  }, 10_000);
  return ask;
}
