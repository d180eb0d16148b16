/** A thread is stuck if it is silent while its process runs; silence while nothing ran at all proves nothing. */
import { expect, test } from 'vitest';
import { createPulseMemory, PulseWatch } from '../../src/threads/pulse.ts';

const THREAD = 3;
const LOOK_MS = 250;

/** Looks at a thread again and again for so long, and says whether it was stuck at any look. */
function watched() {
  const cells = new Int32Array(createPulseMemory());
  const watch = new PulseWatch(cells.buffer as SharedArrayBuffer);
  let nowMs = 1000;
  const look = (waitedMs = LOOK_MS) => {
    nowMs += waitedMs;
    return watch.isStuck(THREAD, nowMs);
  };
  return {
    watch,
    beat: () => Atomics.add(cells, THREAD, 1),
    look,
    lookFor: (ms: number) => Array.from({ length: ms / LOOK_MS }, () => look()).includes(true),
  };
}

test('a thread that does not beat for two seconds is stuck', () => {
  const { beat, look, lookFor } = watched();
  beat();
  look();
  expect(lookFor(2000)).toBe(false);
  expect(look()).toBe(true);
});

test('one that beats is not, however long it lives', () => {
  const { beat, lookFor } = watched();
  for (let count = 0; count < 50; count++) {
    beat();
    expect(lookFor(1000)).toBe(false);
  }
});

test('after a process was frozen its threads have their two seconds', () => {
  const { beat, look, lookFor } = watched();
  beat();
  look();
  expect(look(4000)).toBe(false);
  expect(lookFor(1500)).toBe(false);
  beat();
  expect(look(3_600_000)).toBe(false);
  expect(lookFor(2000)).toBe(false);
});

test('a thread that is stuck is found after a freeze too, and where the process is starved', () => {
  const { beat, look, lookFor } = watched();
  beat();
  look();
  look(4000);
  expect(lookFor(2000)).toBe(true);
  const starved = watched();
  starved.beat();
  starved.look();
  expect(Array.from({ length: 5 }, () => starved.look(2000)).at(-1)).toBe(true);
});

test('a thread that has never beaten may load its code for a minute', () => {
  const { look, lookFor } = watched();
  look();
  expect(lookFor(60_000)).toBe(false);
  expect(look()).toBe(true);
});

test('a new thread in the place of one that ended begins anew', () => {
  const { watch, beat, look, lookFor } = watched();
  beat();
  look();
  lookFor(3000);
  watch.forgetAllBut(new Set());
  expect(lookFor(10_000)).toBe(false);
});
