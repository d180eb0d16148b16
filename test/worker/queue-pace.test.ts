/** Whether a call that goes to a thread would end in time, by how fast the calls before it have ended. */
import { expect, test } from 'vitest';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { QueuePace } from '../../src/threads/queue-pace.ts';

/** So many calls came at once, and one ended each `everyMs` since. */
function busy(calls: number, everyMs: number): QueuePace {
  const pace = new QueuePace(1);
  for (let call = 0; call < calls; call++) pace.begin(0);
  for (let call = 1; call < calls; call++) pace.end(call * everyMs);
  return pace;
}

test('while nothing is known of the pace, every call has time', () => {
  const pace = new QueuePace(1);
  for (let call = 0; call < 1000; call++) {
    expect(pace.hasTime(1)).toBe(true);
    pace.begin(0);
  }
});

test('calls are taken until half of the time that is left is used up', () => {
  const pace = busy(100, 20);
  let calls = 1;
  for (; pace.hasTime(400); calls++) pace.begin(2000);
  expect(calls).toBe(10);
  expect(pace.hasTime(440)).toBe(true);
});

test('the last calls weigh most', () => {
  const pace = busy(100, 20);
  for (let call = 0; call < 5; call++) pace.begin(2000);
  expect(pace.hasTime(400)).toBe(true);
  for (let call = 1; call <= 5; call++) pace.end(2000 + call * 200);
  for (let call = 0; call < 2; call++) pace.begin(3000);
  expect(pace.hasTime(400)).toBe(false);
});

test('a call that was alone shows that the threads are fast, and never that they are slow', () => {
  const pace = busy(100, 20);
  pace.end(2000);
  pace.begin(5000);
  pace.end(5050);
  for (let call = 0; call < 9; call++) pace.begin(6000);
  expect(pace.hasTime(400)).toBe(true);
  expect(pace.hasTime(399)).toBe(false);
  for (let call = 0; call < 9; call++) pace.end(6000);
  pace.begin(7000);
  pace.end(7002);
  for (let call = 0; call < 99; call++) pace.begin(8000);
  expect(pace.hasTime(400)).toBe(true);
});

test('as many calls as there are threads are always taken, so that a pause of a thread is no pause of the service', () => {
  const pace = new QueuePace(2);
  for (let call = 0; call < 3; call++) pace.begin(0);
  for (let call = 1; call < 4; call++) pace.end(call * 60_000);
  expect(pace.hasTime(400)).toBe(true);
  pace.begin(200_000);
  expect(pace.hasTime(400)).toBe(true);
  pace.begin(200_000);
  expect(pace.hasTime(400)).toBe(false);
});

test('a call counts with the time that it took, also when it failed', async () => {
  for (const work of [() => Promise.resolve(7), () => Promise.reject(new Error('a bug'))]) {
    const pace = new QueuePace(1);
    // Long ago, two others began, of which one has ended since.
    for (let call = 0; call < 2; call++) pace.begin(monotonicMs() - 1_000_000);
    pace.end(monotonicMs() - 999_999);
    await pace.observe(work).catch(() => undefined);
    pace.begin(monotonicMs());
    expect(pace.hasTime(400)).toBe(false);
  }
});

test('gives what the call gave', async () => {
  expect(await new QueuePace(1).observe(() => Promise.resolve(7))).toBe(7);
});
