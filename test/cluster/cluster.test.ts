/** The store on a real Redis Cluster: one slot per script, sales and supersessions across slots, a master that dies. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { inspectSettings } from '../../src/redis/server-checks.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { ageCalculations, moveClock } from '../../src/store/member-clock.ts';
import { scanMembers } from '../../src/store/member-scan.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { readMember, unitsLeft } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { runInRunbook } from '../deploy/runbook-shell.ts';
import { calculate, report } from '../store/fixture.ts';
import { erase } from '../support/plain-books.ts';
import { until } from '../support/wait.ts';
import { useCluster } from './use-cluster.ts';

const PROGRAMME = 'coffee-club';
const LIMIT = 3;

const on = useCluster();
const uses = (units = 1) => [{ usageKey: 'coffee:*', units, limit: LIMIT }];

/** Units left for a calculation nobody knows. */
async function left(loyaltyId: string): Promise<number> {
  const member = { token: memberToken(PROGRAMME, loyaltyId), programmeId: PROGRAMME, loyaltyId };
  return unitsLeft(await readMember(on.store, member, true), 'coffee:*', LIMIT, []);
}

test('the commands of the runbook reach every slot', () => {
  const set = runInRunbook(
    'redis SET runbook-a 1; redis SET runbook-b 2; redis MGET runbook-b; redis DEL runbook-a; redis DEL runbook-b',
    {
      REDIS_URL: on.cluster.url,
    },
  );
  expect(set).toBe('OK\nOK\n2\n1\n1\n');
});

test('members, calculations and events spread over all masters, and no script crosses a slot', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `member-${index}`);
  await writeMembers(
    on.store,
    names.map((loyaltyId) => ({ programmeId: PROGRAMME, loyaltyId, status: 'active', grants: [] })),
  );
  await Promise.all(
    names.map(async (name) => {
      const { outcome, commit } = await calculate(on, { member: memberToken(PROGRAMME, name), uses: uses() });
      expect(outcome).toBe('committed');
      expect(await report(on, commit.calculationId, 'applied')).toMatchObject({ outcome: 'recorded' });
    }),
  );
  const masters = await on.cluster.masters();
  const sizes = await Promise.all(masters.map((port) => on.cluster.ask(port, (node) => node.dbsize())));
  expect(masters).toHaveLength(3);
  for (const size of sizes) expect(size).toBeGreaterThan(20);
  const found = [];
  for await (const { members } of scanMembers(on.store)) found.push(...members.map(({ loyaltyId }) => loyaltyId));
  expect(found.sort()).toEqual(names.sort());
});

test('a race for three units holds three', async () => {
  const member = memberToken(PROGRAMME, 'racer');
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => calculate(on, { member, uses: uses() })));
  expect(outcomes.filter(({ outcome }) => outcome === 'committed')).toHaveLength(LIMIT);
  expect(outcomes.filter(({ outcome }) => outcome === 'shortage')).toHaveLength(60 - LIMIT);
  expect(await left('racer')).toBe(0);
});

test('an erasure goes through all slots that name the member', async () => {
  const member = memberToken(PROGRAMME, 'leaver');
  const calls = await Promise.all(Array.from({ length: 12 }, () => calculate(on, { member, uses: [] })));
  // Another version of the service knows more keys.
  const unknown = calls.map(({ commit }) => `loyalty:test:note:{${member}}:${commit.calculationId}`);
  await Promise.all(unknown.map((key) => on.store.connection.run(key, (client) => client.set(key, 'note'))));
  expect(await erase(on.store, member)).toEqual({ member: false, calculations: 12 });
  expect(await on.store.connection.run(unknown[0]!, (client) => client.exists(...unknown))).toBe(0);
  const entries = calls.map(({ commit }) => readIndexEntry(on.store, commit.calculationId));
  expect((await Promise.all(entries)).filter((entry) => entry !== undefined)).toEqual([]);
});

test('a clock is moved in all slots that name the member', async () => {
  const member = memberToken(PROGRAMME, 'tester');
  const calls = await Promise.all(Array.from({ length: 12 }, () => calculate(on, { member, uses: [] })));
  const held = await calculate(on, { member, uses: uses(3) });
  expect(await left('tester')).toBe(0);
  const { holdMs, retentionMs } = on.store.periods;
  expect(await ageCalculations(on.store, member, holdMs)).toEqual({ calculations: 13, holds: 1, answers: 13 });
  expect(await left('tester')).toBe(3);
  const ids = [held, ...calls].map(({ commit }) => commit.calculationId);
  const kept = await Promise.all(
    ids.map((id) => on.store.connection.run(on.store.keys.index(id), (client, key) => client.pttl(key))),
  );
  for (const leftMs of kept) expect(leftMs).toBeLessThanOrEqual(retentionMs - holdMs);
  await moveClock(on.store, member, 1_000, 60_000);
  const named = { token: member, programmeId: PROGRAMME, loyaltyId: 'tester' };
  expect((await readMember(on.store, named, false)).movedMs).toBe(1_000);
});

