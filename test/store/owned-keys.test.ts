/**
 * A key of a member or a calculation is declared once (src/store/owned-keys.ts). Here more keys are declared, of each kind, and
 * all that happens to a member happens to them too. Whatever a life of a member leaves in Redis is declared.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { copyMember } from '../../src/administration/member-copy.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { createKeys, type MemberToken } from '../../src/store/keys.ts';
import { ageCalculations } from '../../src/store/member-clock.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { type CalculationKey, type MemberKey, OWNED_KEYS, type OwnedKeys } from '../../src/store/owned-keys.ts';
import { bookReturn } from '../../src/store/returns.ts';
import type { Store } from '../../src/store/store.ts';
import { describeNothing, erase } from '../support/plain-books.ts';
import { ANNA, BERIT, calculate, commitOf, report, useFixture } from './fixture.ts';
import { anna, berit, CLUB, COFFEE } from './merge-fixture.ts';

const fixture = useFixture();
const KINDS = ['hash', 'string', 'sorted set'] as const;
const BEGIN = { hash: 'notes', string: 'motto', 'sorted set': 'ranks' } as const;
const names = Object.values(BEGIN);

/** Another key of each kind. */
function more<Declared>(rest: Omit<Declared, 'prefix' | 'kind'>): Record<string, Declared> {
  return Object.fromEntries(KINDS.map((kind) => [BEGIN[kind], { prefix: BEGIN[kind], kind, ...rest } as Declared]));
}

const owned: OwnedKeys = {
  // Before the others, because the order of declarations has no meaning.
  calculation: { ...more<CalculationKey>({ kept: 'as the record', copy: 'as it stands' }), ...OWNED_KEYS.calculation },
  member: { ...OWNED_KEYS.member, ...more<MemberKey>({ merge: 'joined', clock: 'aged', copy: 'as it stands' }) },
};
const [KEPT_MS, SOLD_MS] = [120_000, 900_000];
/** A test itself may take so long. */
const LONGEST_TEST_MS = 15_000;

let store: Store;
beforeEach(() => {
  const { connection, periods } = fixture.store;
  store = { connection, keys: createKeys('test', owned), periods: { ...periods, soldMs: SOLD_MS } };
});

const keysOf = (member: MemberToken, calculationId?: string) =>
  (calculationId === undefined
    ? store.keys.ofMember(member)
    : store.keys.ofCalculation(member, calculationId)) as Readonly<Record<string, string>>;

/** Writes the keys of each kind. */
async function write(keys: Readonly<Record<string, string>>, lastsMs: number, word = 'x'): Promise<void> {
  const { client } = fixture.redis;
  await client.hset(keys['notes']!, { both: word, [word]: 'own' });
  await client.set(keys['motto']!, `motto ${word}`);
  await client.zadd(keys['ranks']!, '7', word, '8', `${word}${word}`);
  for (const name of names) await client.pexpire(keys[name]!, lastsMs);
}

async function read(keys: Readonly<Record<string, string>>) {
  const { client } = fixture.redis;
  return [
    await client.hgetall(keys['notes']!),
    await client.get(keys['motto']!),
    await client.zrange(keys['ranks']!, '0', '-1', 'WITHSCORES'),
  ];
}
const WRITTEN = [{ both: 'x', x: 'own' }, 'motto x', ['x', '7', 'xx', '8']];
const NOTHING = [{}, null, []];

const left = (keys: Readonly<Record<string, string>>) =>
  Promise.all(names.map((name) => fixture.redis.client.pttl(keys[name]!)));
const areAbout = (lifetimes: readonly number[], milliseconds: number) =>
  lifetimes.every((each) => each <= milliseconds && each > milliseconds - LONGEST_TEST_MS);

describe('another key of a calculation', () => {
  let id: string;
  beforeEach(async () => {
    await writeMembers(store, [anna, berit]);
    const { commit } = await calculate({ ...fixture, store }, { uses: COFFEE });
    id = commit.calculationId;
    await write(keysOf(ANNA, id), KEPT_MS);
  });

  test('moves in a merge, with the time that it has left', async () => {
    expect(await mergeMembers(store, CLUB, 'anna', 'berit')).toMatchObject({ merged: { calculations: 1, holds: 1 } });
    expect(await read(keysOf(BERIT, id))).toEqual(WRITTEN);
    expect(areAbout(await left(keysOf(BERIT, id)), KEPT_MS)).toBe(true);
    expect(await read(keysOf(ANNA, id))).toEqual(NOTHING);
  });

  test('is in the copy for the member', async () => {
    expect(await copyMember(store, CLUB, 'anna')).toMatchObject({
      calculations: [
        { calculationId: id, notes: { both: 'x', x: 'own' }, motto: 'motto x', ranks: { x: '7', xx: '8' } },
      ],
    });
  });

  test('ends sooner by a moved clock', async () => {
    await ageCalculations(store, ANNA, KEPT_MS / 4);
    expect(areAbout(await left(keysOf(ANNA, id)), (KEPT_MS * 3) / 4)).toBe(true);
    await report({ ...fixture, store }, id, 'applied');
    await ageCalculations(store, ANNA, SOLD_MS);
    expect(await read(keysOf(ANNA, id))).toEqual(NOTHING);
    expect(await fixture.redis.client.exists(...Object.values(keysOf(ANNA, id)))).toBe(0);
  });

  test('is kept as long as its record, longer once it is sold', async () => {
    await report({ ...fixture, store }, id, 'applied');
    const keys = keysOf(ANNA, id);
    expect(areAbout([await fixture.redis.client.pttl(keys['calculation']!), ...(await left(keys))], SOLD_MS)).toBe(
      true,
    );
  });

  test('is erased with the member', async () => {
    await erase(store, ANNA);
    expect(await fixture.redis.client.keys(`*{${ANNA}}*`)).toEqual([]);
  });
});

