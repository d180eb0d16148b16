/** What was set last is found; of a flood the last ones stay. */
import { expect, test } from 'vitest';
import { Latest } from '../../src/telemetry/latest.ts';

test('the last keys are found, those before them are forgotten one by one', () => {
  const latest = new Latest<string>(3);
  for (const number of [1, 2, 3, 4, 5]) latest.set(`request-${number}`, `calculation-${number}`);
  const found = [1, 2, 3, 4, 5].map((number) => latest.get(`request-${number}`));
  expect(found).toEqual([undefined, undefined, 'calculation-3', 'calculation-4', 'calculation-5']);
});

test('a key that comes again has its latest value, and stays as long as a new one', () => {
  const latest = new Latest<number>(2);
  for (const [at, key] of ['one', 'two', 'one', 'three'].entries()) latest.set(key, at);
  expect(['one', 'two', 'three'].map((key) => latest.get(key))).toEqual([2, undefined, 3]);
});
