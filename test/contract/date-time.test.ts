/** The form that tills send is read in a way of its own; the expression reads the same times with a small t. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDateTime } from '../../src/contract/date-time.ts';

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
  const check = (text: string): void => {
    expect(parseDateTime(text)).toBe(parseDateTime(text.replace('T', 't')));
  };
  fc.assert(fc.property(usual, check), { numRuns: 5000, seed: 1 });
  fc.assert(fc.property(spoilt, check), { numRuns: 5000, seed: 2 });
});

test('a usual time is the instant that Date reads', () => {
  for (const text of ['2026-11-20T12:00:00+01:00', '2024-02-29T23:59:59-03:30', '1970-01-01T00:00:00+00:00']) {
    expect(parseDateTime(text)).toBe(Date.parse(text));
  }
  expect(parseDateTime('2025-02-29T12:00:00+01:00')).toBeUndefined();
});
