import type { CostReport } from '../../admin/cost-report.ts';
import { askAdmin, downloadAdmin } from './admin.ts';
import { DayChart } from './charts.ts';
import { byId, fillTable, numbers, onSubmit, textIn } from './dom.ts';
import { formatCount, formatMoney } from './format.ts';

/** Costs over a range of days: a chart by day, and a table by what was asked for with the range before beside it. */

type Row = CostReport['rows'][number];

const NAMES = { day: 'Day', venueId: 'Venue', benefitId: 'Benefit', fundedBy: 'Paid by', tier: 'Tier', share: 'Share' };

const tell = textIn('costs-status');
const input: (id: string) => HTMLInputElement = (id) => byId(id);

export class CostHistory {
  #chart = new DayChart(byId('chart-costs'));
  #table: CostReport | undefined;
  #days: CostReport | undefined;

  constructor() {
    onSubmit('costs-form', () => void this.open());
    byId('costs-currency').addEventListener('change', () => this.#draw());
    byId('costs-csv').addEventListener('click', () => void this.#download());
  }

  /** Asks for the range in the form and shows it; without one, for the last thirty days. */
  async open() {
    const table = await askAdmin('GET', `/admin/costs?${this.#query(input('costs-by').value)}`, tell);
    if (!table) return;
    this.#table = table;
    [input('costs-from').value, input('costs-to').value] = [table.from, table.to];
    const notes = [
      table.hasAllZeros ? '' : 'Some rows of zero are left out, because there are too many.',
      table.isMerged ? 'Some days had more than 10,000 rows: part of their sums has no venue, tier or share.' : '',
    ];
    tell(notes.join(' ').trim());
    this.#days = await askAdmin('GET', `/admin/costs?${this.#query('day')}`, tell);
    this.#offerCurrencies();
    this.#draw();
  }

  #query(by: string) {
    const [from, to] = [input('costs-from').value, input('costs-to').value];
    const on = input('costs-on').value;
    return new URLSearchParams({ ...(from && { from }), ...(to && { to }), by, on }).toString();
  }

  async #download() {
    const fault = await downloadAdmin(`/admin/costs?${this.#query(input('costs-by').value)}`, 'text/csv', 'costs.csv');
    tell(fault ?? '');
  }

  /** The currencies of the rows, the one with the greatest turnover first. */
  #offerCurrencies() {
    const select: HTMLSelectElement = byId('costs-currency');
    const sums = Map.groupBy(this.#days?.rows ?? [], ({ currency }) => currency);
    const total = (rows: readonly Row[]) => rows.reduce((sum, { allTurnover }) => sum + allTurnover, 0);
    const currencies = [...sums].sort(([, one], [, other]) => total(other) - total(one)).map(([currency]) => currency);
    const chosen = select.value;
    select.replaceChildren(...currencies.map((currency) => new Option(currency)));
    if (currencies.includes(chosen)) select.value = chosen;
  }

  #draw() {
    const currency = input('costs-currency').value;
    const ofCurrency = (row: Row) => row.currency === currency;
    const days = (this.#days?.rows ?? []).filter(ofCurrency);
    this.#chart.show(
      days.map(({ day }) => day ?? ''),
      days.map(({ turnover }) => turnover),
      days.map(({ saved }) => saved),
      currency,
    );
    if (!this.#table) return;
    const { from, to, before, rows } = this.#table;
    const own = rows.filter(ofCurrency);
    const compared = before ? `; before: ${before.from} to ${before.to}` : '';
    byId('costs-caption').textContent = `${from} to ${to}${compared}`;
    const named = Object.entries(NAMES).filter(([name]) => own[0] && name in own[0]);
    const money = (minor: number) => formatMoney(minor, currency);
    const figures: Record<string, (row: Row) => string> = {
      'Sold baskets': ({ soldBaskets }) => formatCount(soldBaskets),
      Units: ({ units }) => formatCount(units),
      Saved: ({ saved }) => money(saved),
      ...(before && { 'Saved before': (row: Row) => money(row.before?.saved ?? 0) }),
      Paid: ({ turnover }) => money(turnover),
      'All sales': ({ allTurnover }) => money(allTurnover),
      'Taken back': ({ undoneBaskets, undoneSaved }) =>
        undoneSaved === 0 ? '' : `${formatCount(undoneBaskets)}: ${money(undoneSaved)}`,
      Refunded: ({ refunded }) => (refunded === 0 ? '' : money(refunded)),
      Conflicts: ({ conflicts }) => (conflicts === 0 ? '' : formatCount(conflicts)),
    };
    const columns = [...named.map(([, title]) => title), ...Object.keys(figures).map(numbers)];
    const cells = own.map((row) => [
      ...named.map(([name]) => String(row[name as keyof Row] || '–')),
      ...Object.values(figures).map((show) => show(row)),
    ]);
    fillTable(byId('costs-table') as HTMLTableElement, columns, cells, 'No programme has a benefit.');
  }
}
