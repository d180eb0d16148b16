import { type CommonLimitState, kindOfPeriod, readCommonLimits } from '../ops/common-limit-states.ts';
import type { Environment } from '../programme/environment.ts';
import type { Store } from '../store/store.ts';
import type { LimitFigures } from '../telemetry/limit-exposition.ts';

const INTERVAL_MS = 5000;
/** Each limit is four series of Prometheus; `/admin/limits` shows all of them. */
const MAX_LIMITS = 200;

/** Reads the limits over all members for `/metrics`. A configuration without any asks nothing of Redis. */
export class LimitWatch {
  readonly #inForce: () => { readonly environment: Environment; readonly store: Store };
  readonly #timer: NodeJS.Timeout;
  #isReading = false;
  figures: readonly LimitFigures[] = [];

  constructor(inForce: () => { readonly environment: Environment; readonly store: Store }) {
    this.#inForce = inForce;
    this.#timer = setInterval(() => void this.#read(), INTERVAL_MS).unref();
    void this.#read();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects: without Redis the last figures stay. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      const { store, environment } = this.#inForce();
      const limits = await readCommonLimits(store, environment);
      this.figures = limits.slice(0, MAX_LIMITS).map(toFigures);
    } catch {
      // The next reading may succeed.
    } finally {
      this.#isReading = false;
    }
  }
}

/** The name of the running period is no label, because every day would begin a series of its own. */
function toFigures(limit: CommonLimitState): LimitFigures {
  const { programmeId, benefitId, limitId, of, venueId = '', period, counts, currency = '' } = limit;
  const { quantity, consumed, held, left } = limit;
  return {
    labels: {
      ...{ programme: programmeId, limit: limitId ?? benefitId, of, venue: venueId },
      ...{ period: kindOfPeriod(period), counts, currency },
    },
    ...{ quantity, consumed, held, left },
  };
}
