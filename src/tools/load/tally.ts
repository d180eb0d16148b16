import { LatencyHistogram } from './latencies.ts';

/** Before the names of answers to sale events. */
export const SALE_PREFIX = 'sale ';

/** Everything a load has met. Latencies are in microseconds. */
export class Tally {
  /** By the kind of answer: `200 applied`, `503 unavailable`, `no answer within 3 s`. */
  readonly #rows = new Map<string, LatencyHistogram>();
  /** Of basket calls that were answered 200, from the instant that the schedule names. */
  readonly caller = new LatencyHistogram();
  /** Of the same calls, as `Server-Timing` reports them. */
  readonly server = new LatencyHistogram();
  /** How late this program noticed that a call was due; it is part of every latency above. */
  readonly delay = new LatencyHistogram();
  /** Answers that broke the contract, each by its first words. */
  readonly wrong = new Map<string, number>();
  sent = 0;
  answered = 0;

  count(name: string, latencyUs: number): void {
    const row = this.#rows.get(name) ?? new LatencyHistogram();
    this.#rows.set(name, row);
    row.record(latencyUs);
    this.answered += 1;
  }

  countWrong(detail: string): void {
    this.wrong.set(detail, (this.wrong.get(detail) ?? 0) + 1);
  }

  /** Answers to baskets, then those to sale events; of each the most frequent kind first. */
  get rows() {
    return [...this.#rows]
      .map(([name, histogram]) => ({ name, latencies: histogram.summarize() }))
      .sort((a, b) => Number(isSale(a)) - Number(isSale(b)) || b.latencies.count - a.latencies.count);
  }
}

function isSale({ name }: { readonly name: string }): boolean {
  return name.startsWith(SALE_PREFIX);
}
