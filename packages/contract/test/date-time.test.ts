/** Times as tills send them: the calendar's, and no others. */

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
test.each([
  ['2026-11-20T14:05:09+01:00', Date.UTC(2026, 10, 20, 13, 5, 9)],
  ['2026-11-20t14:05:09z', Date.UTC(2026, 10, 20, 14, 5, 9)],
  ['2026-11-20T14:05:09.123456Z', Date.UTC(2026, 10, 20, 14, 5, 9, 123)],
  ['2026-11-20T00:30:00+05:45', Date.UTC(2026, 10, 19, 18, 45)],
  ['2024-02-29T00:00:00-00:00', Date.UTC(2024, 1, 29)],
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['2017-01-01T00:59:60+01:00', Date.UTC(2016, 11, 31, 23, 59, 59)],
  // However many nines a fraction has, it is not the next second.
  [`2026-11-28T23:59:59.${'9'.repeat(30)}Z`, Date.UTC(2026, 10, 28, 23, 59, 59, 999)],
  ['0001-01-01T00:00:00Z', new Date('0001-01-01T00:00:00Z').getTime()],
])('%s is a date-time', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant);
});

test.each([
  '2026-11-20T14:05:09',
  '2026-11-20 14:05:09Z',
  '2026-11-20T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-20T14:60:00Z',
  '2026-11-20T14:05:60Z',
  '2026-11-20T14:05:09.Z',
  '2026-11-20T14:05:09+24:00',
  '2026-11-20T14:05:09+0100',
  '2026-11-20T14:05:09+01:60',
  ' 2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00Z ',
  '',
])('%s is no date-time', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
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
