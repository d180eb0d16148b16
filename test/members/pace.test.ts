import { expect, test } from 'vitest';
import { Pace } from '../../packages/simulator/src/pace.ts';

test('rows wait until those before them have had their time', () => {
  const pace = new Pace();
  const wait = (rows: number, nowMs: number) => pace.take(rows, 10_000, nowMs);
  expect([wait(500, 1000), wait(500, 1000), wait(100, 1060), wait(100, 1110)]).toEqual([0, 50, 40, 0]);
});

test('lost time is not made up for', () => {
  const pace = new Pace();
  pace.take(100, 1000, 0);
  expect([pace.take(100, 1000, 5000), pace.take(100, 1000, 5000)]).toEqual([0, 100]);
});
