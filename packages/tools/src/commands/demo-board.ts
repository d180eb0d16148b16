import { type Books, percentile } from '../../../simulator/src/books.ts';
import { formatMoney } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';

const INTERVAL_MS = 2_500;

export interface BoardFacts {
  readonly books: Books;
  /** Currency of the shop's venue. */
  readonly currency: string;
  /** Sale events without a final answer. */
  readonly pending: () => number;
  /** The shop's situation: `a quiet morning`, `Friday peak`. */
  readonly mood: () => string;
}

/** Prints a line about the shop now and then. Returns the function that prints the last one. */
export function startBoard(facts: BoardFacts): () => void {
  const startMs = performance.now();
  const show = (): void => {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0).padStart(3);
    process.stdout.write(`${seconds} s  ${facts.mood().padEnd(16)}  ${summarize(facts)}\n`);
  };
  const timer = setInterval(show, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    show();
  };
}

function summarize({ books, currency, pending }: BoardFacts): string {
  const { sales, saved, waitsMs } = books.totals;
  const p95 = percentile(waitsMs.slice(-500), 0.95).toFixed(0);
  return (
    `${sales} sales, ${books.entries.size} calculations, ${formatMoney(saved, currency)} saved, ` +
    `tills wait ${p95} ms (p95), ${pending()} events under way`
  );
}

/** Renders the figures of the day after the shop has closed. */
export function renderDay({ totals, entries }: Books, currency: string, retries: number): string {
  const counts = (named: ReadonlyMap<string, number>) =>
    [...named]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const waits = [0.5, 0.95, 0.99].map((share) => percentile(totals.waitsMs, share).toFixed(1)).join(' / ');
  return renderTable(
    ['the day', ''],
    [
      [
        'sales',
        `${totals.sales}: ${totals.withoutLoyalty} cash, ${totals.offline} offline, ${totals.cancelled} abandoned`,
      ],
      ['calculations', `${entries.size}: ${totals.superseded} superseded, of them ${totals.cardSwaps} by another card`],
      ['loyalty steps', counts(totals.outcomes)],
      ['tills waited', `${waits} ms (p50 / p95 / p99)`],
      ['sale events', `${counts(totals.results)}; ${retries} attempts were put off`],
      ['paid', `${formatMoney(totals.paid, currency)}, loyalty saved ${formatMoney(totals.saved, currency)}`],
    ],
  );
}
