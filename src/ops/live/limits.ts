import type { Environment } from '../../programme/environment.ts';
import type { Store } from '../../store/store.ts';
import { type CommonLimitState, readCommonLimits } from '../common-limit-states.ts';

/** Pages ask every ten seconds, several may be open, and nobody needs it newer. */
const FRESH_MS = 2000;

/** `GET /live/limits`: what is left of the limits over all members. */
export class LiveLimits {
  readonly #current: () => { readonly environment: Environment; readonly store: Store };
  #readAtMs = Number.NEGATIVE_INFINITY;
  #limits: Promise<CommonLimitState[]> | undefined;

  constructor(current: () => { readonly environment: Environment; readonly store: Store }) {
    this.#current = current;
  }

  /** Throws `StoreUnavailable`. */
  async read(): Promise<{ readonly limits: readonly CommonLimitState[] }> {
    const nowMs = performance.now();
    if (!this.#limits || nowMs - this.#readAtMs >= FRESH_MS) {
      const { store, environment } = this.#current();
      this.#readAtMs = nowMs;
      const limits = readCommonLimits(store, environment);
      limits.catch(() => {
        if (this.#limits === limits) this.#limits = undefined;
      });
      this.#limits = limits;
    }
    return { limits: await this.#limits };
  }
}
