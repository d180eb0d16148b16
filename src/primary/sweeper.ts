import { type CostEntry, entryOfSale } from '../calls/cost-entry.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { repeat } from '../process/repeat.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import type { CountedSale } from '../store/completion.ts';
import { sweepExpired } from '../store/expiry.ts';
import { sweepEndedGrants } from '../store/grant-endings.ts';
import type { Logger } from '../telemetry/log.ts';
import type { InForce } from './in-force.ts';

/** One pass a second; while more calculations are due, passes follow without a pause. */
const INTERVAL_MS = 1000;

/**
 * Ends calculations that expire and grants whose last day is over, and completes what calls have left of calculations. It has the
 * primary's event loop, so that no till waits beside it.
 */
export class Sweeper {
  /** Calculations that expired since the start, and how many of them had still held a limited benefit. */
  readonly figures = { expired: 0, hold_expired: 0 };
  readonly #inForce: () => InForce;
  readonly #count: (costEntry: CostEntry) => void;
  readonly #log: Logger;
  readonly #stops: readonly (() => Promise<void>)[];
  #isStopped = false;

  constructor(inForce: () => InForce, count: (costEntry: CostEntry) => void, log: Logger) {
    this.#inForce = inForce;
    this.#count = count;
    this.#log = log;
    // Each by itself: where one of them fails, the other one is still running, and its next pass must not begin beside it.
    this.#stops = [this.#repeat(() => this.#sweepCalculations()), this.#repeat(() => this.#sweepGrants())];
  }

  /** Waits for the passes that are under way: nobody else is given the sales that they are to count. */
  async close(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#stops.map((stop) => stop()));
  }

  #repeat(sweep: () => Promise<void>): () => Promise<void> {
    let running = Promise.resolve();
    const stop = repeat(INTERVAL_MS, () => {
      // The sweep is impossible without Redis; the next pass finds what this one left.
      running = sweep().catch((error: Error) => {
        if (!(error instanceof StoreUnavailable)) this.#log.error({ fault: error.stack }, 'expiry sweep');
      });
      return running;
    });
    return () => {
      stop();
      return running;
    };
  }

  async #sweepCalculations(): Promise<void> {
    for (let isMoreDue = true; isMoreDue && !this.#isStopped; ) {
      const inForce = this.#inForce();
      const swept = await sweepExpired(inForce.store, eventFactsOf(inForce), (sale) => this.#complete(sale));
      isMoreDue = swept.isMoreDue;
      if (swept.expired === 0) continue;
      this.figures.expired += swept.expired;
      this.figures.hold_expired += swept.holds;
      this.#log.info({ count: swept.expired }, 'calculations expired');
    }
  }

  /** Counts a sale whose call ended before it was counted, and says so: somebody's event was answered with 503 and never repeated. */
  #complete(sale: CountedSale): void {
    const costEntry = entryOfSale(this.#inForce().environment, 'sold', sale);
    if (costEntry) this.#count(costEntry);
    this.#log.info({ calculationId: sale.of?.calculationId }, 'sale completed');
  }

  async #sweepGrants(): Promise<void> {
    for (let isMoreDue = true; isMoreDue && !this.#isStopped; ) {
      ({ isMoreDue } = await sweepEndedGrants(this.#inForce().store));
    }
  }
}
