/** The list of the last refusals: short, newest first, and not to be flooded. */

import { refuse } from '@loyalty/contract/errors';
import { expect, test } from 'vitest';
import {
  MAX_FOUND_REFUSALS,
  MAX_RECENT_REFUSALS,
  mergeRefusals,
  RecentRefusals,
} from '../../src/telemetry/recent-refusals.ts';

const call = (atMs: number, route = '/v1/pos/basket') => ({ atMs, route, requestId: `request-${atMs}` });

test('the newest stands first, and the oldest leaves a full list', () => {
  const refusals = new RecentRefusals();
  for (let atMs = 1; atMs <= MAX_RECENT_REFUSALS + 5; atMs += 1) refusals.add(refuse('too_many_lines'), call(atMs));
  expect(refusals.list).toHaveLength(MAX_RECENT_REFUSALS);
  expect(refusals.list[0]?.atMs).toBe(MAX_RECENT_REFUSALS + 5);
  expect(refusals.list.at(-1)?.atMs).toBe(6);
});

test('a flood of one code is one note, which counts', () => {
  const refusals = new RecentRefusals();
  refusals.add(
    refuse('arithmetic_mismatch', { details: { field: '/totals/total', expected: 1, received: 2 } }),
    call(1),
  );
  for (let atMs = 2; atMs <= 1001; atMs += 1) refusals.add(refuse('rate_limited'), call(atMs));
  for (let atMs = 1002; atMs <= 1011; atMs += 1) refusals.add(refuse('invalid_request'), call(atMs, 'unknown'));
  expect(refusals.list.map(({ code, count, requestId }) => [code, count, requestId])).toEqual([
    ['invalid_request', 10, 'request-1011'],
    ['rate_limited', 1000, 'request-1001'],
    ['arithmetic_mismatch', 1, 'request-1'],
  ]);
  expect(refusals.list[2]).toMatchObject({ field: '/totals/total', expected: 1, received: 2 });
});

test('a reader sees by identity whether there is something new', () => {
  const refusals = new RecentRefusals();
  const before = refusals.list;
  refusals.add(refuse('unavailable'), call(1));
  expect(refusals.list).not.toBe(before);
  expect(before).toEqual([]);
});

test('the lists of several processes become one, by time', () => {
  const lists = [1, 2].map((first) => {
    const refusals = new RecentRefusals();
    for (let atMs = first; atMs <= 80; atMs += 2) refusals.add(refuse('too_many_lines'), call(atMs));
    return refusals.list;
  });
  const merged = mergeRefusals(lists);
  expect(merged).toHaveLength(MAX_RECENT_REFUSALS);
  expect(merged.slice(0, 3).map(({ atMs }) => atMs)).toEqual([80, 79, 78]);
});

test('each of a flood is found by its request ID, and the oldest are forgotten', () => {
  const refusals = new RecentRefusals();
  expect(refusals.find('request-1')).toBeUndefined();
  for (let atMs = 1; atMs <= MAX_FOUND_REFUSALS + 5; atMs += 1) refusals.add(refuse('invalid_signature'), call(atMs));
  expect(refusals.find('request-5')).toBeUndefined();
  expect(refusals.find('request-6')).toMatchObject({ atMs: 6, code: 'invalid_signature', count: 1 });
  refusals.add(refuse('too_many_lines'), { ...call(2_000), requestId: 'request-900' });
  expect(refusals.find('request-900')).toMatchObject({ atMs: 2_000, code: 'too_many_lines' });
});

test('strangers push no refused caller out, neither from the list nor from what is found, and answer for nobody', () => {
  const refusals = new RecentRefusals();
  refusals.add(refuse('too_many_lines'), call(1));
  for (let atMs = 2; atMs <= 2 * MAX_FOUND_REFUSALS; atMs += 1) {
    refusals.add(refuse('invalid_request', { status: 405 }), { ...call(atMs), isStranger: true });
  }
  expect(refusals.list.map(({ code, count }) => [code, count])).toEqual([
    ['invalid_request', 2 * MAX_FOUND_REFUSALS - 1],
    ['too_many_lines', 1],
  ]);
  expect(refusals.find('request-2000')).toMatchObject({ code: 'invalid_request' });
  refusals.add(refuse('invalid_signature'), { ...call(1), isStranger: true });
  expect(refusals.find('request-1')).toMatchObject({ atMs: 1, code: 'too_many_lines' });
});
