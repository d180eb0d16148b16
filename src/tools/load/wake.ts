import { nowUs } from './clock.ts';

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
