/** The counters that a person means: by the whole name, or by that of the benefit, the voucher or the shared limit. */
import { expect, test } from 'vitest';
import { findCounters } from '../../src/store/give-back.ts';
import { snapshotOf } from '../../src/store/members.ts';

/** What Redis has of a member that used some of its benefits. */
const uses = new Map([
  ['coffee:*', '2'],
  ['cake/card-7:*', '1'],
  ['@treats:2026-11', '5'],
  ['wine#oslo:2026-W47', '1'],
  ['none:*', '0'],
  ['coffee:*!over', '1'],
]);
const nothing = new Map<string, string>();
const read = { nowMs: 0, fields: nothing, uses, holds: nothing, held: nothing, isSummed: false, isPartial: false };
const member = snapshotOf({ programmeId: 'club', loyaltyId: 'anna' }, read);

test.each([
  ['coffee:*', ['coffee:*']],
  ['coffee', ['coffee:*']],
  ['card-7', ['cake/card-7:*']],
  ['cake/card-7', ['cake/card-7:*']],
  ['treats', ['@treats:2026-11']],
  ['@treats', ['@treats:2026-11']],
  ['wine', ['wine#oslo:2026-W47']],
  ['wine#oslo', ['wine#oslo:2026-W47']],
  ['cake', []],
  ['none', []],
  ['none:*', []],
  ['coffee:*!over', []],
])('%s: %j', (name, counters) => {
  expect(findCounters(member, name)).toEqual(counters);
});
