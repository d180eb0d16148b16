import { kindOfPeriod } from '../../packages/console/src/asked-period.ts';
import { type CommonLimitState, readCommonLimits } from '../../packages/console/src/common-limit-states.ts';
import { repeat } from '../process/repeat.ts';
import type { LimitFigures } from '../telemetry/primary-exposition.ts';
import type { InForce } from './in-force.ts';

const INTERVAL_MS = 5000;
/** Each limit is four series of Prometheus; `/admin/limits` shows all of them. */
const MAX_LIMITS = 200;

/** Reads the limits over all members for `/metrics`. A configuration without any asks nothing of Redis. */
export class LimitWatch {
  figures: readonly LimitFigures[] = [];
  /** Ends the readings. */
  readonly close: () => void;

  constructor(inForce: () => InForce) {
    // Without Redis the last figures stay.
    const read = () => this.#read(inForce()).catch(() => undefined);
    this.close = repeat(INTERVAL_MS, read);
    void read();
  }

  async #read({ store, environment }: InForce): Promise<void> {
    const limits = await readCommonLimits(store, environment);
    this.figures = limits.slice(0, MAX_LIMITS).map(toFigures);
  }
}

/** The name of the running period is no label, because every day would begin a series of its own. */
function toFigures(limit: CommonLimitState): LimitFigures {
  const { programmeId, benefitId, limitId, of, venueId = '', period, counts, currency = '' } = limit;
  const { quantity, consumed, held, left } = limit;
  return {
    labels: {
      programme: programmeId,
      limit: limitId ?? benefitId,
      of,
      venue: venueId,
      period: kindOfPeriod(period),
      counts,
      currency,
    },
    quantity,
    consumed,
    held,
    left,
  };
}
