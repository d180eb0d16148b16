import { StoreUnavailable } from '../redis/failure.ts';
import { type Swept, sweepExpired } from './expiry.ts';
import type { Store } from './store.ts';

/** A pass a second; a backlog is worked off without a pause in between. */
const INTERVAL_MS = 1000;

/** Runs the sweep for as long as the process lives. `onExpired` is told what ended in a pass. */
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
      // Without Redis there is nothing to sweep; the next pass finds what this one left.
      if (!(error instanceof StoreUnavailable)) this.#onFault(error as Error);
    }
    if (this.#timer !== undefined) this.#schedule(isMoreDue ? 0 : INTERVAL_MS);
  }
}
