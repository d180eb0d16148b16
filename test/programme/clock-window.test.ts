import { describe, expect, it } from 'vitest';
import { clockOffsetMs, isClockOff } from '../../src/programme/clock-window.ts';

/** How far a basket's time is from the clock, and which times are believed. */

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const window = { pastMs: 2 * HOUR_MS, aheadMs: 10 * MINUTE_MS };

describe('the distance', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12);

  it.each([
    ['2026-11-21T12:00:00Z', 0],
    ['2026-11-21T13:00:00+01:00', 0],
    ['2026-11-21T11:59:59.250Z', -750],
    ['2026-11-21T12:00:00+01:00', -HOUR_MS],
    ['2026-11-21T12:10:00.001Z', 10 * MINUTE_MS + 1],
    ['2026-11-22T12:00:00Z', 24 * HOUR_MS],
  ])('of %s is %d ms', (requestedAt, offsetMs) => {
    expect(clockOffsetMs(requestedAt, nowMs)).toBe(offsetMs);
  });
});

describe('a window of two hours and ten minutes', () => {
  it.each([
    [0, false],
    [-2 * HOUR_MS, false],
    [-2 * HOUR_MS - 1, true],
    [10 * MINUTE_MS, false],
    [10 * MINUTE_MS + 1, true],
    [-100 * 365 * 24 * HOUR_MS, true],
    [100 * 365 * 24 * HOUR_MS, true],
  ])('%d ms: off is %s', (offsetMs, isOff) => {
    expect(isClockOff(offsetMs, window)).toBe(isOff);
  });

  it('believes every time where there is none', () => {
    for (const offsetMs of [-1e15, 0, 1e15]) expect(isClockOff(offsetMs, undefined)).toBe(false);
  });
});
