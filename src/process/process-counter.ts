import { randomUUID } from 'node:crypto';
import { countProcesses, noteProcessCount } from '../store/local-limit.ts';
import type { Store } from '../store/store.ts';

const INTERVAL_MS = 3000;

/**
 * Keeps this process counted in Redis, for the share of the rate limit that it allows itself while the bucket is away. Until
 * the first count it knows the processes of its own machine. Returns the function that stops it.
 */
export function startProcessCounter(store: () => Store, processesHere: number): () => void {
  const name = randomUUID();
  const { connection } = store();
  // A single server that is away refuses every call, so nobody limits by himself there.
  if (!connection.isCluster) return () => undefined;
  const count = () => void countProcesses(store(), name).catch(() => undefined);
  noteProcessCount(connection, processesHere);
  connection.on('ready', count);
  const timer = setInterval(count, INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    connection.off('ready', count);
  };
}
