/** The first trip of a calculation: all or nothing, nothing for a known ID or an empty bucket, and a claim that can go. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { claimIndexEntry, markClaim, readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/members.ts';
import { canOpen, dropClaim, type OpeningRequest, openCalculation } from '../../src/store/opening.ts';
import { findKnownRefusal, takeToken } from '../../src/store/rate-limit.ts';
import { ANNA, BERIT, calculate, openStore, useFixture } from './fixture.ts';

const fixture = useFixture();

const LIMIT = { sustained: 0.001, burst: 3 };

function requestOf(more: Partial<OpeningRequest> = {}): OpeningRequest {
  const member = { token: ANNA, programmeId: 'coffee-club', loyaltyId: 'anna' };
  return { calculationId: randomUUID(), member, fingerprint: 'print', withUses: true, remainingMs: 5000, ...more };
}

/** Opens a calculation on a connection that knows its Redis' clock. */
async function open(more: Partial<OpeningRequest> = {}, limit = { sustained: 1000, burst: 1000 }) {
  await takeToken(fixture.store, { sustained: 1000, burst: 1000 }, 'basket');
  await fixture.redis.client.del(fixture.store.keys.rate());
  const request = requestOf(more);
  return { request, ...(await openCalculation(fixture.store, limit, request)) };
}

const keysBut = async (...left: string[]) =>
  (await fixture.redis.client.keys('*')).filter((key) => !left.includes(key)).sort();

test('an ID that nobody has seen: token, claim, note and member at once', async () => {
  const { redis, store } = fixture;
  const member = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: ['cake'] } as const;
  await writeMembers(store, [member]);
  await calculate(fixture);
  const { request, ...opened } = await open();
  if (opened.outcome !== 'opened') throw new Error(opened.outcome);
  expect(opened.snapshot).toMatchObject({ member, holds: [{ units: new Map([['coffee:*', 1]]) }] });
  const [seconds] = (await redis.client.time()).map(Number) as [number, number];
  expect(Math.abs(opened.snapshot.nowMs - seconds * 1000)).toBeLessThan(5000);
  expect(await redis.client.get(store.keys.index(request.calculationId))).toBe(opened.claim);
  expect(opened.claim).toBe(`${ANNA} print ${opened.snapshot.nowMs + 5000} -`);
  const list = store.keys.due(Number.parseInt(request.calculationId.slice(-2), 16) % 4);
  expect(await redis.client.zscore(list, request.calculationId)).toMatch(/^\d+$/);
  expect(await redis.client.exists(store.keys.rate())).toBe(1);
});

test('a known ID costs its token and writes nothing', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const entry = await redis.client.get(store.keys.index(commit.calculationId));
  const before = await keysBut();
  const opened = await open({ calculationId: commit.calculationId });
  expect(opened).toMatchObject({ outcome: 'known', entry });
  expect(await keysBut(store.keys.rate())).toEqual(before);
  expect(await redis.client.get(store.keys.index(commit.calculationId))).toBe(entry);
});

test('an empty bucket: the rest is not done, and for a second calls ask for the token alone', async () => {
  const { store } = fixture;
  for (let call = 0; call < LIMIT.burst; call += 1) {
    const opened = await openCalculation(store, LIMIT, requestOf());
    expect(opened.outcome).toBe('opened');
  }
  await fixture.redis.client.del(await fixture.redis.client.keys('*:index:*'));
  const before = await keysBut();
  const refused = await openCalculation(store, LIMIT, requestOf());
  if (refused.outcome !== 'refused') throw new Error(refused.outcome);
  expect(refused.retryAfterSeconds).toBeGreaterThan(900);
  expect(await keysBut()).toEqual(before);
  expect(canOpen(store)).toBe(false);
});

test('too late by the clock of Redis: no token and no claim', async () => {
  const opened = await open({ remainingMs: 20 });
  expect(opened.outcome).toBe('too_late');
  expect(await keysBut()).toEqual([]);
});

