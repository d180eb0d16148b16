import type { CostDay, Costs } from '../../live/costs.ts';
import { byId, element, fillTable, numbers } from './dom.ts';
import { formatCount, formatMoney } from './format.ts';
import { poll } from './polling.ts';

type DayCost = CostDay['benefits'][number];

const DAY_MS = 86_400_000;
const COLUMNS = ['Benefit', 'Programme', ...['Sold baskets', 'Units', 'Saved', 'Taken back'].map(numbers)];

const select: HTMLSelectElement = byId('cost-day');

/** Shows what benefits cost on a chosen day, from now on. Returns the function that asks for it at once. */
export function startCosts() {
  let days: readonly CostDay[] = [];
  const draw = () => {
    const benefits = days.find(({ day }) => day === select.value)?.benefits ?? [];
    fillTable(byId('costs'), COLUMNS, [...benefits.map(toRow), ...totalsOf(benefits)], 'No sold basket has a benefit.');
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

function toRow({ benefitId, programmeId, currency, sold, undone }: DayCost) {
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
