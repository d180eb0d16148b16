/** When what calls met at a Redis is over, by the time that has passed and what was seen since. */
import { expect, test } from 'vitest';
import { RefusedCalls } from '../../src/redis/refused-calls.ts';

function refusedAt(nowMs: number): RefusedCalls {
  const calls = new RefusedCalls();
  expect(calls.note('out_of_memory', '', nowMs)).toBe(true);
  return calls;
}

test('a cause is new once for each server', () => {
  const calls = refusedAt(0);
  expect(calls.note('out_of_memory', '', 1)).toBe(false);
  expect(calls.note('read_only', '', 2)).toBe(true);
  expect(calls.note('read_only', '10.0.0.1:6379', 3)).toBe(true);
});

test.each([
  ['no call and no refusal for a while', false, undefined, 1999, 2000],
  ['a call was served since', true, undefined, 999, 1000],
  ['a call was served since, and there is room', true, true, 999, 1000],
  ['calls are served for long, although there is little room', true, false, 4999, 5000],
])('it is over: %s', (_, isServed, hasRoom, tooEarlyMs, overMs) => {
  const calls = refusedAt(0);
  if (isServed) calls.noteServed(1);
  calls.settle('', hasRoom, tooEarlyMs);
  expect(calls.causeAt('')).toBe('out_of_memory');
  calls.settle('', hasRoom, overMs);
  expect(calls.causeAt('')).toBeUndefined();
});

test('without room and without calls it is never over', () => {
  const calls = refusedAt(0);
  calls.settle('', false, 3_600_000);
  expect(calls.causeAt('')).toBe('out_of_memory');
});

test('a call that one master of a cluster served says nothing of another', () => {
  const calls = new RefusedCalls();
  calls.note('out_of_memory', '10.0.0.1:6379', 0);
  calls.noteServed(1);
  calls.settle('10.0.0.1:6379', undefined, 1500);
  expect(calls.causeAt('10.0.0.1:6379')).toBe('out_of_memory');
});
