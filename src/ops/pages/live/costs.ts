import type { CostDay } from '../../live/costs.ts';
import { byId, element, fillTable, numbers, textIn, whileLive } from './dom.ts';
import { formatAmount, formatCount } from './format.ts';

type DayCost = CostDay['benefits'][number];

const DAY_MS = 86_400_000;
const COLUMNS = [
  'Benefit',
  'Programme',
  numbers('Sold baskets'),
  numbers('Units'),
  numbers('Saved'),
  numbers('Taken back'),
];

/** What benefits cost on a chosen day, asked for every ten seconds while it can be seen. */
export class CostTable {
  /** newest first */
  #days: readonly CostDay[] = [];
  /** The venues' day, not the browser's. */
  #today = '';
  /** What is drawn, so that a text being selected stays while nothing changes. */
  #drawn = '';

  start() {
    byId('cost-day').addEventListener('change', () => this.#draw());
    whileLive(() => void this.read());
  }

  async read() {
    try {
      const answer = await fetch('/live/costs');
      if (!answer.ok) throw new Error(String(answer.status));
      ({ days: this.#days, today: this.#today } = await answer.json());
      textIn('costs-fault')('');
    } catch {
      textIn('costs-fault')('Redis cannot be read: these sums are old.');
    }
    this.#draw();
  }

  #draw() {
    const day = this.#offerDays();
    const benefits = this.#days.find((each) => each.day === day)?.benefits ?? [];
    const drawn = JSON.stringify([day, benefits]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const rows = [...benefits.map(toRow), ...totalsOf(benefits)];
    fillTable(byId('costs'), COLUMNS, rows, 'No sold basket has a benefit.');
  }

  /** Offers the venues' today and the day before. Returns the chosen one. */
  #offerDays() {
    const select: HTMLSelectElement = byId('cost-day');
    const today = this.#today;
    if (today !== '' && select.options[0]?.value !== today) {
      const before = new Date(Date.parse(`${today}T00:00:00Z`) - DAY_MS).toISOString().slice(0, today.length);
      select.replaceChildren(new Option('Today', today), new Option('Yesterday', before));
    }
    return select.value;
  }
}

function toRow({ benefitId, programmeId, currency, sold, undone }: DayCost) {
  return [
    element('code', {}, benefitId),
    programmeId,
    formatCount(sold.baskets),
    formatCount(sold.units),
    `${formatAmount(sold.saved, currency)} ${currency}`,
    undone.baskets === 0 ? '' : `${formatCount(undone.baskets)}: ${formatAmount(undone.saved, currency)} ${currency}`,
  ];
}

/** The savings of all benefits, by currency. Baskets are not added up: several benefits may apply in one. */
function totalsOf(benefits: readonly DayCost[]) {
  return [...Map.groupBy(benefits, ({ currency }) => currency)]
    .filter(([, costs]) => costs.length > 1)
    .map(([currency, costs]) => {
      const sum = (of: (cost: DayCost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
      const undone = sum((cost) => cost.undone.saved);
      return [
        element('strong', {}, 'All benefits'),
        '',
        '',
        formatCount(sum((cost) => cost.sold.units)),
        `${formatAmount(
          sum((cost) => cost.sold.saved),
          currency,
        )} ${currency}`,
        undone === 0 ? '' : `${formatAmount(undone, currency)} ${currency}`,
      ];
    });
}
