/** A member as Redis has it: who it is, what is left of its limits, and what its clock says. */
import { describe, expect, it } from 'vitest';
import { findCounters } from '../../src/store/give-back.ts';
import { memberToken } from '../../src/store/keys.ts';
import {
  benefitOfGrant,
  countersOf,
  memberFields,
  nameOfGrant,
  parseMember,
  readSnapshot,
  type StoredMember,
  unitsConsumed,
  unitsHeld,
  unitsLeft,
} from '../../src/store/members.ts';
import { readClock } from '../../src/store/moved-clock.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const anna = { programmeId: 'club', loyaltyId: 'anna' };
const voucher = { benefitId: 'cake', grantId: 'card-7', quantity: 2 };

const pairs = (words: readonly string[]) =>
  new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1]!]] : [])));
const fieldsOf = (member: StoredMember) => pairs(memberFields(member));

/** A snapshot of what the script has read. */
function snapshot({
  hash = [],
  uses = [],
  holds = [],
  held = [],
  form = 0,
}: Partial<Record<'hash' | 'uses' | 'holds' | 'held', string[]>> & { form?: number }) {
  const lists = { fields: pairs(hash), uses: pairs(uses), holds: pairs(holds), held: pairs(held) };
  return readSnapshot(anna, { nowMs: NOW, ...lists, form });
}

describe('a member', () => {
  it.each<StoredMember>([
    { ...anna, status: 'active', grants: [] },
    { ...anna, status: 'paused', tier: 'gold', memberLabel: 'Gold', grants: ['cake', 'tea', voucher] },
    { programmeId: 'club', loyaltyId: '\ud800 "x"', status: 'blocked', grants: [voucher] },
  ])('is read as it was written: %j', (member) => {
    expect(parseMember(member, fieldsOf(member))).toStrictEqual(member);
    // Few have vouchers, and the others have no field for them.
    expect(fieldsOf(member).has('vouchers')).toBe(member.grants.includes(voucher));
  });

  it('is unknown without a hash, and is nobody once it was merged', () => {
    expect(parseMember(anna, new Map())).toBeUndefined();
    const merged = new Map([...fieldsOf({ ...anna, status: 'active', grants: [] }), ['into', '"berit"']]);
    expect(parseMember(anna, merged)).toBeUndefined();
    const read = snapshot({ hash: [...merged].flat() });
    expect([read.member, read.mergedInto]).toEqual([undefined, 'berit']);
  });

  it('has grants with names', () => {
    expect([nameOfGrant('cake'), nameOfGrant(voucher)]).toEqual(['cake', 'card-7']);
    expect([benefitOfGrant('tea'), benefitOfGrant(voucher)]).toEqual(['tea', 'cake']);
  });

  it('of a test has a clock that is ahead until it ends', () => {
    expect(readClock(undefined, NOW)).toEqual({ movedMs: 0 });
    expect(readClock(`-500 ${NOW + 1}`, NOW)).toEqual({ movedMs: -500, clockEndsMs: NOW + 1 });
    expect(readClock(`-500 ${NOW}`, NOW)).toEqual({ movedMs: 0 });
    const read = snapshot({ hash: ['clock', `86400000 ${NOW + 1}`] });
    expect(countersOf(read).at).toBe('2026-11-22T12:00:00.000Z');
    expect(countersOf(snapshot({})).at).toBe('2026-11-21T12:00:00.000Z');
  });
});

describe('the units that are left of a limit', () => {
  const few = snapshot({
    uses: ['cake:*', '3', 'cake:*!over', '1'],
    holds: [
      'live',
      `${NOW + 1} cake:*=2/10 tea:*=1/1`,
      'other',
      `${NOW + 1} cake:*=1/10`,
      'over',
      `${NOW} cake:*=4/10`,
    ],
  });

  it('are less what was consumed, and what other calculations hold that have not ended', () => {
    expect(unitsLeft(few, 'cake:*', 10, [])).toBe(4);
    expect(unitsLeft(few, 'cake:*', 10, ['live', undefined])).toBe(6);
    expect(unitsLeft(few, 'cake:*', 5, [])).toBe(0);
    expect(unitsLeft(few, 'soup:*', 5, [])).toBe(5);
    expect(unitsConsumed(few, 'cake:*')).toEqual({ consumed: 3, overRedeemed: 1 });
    expect(unitsConsumed(few, 'soup:*')).toEqual({ consumed: 0, overRedeemed: 0 });
    expect(countersOf(few).left('cake:*', 10)).toBe(4);
    expect(countersOf(few).consumed('cake:*')).toBe(3);
    expect(countersOf(few).consumed('soup:*')).toBe(0);
    expect([few.held, few.isPartial]).toEqual([undefined, undefined]);
  });

  it('of a member with many holds are less their sum, without those of the calculation itself', () => {
    const many = snapshot({
      ...{ form: 1, held: ['cake:*', '7'] },
      holds: ['own', `${NOW + 1} cake:*=2/10`, 'ended', `${NOW} cake:*=3/10`],
    });
    expect([[], ['own'], ['own', 'ended'], ['another']].map((own) => unitsHeld(many, 'cake:*', own))).toEqual([
      7, 5, 5, 7,
    ]);
    expect(unitsHeld(many, 'tea:*', ['own'])).toBe(0);
    // A sum that lags behind never gives more than there is.
    expect(unitsHeld({ ...many, held: new Map([['cake:*', 1]]) }, 'cake:*', ['own'])).toBe(0);
  });

  it('are read with the member, or afterwards where there are too many counters', () => {
    const formOf = (form: number) => {
      const { held, isPartial } = snapshot({ form, held: ['cake:*', '7'] });
      return [held?.get('cake:*'), isPartial];
    };
    expect([0, 1, 2, 3].map(formOf)).toEqual([
      [undefined, undefined],
      [7, undefined],
      [7, true],
      [undefined, true],
    ]);
  });
});

describe('a counter that a person means', () => {
  const consumed = [
    'coffee:*',
    '2',
    'cake/card-7:*',
    '1',
    '@treats:2026-11',
    '5',
    'wine#oslo:2026-W47',
    '1',
    'none:*',
    '0',
    'coffee:*!over',
    '1',
  ];
  const read = snapshot({ uses: consumed });

  it.each([
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
  ])('as %s is found', (name, counters) => {
    expect(findCounters(read, name)).toEqual(counters);
  });
});

it('a loyalty ID is a member of one programme alone', () => {
  expect(memberToken('club', 'anna')).not.toBe(memberToken('clu', 'banna'));
});
