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

/** Microseconds, with fractions, of the machine's monotonic clock, which is the same in every thread. */
export function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1000;
}

/** Requests due within this time are sent by one wake-up; more wake-ups would only burn CPU. */
const MERGED_US = 100;

/** Runs in the thread: calls `wake` at each of the ascending instants, in microseconds of the monotonic clock. */
export function wakeWhenDue(due: Float64Array, wake: () => void): void {
  let next = 0;
  while (next < due.length) {
    const untilUs = (due[next] as number) + MERGED_US;
    while (next + 1 < due.length && (due[next + 1] as number) <= untilUs) next += 1;
    sleepUntil(due[next] as number);
    next += 1;
    wake();
  }
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function sleepUntil(instantUs: number): void {
  for (let leftUs = instantUs - nowUs(); leftUs > 0; leftUs = instantUs - nowUs()) {
    Atomics.wait(never, 0, 0, leftUs / 1000);
  }
}
