import { StoreUnavailable } from '../redis/failure.ts';
import { type Swept, sweepExpired } from './expiry.ts';
import type { Store } from './store.ts';

/** One pass a second; while more calculations are due, passes follow without a pause. */
const INTERVAL_MS = 1000;

/** Runs the sweep until it is stopped. `onExpired` is called after a pass that ended calculations. */
export class ExpirySweeper {
  readonly #store: () => Store;
  readonly #onExpired: (swept: Swept) => void;
  readonly #onFault: (error: Error) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: () => Store, onExpired: (swept: Swept) => void, onFault: (error: Error) => void) {
    this.#store = store;
    this.#onExpired = onExpired;
    this.#onFault = onFault;
    this.#schedule(INTERVAL_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => void this.#pass(), delayMs);
    this.#timer.unref();
  }

  async #pass(): Promise<void> {
    let isMoreDue = false;
    try {
      const swept = await sweepExpired(this.#store());
      isMoreDue = swept.isMoreDue;
      if (swept.expired > 0) this.#onExpired(swept);
    } catch (error) {
      // The sweep is impossible without Redis; the next pass finds the calculations that this one left.
      if (!(error instanceof StoreUnavailable)) this.#onFault(error as Error);
    }
    if (this.#timer !== undefined) this.#schedule(isMoreDue ? 0 : INTERVAL_MS);
  }
}
