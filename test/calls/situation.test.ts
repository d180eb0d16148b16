/** The situation in which a basket is priced: its venue, its member, what is left of limits, and both clocks. */

import type { LimitedUse } from '@loyalty/engine/types';
import { expect, test } from 'vitest';
import { costFactsOf } from '../../src/calls/cost-facts.ts';
import { findPlace, headOf, readAsked, readCall } from '../../src/calls/read-call.ts';
import {
  atTime,
  findAvailable,
  findMember,
  judgeClock,
  readCommonOf,
  timeOfMember,
} from '../../src/calls/situation.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import type { MemberSnapshot } from '../../src/store/members.ts';
import type { Store } from '../../src/store/store.ts';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import type { BasketBody } from '../support/wire.ts';

const MINUTE_MS = 60_000;
const NOON = '2026-11-21T12:00:00+01:00';
const NOON_MS = Date.UTC(2026, 10, 21, 11);

const configuration = configurationOf({ requestedAt: { pastHours: 1, aheadMinutes: 5 } });
const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
const OSLO = environment.findVenue('oslo-central', '500123')!;

const snapshotOf = (more: Partial<MemberSnapshot> = {}): MemberSnapshot => ({
  ...{ nowMs: NOON_MS, movedMs: 0, member: undefined, consumed: new Map(), holds: [], ...more },
});

test('a clock that is ahead makes a basket later', () => {
  expect(timeOfMember(NOON, { movedMs: 5 * MINUTE_MS })).toBe('2026-11-21T11:05:00.000Z');
});

test('a clock that is behind makes a basket earlier', () => {
  expect(timeOfMember(NOON, { movedMs: -5 * MINUTE_MS })).toBe('2026-11-21T10:55:00.000Z');
});

test('a clock that nobody moved leaves the basket the time as its caller wrote it', () => {
  expect(timeOfMember(NOON, { movedMs: 0 })).toBe(NOON);
});

test('a basket at another time is otherwise the same', () => {
  const basket = basketOf();
  expect(atTime(basket, NOON)).toEqual({ ...basket, requestedAt: NOON });
});

test('a member of Redis comes before one of the file, and that one before none', () => {
  const stored = { programmeId: 'coffee-club', loyaltyId: 'member-twenty', status: 'paused', grants: [] } as const;
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf({ member: stored }))).toBe(stored);
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf())?.grants).toEqual(['twenty']);
  expect(findMember(environment, OSLO, 'nobody', snapshotOf())).toBeUndefined();
});

test('what is left of a limit: without what others hold, and of a limit over all members only with its counter', () => {
  const basket = { calculationId: 'own', supersedesCalculationId: 'before' };
  const hold = (calculationId: string, units: number) => ({
    ...{ calculationId, deadlineMs: NOON_MS + 1, units: new Map([['tea:*', units]]) },
  });
  const snapshot = snapshotOf({
    consumed: new Map([['tea:*', 1]]),
    holds: [hold('own', 100), hold('before', 100), hold('other', 2)],
  });
  const uses = [
    { usageKey: 'tea:*', limit: 10 },
    { usageKey: 'bun:*', limit: 5, of: 'venue' },
    { usageKey: 'cake:*', limit: 5, of: 'programme' },
  ] as unknown as LimitedUse[];
  const counters = new Map([['bun:*', { consumed: 1, held: 1 }]]) as never;
  const expected = { 'tea:*': 7, 'bun:*': 3, 'cake:*': 0 };
  expect(Object.fromEntries(findAvailable(basket, uses, snapshot, counters))).toEqual(expected);
});

test('a programme without limits over all members asks nothing of Redis', async () => {
  expect([...(await readCommonOf({} as Store, OSLO, basketOf()))]).toEqual([]);
});

test('a clock is compared in both directions', () => {
  const judge = (nowMs: number) => judgeClock(environment, { requestedAt: NOON }, snapshotOf({ nowMs }));
  expect(judge(NOON_MS - 5 * MINUTE_MS)).toEqual({ offsetMs: 5 * MINUTE_MS, isOff: false });
  expect(judge(NOON_MS - 5 * MINUTE_MS - 1)).toEqual({ offsetMs: 5 * MINUTE_MS + 1, isOff: true });
  expect(judge(NOON_MS + 60 * MINUTE_MS)).toEqual({ offsetMs: -60 * MINUTE_MS, isOff: false });
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

test('a body is read up to its price, with its key; a dry run has none', () => {
  const basket = basketOf([{}], { loyaltyId: 'Øyvind' });
  const body = Buffer.from(JSON.stringify(basket));
  const { loyaltyId, calculationId, currency, requestedAt, context } = basket;
  const head = { calculationId, loyaltyId, currency, requestedAt, venueId: context.venueId, baxId: context.baxId };
  const read = readCall(environment, body, calculationId);
  expect(read).toMatchObject({ body, head, venue: OSLO });
  expect('supersedesCalculationId' in (read as { head: object }).head).toBe(false);
  const successor = { ...basket, supersedesCalculationId: calculationId.replace(/^./, '0') };
  expect(headOf(successor).supersedesCalculationId).toBe(calculationId.replace(/^./, '0'));
  const [otherKey, noJson, strange] = [
    readCall(environment, body, 'other'),
    readAsked(Buffer.from('{'), undefined),
    readCall(environment, Buffer.from(JSON.stringify({ ...basket, currency: 'SEK' })), calculationId),
  ] as { refusal: { code: string }; venue?: unknown }[];
  expect([otherKey?.refusal.code, otherKey?.venue, noJson?.refusal.code]).toEqual([
    ...['invalid_request', undefined, 'invalid_request'],
  ]);
  expect([strange?.refusal.code, strange?.venue]).toEqual(['unknown_currency', OSLO]);
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
