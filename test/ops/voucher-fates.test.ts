/** What had become of a voucher at an instant: a day that is over stays as it was, whatever comes later. */
import { expect, test } from 'vitest';
import { fateOf } from '../../packages/console/src/admin/voucher-report.ts';
import type { VoucherEntry } from '../../src/store/vouchers.ts';

const OSLO = 'Europe/Oslo';
const at = (text: string) => Date.parse(text);
const entry = (text: string, kind: VoucherEntry['kind'], units = 1, to?: string): VoucherEntry => ({
  ...{ atMs: at(text), kind, units },
  ...(to !== undefined && { to }),
});
function countsAt(instant: string, entries: readonly VoucherEntry[]) {
  const fate = fateOf({ programmeId: 'club', benefitId: 'cake', entries }, at(instant), OSLO);
  return fate && [fate.given, fate.used, fate.revoked, fate.ended, fate.outstanding, fate.overRedeemed];
}

test('each day has what was booked up to its end', () => {
  const entries = [
    entry('2026-10-30T10:00:00Z', 'given', 3, '2026-11-02'),
    entry('2026-10-31T22:45:00Z', 'used'),
    entry('2026-10-31T23:00:00Z', 'used'),
    entry('2026-11-01T09:00:00Z', 'used', -1),
  ];
  expect(countsAt('2026-10-30T00:00:00+02:00', entries)).toBeUndefined();
  expect(countsAt('2026-10-31T00:00:00+01:00', entries)).toEqual([3, 0, 0, 0, 3, 0]);
  // The midnight of Oslo, between two uses.
  expect(countsAt('2026-11-01T00:00:00+01:00', entries)).toEqual([3, 1, 0, 0, 2, 0]);
  expect(countsAt('2026-11-02T00:00:00+01:00', entries)).toEqual([3, 1, 0, 0, 2, 0]);
  // On its last day it can still be used.
  expect(countsAt('2026-11-02T23:59:00+01:00', entries)).toEqual([3, 1, 0, 0, 2, 0]);
  expect(countsAt('2026-11-03T00:00:00+01:00', entries)).toEqual([3, 1, 0, 2, 0, 0]);
});

test('it belongs to the month in which it was given, by the clock of the venue', () => {
  const entries = [entry('2026-10-31T23:00:00Z', 'given')];
  expect(fateOf({ programmeId: 'club', benefitId: 'cake', entries }, at('2026-12-01T00:00:00Z'), OSLO)?.month).toBe(
    '2026-11',
  );
});

test('what is taken away was revoked, and after its last day had ended', () => {
  const given = entry('2026-10-01T10:00:00Z', 'given', 2, '2026-10-10');
  const later = '2026-12-01T00:00:00Z';
  expect(countsAt(later, [given, entry('2026-10-05T10:00:00Z', 'given', -2)])).toEqual([2, 0, 2, 0, 0, 0]);
  expect(countsAt(later, [given, entry('2026-10-11T10:00:00Z', 'given', -2)])).toEqual([2, 0, 0, 2, 0, 0]);
  expect(countsAt(later, [given, entry('2026-10-05T10:00:00Z', 'erased', 0)])).toEqual([2, 0, 2, 0, 0, 0]);
  const used = entry('2026-10-02T10:00:00Z', 'used');
  expect(countsAt(later, [given, used, entry('2026-10-05T10:00:00Z', 'given', -2)])).toEqual([2, 1, 1, 0, 0, 0]);
  expect(countsAt(later, [given, used, entry('2026-10-05T10:00:00Z', 'given', -1)])).toEqual([2, 1, 1, 0, 0, 0]);
});

test('another quantity with another last day is read whole: what is left has the new day', () => {
  const given = entry('2026-10-01T10:00:00Z', 'given', 3, '2026-10-10');
  const lowered = (text: string, to?: string) => [given, entry(text, 'given', -2, to)];
  const december = '2026-12-01T00:00:00Z';
  expect(countsAt(december, lowered('2026-10-05T10:00:00Z', '2026-12-31'))).toEqual([3, 0, 2, 0, 1, 0]);
  expect(countsAt(december, lowered('2026-10-05T10:00:00Z', '2026-10-31'))).toEqual([3, 0, 2, 1, 0, 0]);
  expect(countsAt('2027-01-01T00:00:00Z', lowered('2026-10-05T10:00:00Z', '2026-12-31'))).toEqual([3, 0, 2, 1, 0, 0]);
  // Those that were taken had ended on the day before.
  expect(countsAt(december, lowered('2026-10-15T10:00:00Z', '2026-12-31'))).toEqual([3, 0, 0, 2, 1, 0]);
  // Some of them without a word of a day: the last day stays.
  expect(countsAt(december, lowered('2026-10-05T10:00:00Z'))).toEqual([3, 0, 2, 1, 0, 0]);
});

test('each taking counts by its own instant: a later one moves nothing of what a report has said', () => {
  const given = entry('2026-10-01T10:00:00Z', 'given', 3, '2026-10-10');
  const lowered = entry('2026-10-05T10:00:00Z', 'given', -2, '2026-10-10');
  const later = '2026-12-01T00:00:00Z';
  const final = [3, 0, 2, 1, 0, 0];
  expect(countsAt(later, [given, lowered])).toEqual(final);
  expect(countsAt(later, [given, lowered, entry('2026-11-01T10:00:00Z', 'erased', 0)])).toEqual(final);
  expect(countsAt(later, [given, lowered, entry('2026-11-01T10:00:00Z', 'given', -1)])).toEqual(final);
  // The same where the first one came too late and the next one, of a grant that was given for longer, in time.
  const late = entry('2026-10-15T10:00:00Z', 'given', -2, '2026-12-31');
  const revoked = entry('2026-10-20T10:00:00Z', 'given', -1);
  expect(countsAt('2026-10-18T00:00:00Z', [given, late, revoked])).toEqual([3, 0, 0, 2, 1, 0]);
  expect(countsAt(later, [given, late, revoked])).toEqual([3, 0, 1, 2, 0, 0]);
  // Given again it is what was taken last.
  const again = entry('2026-11-02T10:00:00Z', 'given', 1, '2026-12-31');
  expect(countsAt(later, [given, lowered, entry('2026-11-01T10:00:00Z', 'given', -1), again])).toEqual([
    3, 0, 2, 0, 1, 0,
  ]);
});

test('given again it is the same voucher, for longer it is there longer, and late sales are past it', () => {
  const given = entry('2026-10-01T10:00:00Z', 'given', 1, '2026-10-10');
  const again = [entry('2026-10-02T10:00:00Z', 'given', -1), entry('2026-10-03T10:00:00Z', 'given', 1, '2026-12-31')];
  expect(countsAt('2026-12-01T00:00:00Z', [given, ...again])).toEqual([1, 0, 0, 0, 1, 0]);
  const longer = entry('2026-10-03T10:00:00Z', 'given', 0, '2026-12-31');
  expect(countsAt('2026-12-01T00:00:00Z', [given, longer])).toEqual([1, 0, 0, 0, 1, 0]);
  expect(countsAt('2026-12-01T00:00:00Z', [given, entry('2026-10-04T10:00:00Z', 'used', 2)])).toEqual([
    1, 1, 0, 0, 0, 1,
  ]);
});
