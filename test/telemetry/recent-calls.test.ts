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

test("the latest of a request is found wherever the ring stands, and an empty ID is nobody's", () => {
  const calls = new RecentCalls(4);
  expect(calls.find('')).toBeUndefined();
  for (let number = 1; number <= 12; number += 1) {
    calls.add('again', `calculation-${number}`);
    expect(calls.find('again')).toBe(`calculation-${number}`);
    if (number % 2 === 0) calls.add(`once-${number}`, 'other');
  }
});
