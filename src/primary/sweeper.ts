import type { PricingContext } from '../calls/call.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { sweepExpired } from '../store/expiry.ts';
import { sweepEndedGrants } from '../store/grant-endings.ts';
import type { CallMetrics } from '../telemetry/call-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import { repeat } from './repeat.ts';

/** One pass a second; while more calculations are due, passes follow without a pause. */
const INTERVAL_MS = 1000;

/** Starts the sweep of calculations that expire and of grants that end. Returns the function that stops it. */
export function startSweeper(
  context: () => Pick<PricingContext, 'environment' | 'store'>,
  metrics: CallMetrics,
  log: Logger,
): () => void {
  let isStopped = false;
  const sweep = async (): Promise<void> => {
    for (let isMoreDue = true; isMoreDue && !isStopped; ) {
      const { store } = context();
      const { expired, holds, isMoreDue: isMore } = await sweepExpired(store, eventFactsOf(context()));
      isMoreDue = isMore;
      if (expired === 0) continue;
      metrics.add('expired', expired);
      metrics.add('hold_expired', holds);
      log.info({ count: expired }, 'calculations expired');
    }
  };
  const sweepGrants = async (): Promise<void> => {
    for (let isMoreDue = true; isMoreDue && !isStopped; ) ({ isMoreDue } = await sweepEndedGrants(context().store));
  };
  const stop = repeat(INTERVAL_MS, () =>
    // The sweep is impossible without Redis; the next pass finds the calculations that this one left.
    Promise.all([sweep(), sweepGrants()]).catch((error: Error) => {
      if (!(error instanceof StoreUnavailable)) log.error({ fault: error.stack }, 'expiry sweep');
    }),
  );
  return () => {
    isStopped = true;
    stop();
  };
}
