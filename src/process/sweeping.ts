import type { Swept } from '../store/expiry.ts';
import { ExpirySweeper } from '../store/expiry-sweeper.ts';
import type { Store } from '../store/store.ts';
import type { CallMetrics } from '../telemetry/call-metrics.ts';
import type { Logger } from '../telemetry/log.ts';

/** Starts the expiry sweep. Returns the function that stops it. */
export function startSweeper(store: () => Store, metrics: CallMetrics, log: Logger): () => void {
  const onExpired = ({ expired, holds }: Swept) => {
    metrics.add('expired', expired);
    metrics.add('hold_expired', holds);
    log.info({ count: expired }, 'calculations expired');
  };
  const sweeper = new ExpirySweeper(store, onExpired, (error) => log.error({ fault: error.stack }, 'expiry sweep'));
  return () => sweeper.stop();
}