test('a call that was let in leaves the next one free to begin in the same way', async () => {
  const store = await openStore(fixture.redis);
  await takeToken(store, { sustained: 1000, burst: 1000 }, 'basket');
  expect((await openCalculation(store, LIMIT, requestOf())).outcome).toBe('opened');
  expect(canOpen(store)).toBe(true);
  store.connection.close();
});

test('a refused sale event stands in the way of no basket, and is known to be refused until there is a token', async () => {
  const store = await openStore(fixture.redis);
  const limit = { sustained: 0.001, burst: 2 };
  const take = async (kind: 'basket' | 'sale') => (await takeToken(store, limit, kind)).isAllowed;
  expect([await take('sale'), findKnownRefusal(store, 'sale'), await take('sale')]).toEqual([true, undefined, false]);
  expect(findKnownRefusal(store, 'sale')).toMatchObject({ isAllowed: false });
  expect([canOpen(store), findKnownRefusal(store, 'basket')]).toEqual([true, undefined]);
  expect([await take('basket'), await take('basket')]).toEqual([true, false]);
  expect([canOpen(store), findKnownRefusal(store, 'basket')]).toMatchObject([false, { isAllowed: false }]);
  store.connection.close();
});

test('a bucket that is none is an error of the call: on one server no process limits by itself', async () => {
  const { redis, store } = fixture;
  await redis.client.lpush(store.keys.rate(), 'no bucket');
  await expect(takeToken(store, LIMIT, 'basket')).rejects.toThrow('WRONGTYPE');
});

test('on one server that is away a call fails, and no process limits by itself', async () => {
  const store = await openStore(fixture.redis);
  store.connection.close();
  await expect(takeToken(store, LIMIT, 'basket')).rejects.toThrow(StoreUnavailable);
});

test('a connection opens nothing before it knows the clock', async () => {
  const store = await openStore(fixture.redis);
  expect(canOpen(store)).toBe(false);
  await takeToken(store, { sustained: 1000, burst: 1000 }, 'basket');
  expect(canOpen(store)).toBe(true);
  store.connection.close();
});

test('a claim that nobody built on can be taken back', async () => {
  const { request, ...opened } = await open();
  if (opened.outcome !== 'opened') throw new Error(opened.outcome);
  await dropClaim(fixture.store, request.calculationId, opened.claim);
  expect(await readIndexEntry(fixture.store, request.calculationId)).toBeUndefined();
});

test.each([5000, 1])('a second call of the member keeps the claim, with %i ms left', async (remainingMs) => {
  const { store } = fixture;
  const { request, ...opened } = await open();
  if (opened.outcome !== 'opened') throw new Error(opened.outcome);
  const { calculationId } = request;
  expect(await claimIndexEntry(store, calculationId, ANNA, 'other', () => remainingMs)).toMatchObject({
    outcome: 'claimed',
  });
  await dropClaim(store, calculationId, opened.claim);
  expect((await readIndexEntry(store, calculationId))?.member).toBe(ANNA);
});

test('a tombstone on the claim keeps it', async () => {
  const { store } = fixture;
  const { request, ...opened } = await open();
  if (opened.outcome !== 'opened') throw new Error(opened.outcome);
  const tombstone = { kind: 'superseded', by: randomUUID() } as const;
  await markClaim(store, request.calculationId, ANNA, tombstone);
  await dropClaim(store, request.calculationId, opened.claim);
  expect((await readIndexEntry(store, request.calculationId))?.tombstone).toEqual(tombstone);
});

test('another member takes an opened claim over when its call is past, as any other', async () => {
  const { store } = fixture;
  const { request } = await open({ remainingMs: 100 });
  await sleep(110);
  expect(await claimIndexEntry(store, request.calculationId, BERIT, 'print', () => 400)).toMatchObject({
    outcome: 'claimed',
  });
});
