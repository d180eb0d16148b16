/** Members spread over the masters of a cluster, however a shop numbers them. */
import { expect, test } from 'vitest';
import { slotOf } from '../../src/redis/key-slot.ts';
import { createKeys, memberToken } from '../../src/store/keys.ts';

const SLOTS = 16_384;
const MASTERS = 3;
const MEMBERS = 10_000;
const MOST_APART = 0.05;

const keys = createKeys('staging');

test.each<[string, (number: number) => string]>([
  ['numbers one after the other', (number) => String(100_000 + number)],
  ['telephone numbers', (number) => `+47900${String(number * 7).padStart(5, '0')}`],
  ['card numbers with a common beginning', (number) => `6340040000${String(number).padStart(6, '0')}`],
  ['mail addresses', (number) => `guest.${number}@example.org`],
])('%s: each master of three has its third of 10,000 members, within 5 %', (_, loyaltyIdOf) => {
  const shares = Array.from({ length: MASTERS }, () => 0);
  for (let number = 0; number < MEMBERS; number += 1) {
    const slot = slotOf(keys.member(memberToken('coffee-club', loyaltyIdOf(number))));
    shares[Math.floor((slot * MASTERS) / SLOTS)]! += 1;
  }
  for (const share of shares) {
    expect(Math.abs(share * MASTERS - MEMBERS) / MEMBERS).toBeLessThanOrEqual(MOST_APART);
  }
});
