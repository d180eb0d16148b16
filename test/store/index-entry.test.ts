/** The entry of a calculation ID: who may take it over and when, and what is told on the way. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DeadlinePassed } from '../../src/redis/failure.ts';
import {
  buryIndexEntry,
  claimIndexEntry,
  markClaim,
  parseIndexEntry,
  readIndexEntry,
} from '../../src/store/index-entry.ts';
import { ANNA, BERIT, calculate, report, useFixture } from './fixture.ts';

const fixture = useFixture();
const claim = (calculationId: string, member = BERIT, remainingMs = () => 400) =>
  claimIndexEntry(fixture.store, calculationId, member, remainingMs);

/** A call that has so many looks at its time. */
function patient(looks: number): () => number {
  let left = looks;
  return () => (left-- > 0 ? 400 : 0);
}

test('a call without time claims nothing', async () => {
  const calculationId = randomUUID();
  await expect(claim(calculationId, ANNA, () => 0)).rejects.toThrow(DeadlinePassed);
  expect(await readIndexEntry(fixture.store, calculationId)).toBeUndefined();
});

test('a claim of another member stands until its deadline, and nobody takes it over before', async () => {
  for (;;) {
    const [calculationId, startMs] = [randomUUID(), performance.now()];
    await claim(calculationId, ANNA);
    const taken = await claim(calculationId, BERIT, patient(4)).catch((error: Error) => error.message);
    const entry = await readIndexEntry(fixture.store, calculationId);
    // A pause is another deadline that has passed.
    if (performance.now() - startMs >= 400) continue;
    expect([taken, entry?.member]).toEqual(['another call holds this calculation ID', ANNA]);
    return;
  }
});

test('a tombstone that comes too late is not written', async () => {
  const calculationId = randomUUID();
  const late = buryIndexEntry(fixture.store, calculationId, { kind: 'sale', outcome: 'failed' }, { deadlineMs: 1 });
  await expect(late).rejects.toThrow('the deadline has passed');
  expect(await readIndexEntry(fixture.store, calculationId)).toBeUndefined();
});

test.each(['', ANNA, `${ANNA} print x -`, ` ${ANNA} print 5 -`])('%j is no entry', (text) => {
  expect(() => parseIndexEntry(text)).toThrow('An index entry is not of its form.');
});

describe('whoever takes an ID over is told', () => {
  /** Anna's commit, whose answer is not replayed any more. */
  async function forget(): Promise<string> {
    const { calculationId } = (await calculate(fixture)).commit;
    await fixture.redis.client.del(fixture.store.keys.answer(ANNA, calculationId));
    await sleep(2);
    return calculationId;
  }

  test('of nothing, when nothing was told', async () => {
    expect(await claim(await forget())).toEqual({ outcome: 'claimed', tombstone: undefined });
  });

  test('of the successor, by its ID', async () => {
    const [calculationId, by] = [await forget(), randomUUID()];
    await calculate(fixture, { calculationId: by, uses: [], supersedes: { calculationId, member: ANNA } });
    expect(await claim(calculationId)).toEqual({ outcome: 'claimed', tombstone: { kind: 'superseded', by } });
  });

  test('of the successor that the entry names', async () => {
    const [calculationId, by] = [await forget(), randomUUID()];
    await markClaim(fixture.store, calculationId, ANNA, { kind: 'superseded', by });
    expect(await claim(calculationId)).toEqual({ outcome: 'claimed', tombstone: { kind: 'superseded', by } });
  });

  test('of the sale, whatever successor the entry names', async () => {
    const calculationId = await forget();
    await report(fixture, calculationId, 'applied');
    await markClaim(fixture.store, calculationId, ANNA, { kind: 'superseded', by: randomUUID() });
    expect(await claim(calculationId)).toMatchObject({ tombstone: { kind: 'sale', outcome: expect.any(String) } });
  });
});