test('members in two slots are merged, and what was open is sold with the counters of both', async () => {
  const named = (loyaltyId: string) => ({ programmeId: PROGRAMME, loyaltyId, status: 'active' as const, grants: [] });
  await writeMembers(on.store, [named('old card'), named('new card')]);
  const [from, into] = [memberToken(PROGRAMME, 'old card'), memberToken(PROGRAMME, 'new card')];
  const sold = await calculate(on, { member: from, uses: uses() });
  await report(on, sold.commit.calculationId, 'applied');
  const open = await calculate(on, { member: from, uses: uses() });
  const seen = await readIndexEntry(on.store, open.commit.calculationId);
  const both = await Promise.all([1, 2].map(() => mergeMembers(on.store, PROGRAMME, 'old card', 'new card')));
  expect(both.map(({ outcome }) => outcome)).toEqual(['merged', 'merged']);
  expect(await left('new card')).toBe(1);
  expect((await readIndexEntry(on.store, open.commit.calculationId))?.member).toBe(into);
  // This sale event has looked its calculation up before the merge.
  const reported = await report(on, open.commit.calculationId, 'applied', { seen });
  expect(reported).toMatchObject({ outcome: 'recorded', hold: 'consumed' });
  expect(await left('new card')).toBe(1);
});

test('superseding across slots releases the other member', async () => {
  const [swapped, card] = [memberToken(PROGRAMME, 'swapped'), memberToken(PROGRAMME, 'card')];
  const { commit } = await calculate(on, { member: swapped, uses: uses(3) });
  await calculate(on, {
    member: card,
    uses: uses(2),
    supersedes: { calculationId: commit.calculationId, member: swapped },
  });
  expect([await left('swapped'), await left('card')]).toEqual([3, 1]);
  const unknown = randomUUID();
  await calculate(on, { member: card, uses: [], supersedes: { calculationId: unknown, member: undefined } });
  expect((await readIndexEntry(on.store, unknown))?.tombstone).toMatchObject({ kind: 'superseded' });
});

test('every server is checked by name', async () => {
  const details = async () => (await inspectSettings(on.store.connection)).map(({ detail }) => detail);
  const common = [
    /^appendfsync is everysec/,
    /^min-replicas-to-write is 0/,
    /^cluster-require-full-coverage is yes/,
  ].map((told) => expect.stringMatching(told));
  expect(await details()).toEqual(common);
  const [port] = await on.cluster.masters();
  await on.cluster.ask(port as number, (node) => node.config('SET', 'maxmemory-policy', 'allkeys-lru'));
  const faults = await details();
  expect(faults).toHaveLength(4);
  expect(faults).toEqual(
    expect.arrayContaining([...common, expect.stringMatching(`maxmemory-policy is allkeys-lru.*127.0.0.1:${port}`)]),
  );
  await on.cluster.ask(port as number, (node) => node.config('SET', 'maxmemory-policy', 'noeviction'));
});

test('while a master is killed and its replica promoted, no unit is sold twice and service comes back', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `failover-${index}`);
  const acknowledged = new Map(names.map((name) => [name, 0]));
  let isOver = false;
  const race = Promise.all(
    names.map(async (name) => {
      while (!isOver) {
        const attempt = await calculate(on, { member: memberToken(PROGRAMME, name), uses: uses() }).catch((error) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          return undefined;
        });
        if (attempt?.outcome === 'committed') acknowledged.set(name, (acknowledged.get(name) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  const [victim] = await on.cluster.masters();
  await on.cluster.kill(victim as number);
  await until('a replica to be promoted', async () => (await on.cluster.masters()).length === 3, 20_000);
  await until('every member to be served again', async () => {
    const served = await Promise.all(
      names.map((name) =>
        left(name).then(
          () => true,
          () => false,
        ),
      ),
    );
    return served.every(Boolean);
  });
  isOver = true;
  await race;
  // A failover may lose the last moment, which gives units back; it never sells one twice.
  let lost = 0;
  for (const name of names) {
    const held = LIMIT - (await left(name));
    expect(held).toBeLessThanOrEqual(LIMIT);
    lost += Math.max(0, (acknowledged.get(name) ?? 0) - held);
  }
  process.stdout.write(
    `failover: ${[...acknowledged.values()].reduce((sum, count) => sum + count, 0)} holds acknowledged, ${lost} lost\n`,
  );
  const after = await calculate(on, { member: memberToken(PROGRAMME, 'after'), uses: uses() });
  expect(after.outcome).toBe('committed');
  expect(await report(on, after.commit.calculationId, 'applied')).toMatchObject({ outcome: 'recorded' });
});
