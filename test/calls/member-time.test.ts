/** The clock of a test member, which an operator moves to try what a basket costs at another time. */
import { expect, test } from 'vitest';
import { timeOfMember } from '../../src/calls/situation.ts';

const MINUTE_MS = 60_000;
const NOON = '2026-11-21T12:00:00+01:00';

test('a clock that is ahead makes a basket later', () => {
  expect(timeOfMember(NOON, { movedMs: 5 * MINUTE_MS })).toBe('2026-11-21T11:05:00.000Z');
});

test('a clock that is behind makes a basket earlier', () => {
  expect(timeOfMember(NOON, { movedMs: -5 * MINUTE_MS })).toBe('2026-11-21T10:55:00.000Z');
});

test('a clock that nobody moved leaves the basket the time as its caller wrote it', () => {
  expect(timeOfMember(NOON, { movedMs: 0 })).toBe(NOON);
});
