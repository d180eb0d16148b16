import { type Books, percentile } from '../../../packages/simulator/src/books.ts';
import type { Shop } from '../../../packages/simulator/src/shop.ts';
import { eraseLines } from '../terminal/cursor.ts';
import { formatMoney } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';

/** Shows the shop: on a terminal as a table that is updated in place, elsewhere as occasional plain lines. */

const TERMINAL_EVERY_MS = 250;
const PLAIN_EVERY_MS = 2_500;
/** The most tills shown, so that the table fits a terminal of 24 lines. */
const MAX_TILLS_SHOWN = 12;

export interface BoardFacts {
  readonly shop: Shop;
  readonly books: Books;
  /** Currency of the shop's venue. */
  readonly currency: string;
  /** Sale events without a final answer. */
  readonly pending: () => number;
  /** The shop's situation: `a quiet morning`, `Friday peak`. */
  readonly mood: () => string;
}

export class Board {
  readonly #facts: BoardFacts;
  readonly #isTerminal = process.stdout.isTTY === true;
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #linesShown = 0;

  constructor(facts: BoardFacts) {
    this.#facts = facts;
    this.#timer = setInterval(() => this.#show(), this.#isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS);
  }

  /** Shows the board a last time and stops. */
  close(): void {
    clearInterval(this.#timer);
    this.#show();
  }

  #show(): void {
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(0).padStart(3);
    const summary = `${seconds} s  ${this.#facts.mood().padEnd(16)}  ${summarize(this.#facts)}`;
    if (!this.#isTerminal) return void process.stdout.write(`${summary}\n`);
    // A wrapped line would be counted as one line but take two.
    const text = `${summary.slice(0, process.stdout.columns - 1)}\n\n${renderTills(this.#facts)}`;
    process.stdout.write(eraseLines(this.#linesShown) + text);
    this.#linesShown = text.split('\n').length - 1;
  }
}

function summarize({ books, currency, pending }: BoardFacts): string {
  const { sales, saved, waitsMs } = books.totals;
  const p95 = percentile(waitsMs.slice(-500), 0.95).toFixed(0);
  return (
    `${sales} sales, ${books.entries.size} calculations, ${formatMoney(saved, currency)} saved, ` +
    `tills wait ${p95} ms (p95), ${pending()} events under way`
  );
}

function renderTills({ shop, currency }: BoardFacts): string {
  const rows = shop.tills.slice(0, MAX_TILLS_SHOWN).map((till) => {
    return [till.name, till.sales, formatMoney(till.saved, currency), till.doing.slice(0, 30)];
  });
  return renderTable(['till', 'sales', 'saved', 'now'], rows);
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
