/** Answered requests lead to their calculations; of a flood the last ones stay. */
import { expect, test } from 'vitest';
import { RecentCalls } from '../../src/telemetry/recent-calls.ts';

test('the last requests are found, those before them are forgotten one by one', () => {
  const calls = new RecentCalls(3);
  for (const number of [1, 2, 3, 4, 5]) calls.add(`request-${number}`, `calculation-${number}`);
  const found = [1, 2, 3, 4, 5].map((number) => calls.find(`request-${number}`));
  expect(found).toEqual([undefined, undefined, 'calculation-3', 'calculation-4', 'calculation-5']);
});

test('a request ID that comes again leads to its latest calculation', () => {
  const calls = new RecentCalls(2);
  for (const calculation of ['one', 'two']) calls.add('request', calculation);
  expect(calls.find('request')).toBe('two');
});
