/** The form that tills send is read in a way of its own; the expression reads the same times with a small t. */

import { localTime } from '@loyalty/engine/compile/calendar';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDateTime, writeDateTime } from '../src/date-time.ts';

const two = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(1999, 2000, 2024, 2026, 2100));
const usual = fc
  .tuple(year, two(13), two(32), two(25), two(61), two(61), fc.constantFrom('+', '-'), two(25), two(61))
  .map(([y, month, day, hour, minute, second, sign, offsetHour, offsetMinute]) => {
    const date = `${String(y).padStart(4, '0')}-${month}-${day}`;
    return `${date}T${hour}:${minute}:${second}${sign}${offsetHour}:${offsetMinute}`;
  });
const spoilt = fc
  .tuple(usual, fc.nat(24), fc.constantFrom(' ', '0', '9', ':', '-', '+', 'Z', '.', '/', ';', '٣'))
  .map(([text, at, letter]) => `${text.slice(0, at)}${letter}${text.slice(at + 1)}`);

test('both ways read the same times and refuse the same texts', () => {
  // An expectation costs more than both readings.
  const check = (text: string): boolean => parseDateTime(text) === parseDateTime(text.replace('T', 't'));
  fc.assert(fc.property(usual, check), { numRuns: 5000, seed: 1 });
  fc.assert(fc.property(spoilt, check), { numRuns: 5000, seed: 2 });
});

test('a usual time is the instant that Date reads', () => {
  for (const text of ['2026-11-20T12:00:00+01:00', '2024-02-29T23:59:59-03:30', '1970-01-01T00:00:00+00:00']) {
    expect(parseDateTime(text)).toBe(Date.parse(text));
  }
  // However many nines a fraction has, it is not the next second.
  const nines = `2026-11-28T23:59:59.${'9'.repeat(30)}+01:00`;
  expect(parseDateTime(nines)).toBe(Date.parse('2026-11-28T23:59:59.999+01:00'));
  expect(parseDateTime('2025-02-29T12:00:00+01:00')).toBeUndefined();
});

test('every time that is read can be written, and read again where the calendar of a venue is asked', () => {
  const edges = [
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  const check = (text: string): void => {
    const ms = parseDateTime(text);
    if (ms === undefined) return;
    expect(parseDateTime(writeDateTime(ms))).toBe(ms);
    expect(localTime(writeDateTime(ms), 'UTC')).toEqual(localTime(text, 'UTC'));
  };
  edges.forEach(check);
  fc.assert(fc.property(usual, check), { numRuns: 1000, seed: 3 });
  expect(writeDateTime(Date.UTC(2026, 10, 21, 11))).toBe('2026-11-21T11:00:00.000Z');
});

test('an instant that no year of four digits has is written as the nearest one', () => {
  expect([-1e15, 1e15, -1e18, 1e18].map(writeDateTime)).toEqual([
    '0000-01-01T00:00:00.000+23:59',
    '9999-12-31T23:59:59.999-23:59',
    '0000-01-01T00:00:00.000+23:59',
    '9999-12-31T23:59:59.999-23:59',
  ]);
});

/** Both ways, since the small t is read by the expression. */
const isTime = (text: string): boolean => {
  const isRead = parseDateTime(text) !== undefined;
  expect(parseDateTime(text.replace('T', 't')) !== undefined).toBe(isRead);
  return isRead;
};

test('a month has the days of the calendar, in leap years too', () => {
  const lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  for (const [index, last] of lastDays.entries()) {
    const month = String(index + 1).padStart(2, '0');
    expect(isTime(`2026-${month}-01T12:00:00+01:00`)).toBe(true);
    expect(isTime(`2026-${month}-${last}T12:00:00+01:00`)).toBe(true);
    expect(isTime(`2026-${month}-${last + 1}T12:00:00+01:00`)).toBe(false);
    expect(isTime(`2026-${month}-00T12:00:00+01:00`)).toBe(false);
  }
  expect([2000, 2024, 1900, 2026].map((leap) => isTime(`${leap}-02-29T12:00:00+01:00`))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('hours, minutes, seconds and offsets have a largest value', () => {
  for (const time of ['23:00:00+01:00', '12:59:00+01:00', '12:00:59+01:00', '12:00:00+23:00', '12:00:00-01:59']) {
    expect(isTime(`2026-11-20T${time}`)).toBe(true);
  }
  for (const time of ['24:00:00+01:00', '12:60:00+01:00', '12:00:61+01:00', '12:00:00+24:00', '12:00:00-01:60']) {
    expect(isTime(`2026-11-20T${time}`)).toBe(false);
  }
  // A second above 60 at the end of a UTC day is no leap second.
  expect([60, 61].map((second) => isTime(`2026-12-31T23:59:${second}+00:00`))).toEqual([true, false]);
});

test('nothing is before or behind a time', () => {
  expect(['2026-11-20T12:00:00Z', ' 2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z '].map(isTime)).toEqual([
    true,
    false,
    false,
  ]);
});
