import { StoreUnavailable } from '../../../../src/redis/failure.ts';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 250;

/** Retries while Redis is unavailable, e.g. during a failover. Throws `StoreUnavailable` after half a minute. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > endMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
