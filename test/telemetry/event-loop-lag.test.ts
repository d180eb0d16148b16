/** Delays of the event loop are told for a time, however often somebody reads them. */
import { expect, test } from 'vitest';
import { EventLoopLag } from '../../src/telemetry/event-loop-lag.ts';

const max = ({ max }: { readonly max: number }) => max;
const HELD_MS = 60;
/** Seconds. Two monitors look at slightly different times. */
const NEARLY_HELD = (HELD_MS / 1000) * 0.8;

/** Holds the event loop between two turns of it. */
async function hold(): Promise<void> {
  await pause();
  const endMs = performance.now() + HELD_MS;
  while (performance.now() < endMs);
  await pause();
}

/** Until a monitor has looked at the loop. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 25));
}

test('a delay is told by every read of the next half minute, and not for ever', async () => {
  const lag = new EventLoopLag(0);
  await hold();
  const held = lag.read(max, 100);
  expect(held).toBeGreaterThan(NEARLY_HELD);
  await pause();
  expect(lag.read(max, 200)).toBeGreaterThanOrEqual(held);
  expect(lag.read(max, 29_999)).toBeGreaterThanOrEqual(held);
  // Of two monitors the longer one tells, and the other one has met the delay too.
  expect(lag.read(max, 30_000)).toBeGreaterThan(NEARLY_HELD);
  // The next one has begun since, and has seen nothing yet.
  expect(lag.read(max, 60_000)).toBe(0);
});

test('before anything is known nothing is told', () => {
  expect(new EventLoopLag(0).read(({ mean }) => mean, 0)).toBe(0);
});
