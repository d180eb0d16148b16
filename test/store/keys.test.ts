/** The names of keys: what they keep apart, what they hide, and how members spread over the masters of a cluster. */
import { describe, expect, it, test } from 'vitest';
import { SLOTS, slotOf } from '../../src/redis/key-slot.ts';
import {
  counterToken,
  createKeys,
  DATASET_PARTS,
  EVENT_STREAMS,
  eventStream,
  memberToken,
  preferring,
} from '../../src/store/keys.ts';

const keys = createKeys('staging');
const anna = memberToken('club', 'anna');
const ID = '0190b5a4-7f1e-7cc1-9f00-0000000000';

describe('keys', () => {
  it('of one member are in one slot, whatever else they name', () => {
    const own = [
      ...[keys.member(anna), keys.merged(anna), keys.use(anna), keys.hold(anna), keys.held(anna), keys.holdsDue(anna)],
      ...[keys.calculation(anna, `${ID}00`), keys.answer(anna, `${ID}01`), keys.returns(anna, `${ID}02`)],
    ];
    expect(new Set(own.map(slotOf)).size).toBe(1);
    expect(new Set(own).size).toBe(own.length);
  });

  it('are of one environment, and no two are the same', () => {
    const builders = Object.entries(keys).flatMap(([name, build]) =>
      /^(of|every|others|kinds)[A-Z]|^owned$/.test(name) ? [] : [build],
    ) as ((...names: unknown[]) => string)[];
    const all = builders.map((nameOf) => nameOf(anna, `${ID}00`));
    for (const key of all) expect(key).toMatch(/^loyalty:staging:/);
    expect(new Set(all).size).toBe(builders.length);
  });

  it('hide loyalty IDs, and keep members, programmes and counters apart', () => {
    const tokens = [
      ...[anna, memberToken('club', 'berit'), memberToken('other', 'anna')],
      // As UTF-8, both halves of a character would be the same.
      ...[memberToken('club', '\ud800'), memberToken('club', '\udc00')],
      ...[counterToken('club', undefined, 'cake:*'), counterToken('club', 'oslo', 'cake:*')],
      counterToken('club', 'oslo', 'tea:*'),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/);
    expect(keys.receipt('anna')).not.toContain('anna');
  });

  it('of the marks of the data are one in each 32nd part of the slots', () => {
    const parts = DATASET_PARTS.map((part) => Math.floor((slotOf(keys.dataset(part)) * 32) / SLOTS));
    expect(parts).toEqual(Array.from({ length: 32 }, (_, part) => part));
    // Data that was marked before is found by the same names.
    const names = ['loyalty:staging:dataset:{10}', 'loyalty:staging:dataset:{113}', 'loyalty:staging:dataset:{40}'];
    expect([0, 1, 31].map(keys.dataset)).toEqual(names);
  });

  it('spread calculations over four streams, and name the others for when the first one is away', () => {
    expect(['00', '01', '0f', 'ff', '1e'].map((end) => eventStream(`${ID}${end}`))).toEqual([0, 1, 3, 3, 2]);
    expect(EVENT_STREAMS).toBe(4);
    expect(preferring(2, keys.events)).toEqual([2, 3, 0, 1].map(keys.events));
  });
});

const MEMBERS = 10_000;

test.each<[string, (number: number) => string]>([
  ['numbers one after the other', (number) => String(100_000 + number)],
  ['telephone numbers', (number) => `+47900${String(number * 7).padStart(5, '0')}`],
  ['card numbers with a common beginning', (number) => `6340040000${String(number).padStart(6, '0')}`],
  ['mail addresses', (number) => `guest.${number}@example.org`],
])('%s: each master of three has its third of 10,000 members, within 5 %', (_, loyaltyIdOf) => {
  const shares = [0, 0, 0];
  for (let number = 0; number < MEMBERS; number += 1) {
    const slot = slotOf(keys.member(memberToken('coffee-club', loyaltyIdOf(number))));
    shares[Math.floor((slot * shares.length) / SLOTS)]! += 1;
  }
  for (const share of shares) {
    expect(Math.abs(share * shares.length - MEMBERS) / MEMBERS).toBeLessThanOrEqual(0.05);
  }
});
