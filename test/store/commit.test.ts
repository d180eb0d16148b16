/** The commit: replay, conflict, shortage, too late, or everything at once (design of the commit, docs/architecture.md). */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commitCalculation, findAnswerBytes, findStoredAnswer } from '../../src/store/calculations.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { cutGiven } from '../../src/store/given.ts';
import { claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { ANNA, BERIT, calculate, commitOf, countUnits, report, useFixture } from './fixture.ts';

const fixture = useFixture();

test('the same ID for another member is read again once the first is committed', async () => {
  const { commit } = await calculate(fixture);
  const other = await calculate(fixture, { calculationId: commit.calculationId, member: BERIT });
  expect(other.outcome).toBe('changed');
  expect(await countUnits(fixture, BERIT)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a claim whose commit never came holds up another member for no longer than its call', async () => {
  const { store } = fixture;
  const calculationId = randomUUID();
  await claimIndexEntry(store, calculationId, ANNA, () => 80);
  const other = await calculate(fixture, { calculationId, member: BERIT });
  expect(other.outcome).toBe('committed');
  expect((await readIndexEntry(store, calculationId))?.member).toBe(BERIT);
});

test('a challenger waits for the commit of a claim in flight, and then reads again', async () => {
  const { store } = fixture;
  const commit = commitOf();
  await claimIndexEntry(store, commit.calculationId, ANNA, () => 400);
  const challenge = calculate(fixture, { calculationId: commit.calculationId, member: BERIT });
  const entry = await readIndexEntry(store, commit.calculationId);
  expect((await commitCalculation(store, { ...commit, entry })).outcome).toBe('committed');
  expect((await challenge).outcome).toBe('changed');
});

test('100 racing commits of one calculation in two bodies: one body wins every answer', async () => {
  const calculationId = randomUUID();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, index) => calculate(fixture, { calculationId, fingerprint: `print-${index % 2}` })),
  );
  const committed = outcomes.filter(({ outcome }) => outcome === 'committed');
  expect(committed).toHaveLength(1);
  const winner = committed[0]?.commit.fingerprint;
  for (const { outcome, commit } of outcomes) {
    if (commit.fingerprint === winner) expect(['committed', 'replay']).toContain(outcome);
    else expect(outcome).toBe('conflict');
  }
});

test('every key has a time to live', async () => {
  const { commit } = await calculate(fixture);
  await report(fixture, commit.calculationId, 'applied');
  await calculate(fixture, { member: BERIT });
  for (const key of await fixture.redis.client.keys('*')) {
    // The key of the pseudonyms is written by the first event of a process.
    const isKeptForGood = [':use:', ':events:', ':due:', ':pseudonym-key'].some((kept) => key.includes(kept));
    expect(`${key} ${(await fixture.redis.client.pttl(key)) > 0}`).toBe(`${key} ${!isKeptForGood}`);
  }
});

test('a kept basket of any length is cut into fields of the compact form, byte for byte, or not kept', async () => {
  const { store, redis } = fixture;
  for (const length of [0, 1, 63, 64, 65, 128, 129, 6_144, 14_336, 14_337]) {
    const kept = randomBytes(length);
    const { calculationId } = (await calculate(fixture, { kept, uses: [] })).commit;
    const isKept = length > 0 && length <= 14_336;
    expect((await findCalculation(store, calculationId))?.basket, `${length} bytes`).toEqual(isKept ? kept : undefined);
    const key = store.keys.calculation(ANNA, calculationId);
    expect(await redis.client.object('ENCODING', key), `${length} bytes`).toBe('listpack');
  }
});

test('what benefits give is in fields of 64 bytes, eight at most: the last one has the rest', () => {
  const lengthsOf = (count: number, programmeId = 'club') => {
    const benefits = Array.from({ length: count }, (_, at) => ({ benefitId: `a=${at}`, units: at, saved: 100 * at }));
    return cutGiven({ programmeId, currency: 'NOK', benefits }).map(({ length }) => length);
  };
  const few = lengthsOf(20);
  expect(few.length).toBeLessThan(8);
  expect(new Set(few.slice(0, -1))).toEqual(new Set([64]));
  const [last, ...others] = lengthsOf(90).toReversed();
  expect([others, last! > 64]).toEqual([Array(7).fill(64), true]);
  expect(lengthsOf(0, 'x'.repeat(64 - ' NOK'.length))).toEqual([64]);
});

test('a stored answer is given to its own body alone, with its venue and status; without its record there is none', async () => {
  const { redis, store } = fixture;
  const { commit } = await calculate(fixture);
  const { calculationId } = commit;
  const find = (print: string) => findStoredAnswer(store, calculationId, ANNA, () => print);
  const replay = { outcome: 'replay', stored: commit.stored, venueId: 'oslo-central', status: 'applied' };
  expect(await find('print')).toEqual(replay);
  expect(await find('other')).toEqual({ outcome: 'conflict' });
  expect(await findAnswerBytes(store, calculationId, ANNA)).toEqual(commit.stored);
  const never = () => {
    throw new Error('nothing to compare with');
  };
  expect(await findStoredAnswer(store, commitOf().calculationId, ANNA, never)).toEqual({ outcome: 'none' });
  await redis.client.del(store.keys.calculation(ANNA, calculationId));
  expect(await findStoredAnswer(store, calculationId, ANNA, never)).toEqual({ outcome: 'none' });
  // A record stays longer than its answer.
  const { commit: older } = await calculate(fixture, { uses: [] });
  await redis.client.del(store.keys.answer(ANNA, older.calculationId));
  expect(await findStoredAnswer(store, older.calculationId, ANNA, () => 'print')).toEqual({ outcome: 'none' });
  await redis.client.del(store.keys.answer(ANNA, calculationId));
  expect(await findAnswerBytes(store, calculationId, ANNA)).toBeUndefined();
});
