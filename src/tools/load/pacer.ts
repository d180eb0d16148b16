import { Worker } from 'node:worker_threads';

/**
 * A thread that wakes the generator when a request is due. Timers of the event loop have a resolution of a millisecond,
 * about half of the measured latency; waiting on a futex has one of some ten microseconds.
 */

/** Starts the thread for instants in shared memory, and calls `onDue` whenever one or several of them have come. */
export function startPacer(due: Float64Array, onDue: () => void): { stop(): Promise<unknown> } {
  const worker = new Worker(new URL('../../../workers/pacer.ts', import.meta.url), { workerData: due.buffer });
  worker.on('message', onDue);
  return { stop: () => worker.terminate() };
}
