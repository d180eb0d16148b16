import { expect, test } from 'vitest';
import { createPace, rowsAtOnce } from '../../packages/tools/src/members/pace.ts';

test('rows wait until those before them have had their time', () => {
  const wait = createPace(10_000);
  expect([wait(500, 1000), wait(500, 1000), wait(100, 1060), wait(100, 1110)]).toEqual([0, 50, 40, 0]);
});

test('lost time is not made up for', () => {
  const wait = createPace(1000);
  wait(100, 0);
  expect([wait(100, 5000), wait(100, 5000)]).toEqual([0, 100]);
});

test('the rows of a second are written in ten batches, and one at least', () => {
  expect([1, 10, 11, 5000].map(rowsAtOnce)).toEqual([1, 1, 2, 500]);
});