describe('another key of a member', () => {
  beforeEach(async () => {
    await writeMembers(store, [anna, berit]);
    await write(keysOf(ANNA), KEPT_MS);
  });

  test('goes to the other member in a merge', async () => {
    await mergeMembers(store, CLUB, 'anna', 'berit');
    expect(await read(keysOf(BERIT))).toEqual(WRITTEN);
    expect(areAbout(await left(keysOf(BERIT)), KEPT_MS)).toBe(true);
    expect(await read(keysOf(ANNA))).toEqual(NOTHING);
  });

  test('adds what the other member does not have, and is kept for the longer time', async () => {
    await write(keysOf(BERIT), 2 * KEPT_MS, 'y');
    await mergeMembers(store, CLUB, 'anna', 'berit');
    expect(await read(keysOf(BERIT))).toEqual([
      ...[{ both: 'y', y: 'own', x: 'own' }, 'motto y'],
      ['x', '7', 'y', '7', 'xx', '8', 'yy', '8'],
    ]);
    expect(areAbout(await left(keysOf(BERIT)), 2 * KEPT_MS)).toBe(true);
  });

  test('is in the copy for the member', async () => {
    expect(await copyMember(store, CLUB, 'anna')).toMatchObject({
      ...{ notes: { both: 'x', x: 'own' }, motto: 'motto x', ranks: { x: '7', xx: '8' } },
    });
  });

  test('ends sooner by a moved clock', async () => {
    await ageCalculations(store, ANNA, KEPT_MS / 4);
    expect(areAbout(await left(keysOf(ANNA)), (KEPT_MS * 3) / 4)).toBe(true);
  });

  test('is erased with the member', async () => {
    await erase(store, ANNA);
    expect(await fixture.redis.client.keys(`*{${ANNA}}*`)).toEqual([]);
  });
});

test('whatever a life of a member leaves in Redis is declared, and of its kind; what is of a calculation ends', async () => {
  const { client } = fixture.redis;
  const { connection, keys, periods } = fixture.store;
  const lived: Store = { connection, keys, periods: { ...periods, soldMs: SOLD_MS } };
  const life = { ...fixture, store: lived };
  const voucher = { benefitId: 'cake', grantId: 'card-7', quantity: 1 };
  await writeMembers(lived, [{ ...anna, grants: [voucher] }, berit]);
  const uses = [{ usageKey: 'coffee:*', units: 1, limit: 99 }];
  for (let open = 0; open < 40; open += 1) await calculate(life, { uses });
  const commit = commitOf({ uses, given: { programmeId: CLUB, currency: 'NOK', benefits: [] } });
  await commitCalculation(lived, { ...commit, kept: Buffer.from('basket') });
  await report(life, commit.calculationId, 'applied');
  const sold = (await findAnswered(lived, commit.calculationId))!;
  const answer = { refund: 1, lines: [], kept: [] };
  const booked = await bookReturn(lived, sold, { returnId: 'r-1', answer, givenBack: [] }, 0, describeNothing);
  expect(booked.outcome).toBe('booked');
  await mergeMembers(lived, CLUB, 'anna', 'berit');

  const declared: (CalculationKey | MemberKey)[] = Object.values({ ...keys.owned.calculation, ...keys.owned.member });
  const found = await client.keys(`*{${BERIT}}*`);
  const seen = new Set<string>();
  for (const key of found) {
    const [, prefix = '', calculationId] = /^loyalty:test:([\w-]+):\{.*\}(?::(.*))?$/.exec(key)!;
    const own = declared.find((each) => each.prefix === prefix);
    expect([key, own?.kind]).toEqual([key, (await client.type(key)).replace('zset', 'sorted set')]);
    seen.add(prefix);
    if (calculationId === undefined) continue;
    const lastsMs = own && 'kept' in own && own.kept === 'as an answer' ? periods.idempotencyMs : SOLD_MS;
    const lifetimeMs = await client.pttl(key);
    expect([key, lifetimeMs > 0 && lifetimeMs <= lastsMs]).toEqual([key, true]);
  }
  expect([...seen].sort()).toEqual(declared.map(({ prefix }) => prefix).sort());
});
