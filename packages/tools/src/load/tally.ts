import { LatencyHistogram } from './latencies.ts';

/** Before the names of answers to sale events. */
export const SALE_PREFIX = 'sale ';

/** A call that waits for its answer. */
export interface OpenCall {
  /** Nothing for a basket. */
  readonly prefix: '' | typeof SALE_PREFIX;
  /** The instant from which its caller waits. */
  readonly sinceUs: number;
}

/** How a call ended. `accepted`: 200. `givenUp`: its caller waits no longer. `other`: another answer, or a failure. */
export interface Ending {
  readonly name: string;
  readonly kind: 'accepted' | 'givenUp' | 'other';
}

/** Everything a load has met. Latencies are in microseconds. */
export class Tally {
  /** By the kind of answer: `200 applied`, `503 unavailable`, `no answer within 3 s`. */
  readonly #rows = new Map<string, LatencyHistogram>();
  readonly #open = new Set<OpenCall>();
  /**
   * Of basket calls that were answered 200, and of those that were given up, which counts for as long as they had waited: without
   * them a pause of the deployment would show in nothing. From the instant that the schedule names.
   */
  readonly caller = new LatencyHistogram();
  /** Of basket calls that were answered 200, as `Server-Timing` reports them. */
  readonly server = new LatencyHistogram();
  /** How late this program noticed that a call was due; it is part of every latency above. */
  delay = new LatencyHistogram();
  /** Answers that broke the contract, each by its first words. */
  readonly wrong = new Map<string, number>();
  /** Basket calls. */
  sent = 0;
  /** Basket calls in `caller` that were given up. */
  givenUp = 0;
  /** Answers of any kind, those that were lost too. */
  answered = 0;

  /** The number of calls that wait. */
  get open(): number {
    return this.#open.size;
  }

  /** Notes that a call is under way. */
  begin(prefix: OpenCall['prefix'], sinceUs: number): OpenCall {
    const call = { prefix, sinceUs };
    this.#open.add(call);
    if (prefix === '') this.sent += 1;
    return call;
  }

  /** Counts how a call ended. Returns false when it was given up before. */
  end(call: OpenCall, { name, kind }: Ending, atUs: number): boolean {
    if (!this.#open.delete(call)) return false;
    const waitedUs = atUs - call.sinceUs;
    this.#rowOf(call.prefix + name).record(waitedUs);
    this.answered += 1;
    if (call.prefix === '' && kind !== 'other') this.caller.record(waitedUs);
    if (call.prefix === '' && kind === 'givenUp') this.givenUp += 1;
    return true;
  }

  /** Gives up every call that still waits. */
  giveUp(atUs: number): void {
    for (const call of this.#open) this.end(call, { name: 'no answer at the end', kind: 'givenUp' }, atUs);
  }

  countWrong(detail: string): void {
    this.wrong.set(detail, (this.wrong.get(detail) ?? 0) + 1);
  }

  /** Answers to baskets, then those to sale events; of each the most frequent kind first. */
  get rows() {
    return [...this.#rows]
      .map(([name, histogram]) => ({ name, isSale: name.startsWith(SALE_PREFIX), latencies: histogram.summarize() }))
      .sort((a, b) => Number(a.isSale) - Number(b.isSale) || b.latencies.count - a.latencies.count);
  }

  #rowOf(name: string): LatencyHistogram {
    const row = this.#rows.get(name) ?? new LatencyHistogram();
    this.#rows.set(name, row);
    return row;
  }
}
