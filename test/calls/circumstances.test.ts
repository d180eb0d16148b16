/** Before a basket is priced: which member counts, which of several faults of a readable body is told, and by whom costs are counted. */
import { expect, test } from 'vitest';
import { findMember } from '../../src/calls/circumstances.ts';
import { costFactsOf } from '../../src/calls/cost-facts.ts';
import { findPlace, readAsked } from '../../src/calls/read-call.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import type { MemberSnapshot } from '../../src/store/members.ts';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import type { BasketBody } from '../support/wire.ts';

const environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
const OSLO = environment.findVenue('oslo-central', '500123')!;

const snapshotOf = (more: Partial<MemberSnapshot> = {}): MemberSnapshot => ({
  ...{ nowMs: 0, movedMs: 0, member: undefined, consumed: new Map(), holds: [], ...more },
});

test('a member of Redis comes before one of the file, and that one before none', () => {
  const stored = { programmeId: 'coffee-club', loyaltyId: 'member-twenty', status: 'paused', grants: [] } as const;
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf({ member: stored }))).toBe(stored);
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf())?.grants).toEqual(['twenty']);
  expect(findMember(environment, OSLO, 'nobody', snapshotOf())).toBeUndefined();
});

const asked = (more: Partial<BasketBody>) => {
  const read = readAsked(Buffer.from(JSON.stringify(basketOf([{}], more))), undefined);
  if ('refusal' in read) throw new Error(read.refusal.message);
  return read;
};
const placeOf = (more: Partial<BasketBody>) => {
  const place = findPlace(environment, asked(more));
  return 'refusal' in place ? [place.refusal, place.venue?.venueId] : place.venue.venueId;
};

test('venue, currency and amounts are judged in this order', () => {
  const wrong = { totals: { ...basketOf().totals, total: 1 } };
  const context = { ...basketOf().context, baxId: '600200' };
  expect(placeOf({})).toBe('oslo-central');
  expect(placeOf({ ...wrong, context, currency: 'SEK' })).toEqual([
    expect.objectContaining({
      code: 'venue_not_configured',
      details: { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' },
    }),
    undefined,
  ]);
  expect(placeOf({ ...wrong, currency: 'SEK' })).toEqual([
    expect.objectContaining({
      code: 'unknown_currency',
      details: { field: '/currency', expected: 'NOK', received: 'SEK' },
    }),
    'oslo-central',
  ]);
  expect(placeOf(wrong)).toEqual([
    expect.objectContaining({
      code: 'arithmetic_mismatch',
      message: '/totals/total: expected 10000, received 1.',
      details: { field: '/totals/total', expected: 10000, received: 1 },
    }),
    'oslo-central',
  ]);
});

test('costs are counted by tier, and by the shares that a programme divides its members into', () => {
  const member = { programmeId: 'coffee-club', loyaltyId: 'a', status: 'active', tier: 'gold', grants: [] } as const;
  expect(costFactsOf(OSLO.programme, undefined)).toStrictEqual({});
  expect(costFactsOf(OSLO.programme, member)).toStrictEqual({ tier: 'gold' });
  const share = (salt: string, from: number, below: number) => ({ share: { from, below, salt } });
  const benefits = [
    { ...TWENTY, benefitId: 'spring', when: share('spring', 0, 100) },
    { ...TWENTY, benefitId: 'autumn', when: share('autumn', 0, 100) },
  ];
  const divided = loadEnvironment(JSON.stringify(configurationOf({ programme: { benefits }, members: [] })), 'e.yaml');
  const facts = costFactsOf(divided.venues[0]!.programme, member);
  expect(facts).toEqual({ tier: 'gold', share: 'autumn 0-100, spring 0-100' });
  expect(costFactsOf(divided.venues[0]!.programme, member)).toEqual(facts);
});
