import { parentPort, workerData } from 'node:worker_threads';
import { nowUs } from './clock.ts';

/**
 * A thread that does nothing but wake the generator when a request is due. Timers of the event loop have a resolution of
 * a millisecond, which would be half of what is measured; a futex's wait has one of some ten microseconds.
 */

/** Instants of the monotonic clock in microseconds, ascending. */
const due = new Float64Array(workerData as SharedArrayBuffer);

/** Requests due within this time of each other are sent by one waking: more of them would only heat the machine. */
const MERGED_US = 100;

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let next = 0;
while (next < due.length) {
  const untilUs = (due[next] as number) + MERGED_US;
  while (next + 1 < due.length && (due[next + 1] as number) <= untilUs) next += 1;
  sleepUntil(due[next] as number);
  next += 1;
  parentPort?.postMessage(undefined);
}

function sleepUntil(instantUs: number): void {
  for (let leftUs = instantUs - nowUs(); leftUs > 0; leftUs = instantUs - nowUs()) {
    Atomics.wait(never, 0, 0, leftUs / 1000);
  }
}
