/** Members as they are written and changed: two who change one at once lose nothing, and all that are stored are found. */
import { expect, test } from 'vitest';
import { keepConfiguration, readKeptConfiguration } from '../../src/store/configurations.ts';
import { memberToken } from '../../src/store/keys.ts';
import { type Change, changeMember } from '../../src/store/member-changes.ts';
import { scanMembers } from '../../src/store/member-scan.ts';
import { replaceMember, writeMembers } from '../../src/store/member-writes.ts';
import { readMember, type StoredMember } from '../../src/store/members.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { ANNA, useFixture } from './fixture.ts';

const fixture = useFixture();
const anna: StoredMember = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: [] };
const gold = { ...anna, tier: 'gold' };
const stored = async () => (await readMember(fixture.store, { ...anna, token: ANNA }, false)).member;
const write = (member: StoredMember): Change<string> => ({ outcome: 'write', member });

test('a member is added only while there is none of the name', async () => {
  expect(await replaceMember(fixture.store, undefined, anna)).toBe(true);
  expect(await replaceMember(fixture.store, undefined, gold)).toBe(false);
  expect(await stored()).toEqual(anna);
});

test('members are written, and those that were as they are do not count', async () => {
  const berit = { ...anna, loyaltyId: 'berit' };
  expect(await writeMembers(fixture.store, [anna, berit])).toBe(2);
  expect(await writeMembers(fixture.store, [gold, berit])).toBe(1);
  expect(await writeMembers(fixture.store, [])).toBe(0);
});

test('a change sees what is stored, and is written or refused', async () => {
  const seen: (StoredMember | undefined)[] = [];
  const written = await changeMember(fixture.store, anna, (before) => {
    seen.push(before);
    return write(anna);
  });
  expect(written).toEqual({ outcome: 'write', member: anna });
  const refused = await changeMember(fixture.store, anna, (before) => {
    seen.push(before);
    return { outcome: 'refuse', refusal: 'no' };
  });
  expect(refused).toEqual({ outcome: 'refuse', refusal: 'no' });
  expect(seen).toEqual([undefined, anna]);
  expect(await stored()).toEqual(anna);
});

test('thirty changes of one member at once are thirty writes, and none is lost', async () => {
  await writeMembers(fixture.store, [anna]);
  let asked = 0;
  const changes = Array.from({ length: 30 }, (_, at) =>
    changeMember(fixture.store, anna, (before) => {
      asked += 1;
      return write({ ...anna, grants: [...before!.grants, `g${at}`] });
    }),
  );
  await Promise.all(changes);
  expect(asked).toBe(30);
  expect((await stored())!.grants).toEqual(Array.from({ length: 30 }, (_, at) => `g${at}`));
});

test('a change starts again where another process came between, and the next one does not suffer from its error', async () => {
  await writeMembers(fixture.store, [anna]);
  const tiers: (string | undefined)[] = [];
  const failed = changeMember(fixture.store, anna, () => {
    throw new Error('no decision');
  });
  const between = { isDone: false };
  const changed = changeMember(fixture.store, anna, (before) => {
    tiers.push(before!.tier);
    // Commands of one connection are carried out in their order, so this one comes before the write.
    if (!between.isDone) void replaceMember(fixture.store, anna, gold);
    between.isDone = true;
    return write({ ...before!, grants: ['tea'] });
  });
  await expect(failed).rejects.toThrow('no decision');
  await changed;
  expect(tiers).toEqual([undefined, 'gold']);
  expect(await stored()).toEqual({ ...gold, grants: ['tea'] });
});

test('a member that others change again and again is given up after a hundred tries', async () => {
  await writeMembers(fixture.store, [anna]);
  let tries = 0;
  const changed = changeMember(fixture.store, anna, () => {
    tries += 1;
    const before = tries === 1 ? anna : { ...anna, tier: `t${tries - 1}` };
    void replaceMember(fixture.store, before, { ...anna, tier: `t${tries}` });
    return write(anna);
  });
  await expect(changed).rejects.toMatchObject({ message: expect.stringContaining('again and again') });
  expect(tries).toBe(100);
});

test('every stored member is found once the scan is through, and one that was or is being merged is none', async () => {
  const many = Array.from({ length: 600 }, (_, at) => ({ ...anna, loyaltyId: `member-${at}`, tier: 'gold' }));
  await writeMembers(fixture.store, [...many, { ...anna, loyaltyId: 'Half \ud83d', grants: ['tea'] }]);
  await mergeMembers(fixture.store, anna.programmeId, 'member-0', 'member-1');
  const half = fixture.store.keys.member(memberToken(anna.programmeId, 'member-2'));
  await fixture.redis.client.hset(half, 'into', '"member-1"');
  const found = new Map<string, StoredMember>();
  const shares: number[] = [];
  for await (const { members, share } of scanMembers(fixture.store)) {
    for (const member of members) found.set(member.loyaltyId, member);
    shares.push(share);
  }
  expect(found.size).toBe(599);
  expect(['member-0', 'member-2'].map((name) => found.has(name))).toEqual([false, false]);
  expect(found.get('Half \ud83d')).toEqual({ ...anna, loyaltyId: 'Half \ud83d', grants: ['tea'] });
  expect(shares.length).toBeGreaterThan(2);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect([shares[0]! < 0.5, shares.at(-1)]).toEqual([true, 1]);
});

test('a configuration is kept a day longer than what was sold by it', async () => {
  const { redis, store } = fixture;
  expect(await readKeptConfiguration(store, 'v1')).toBeUndefined();
  const longer = { ...store, periods: { ...store.periods, soldMs: 10 * 86_400_000 } };
  await keepConfiguration(longer, 'v1', Buffer.from('programmes: []'));
  expect((await readKeptConfiguration(store, 'v1'))?.toString()).toBe('programmes: []');
  const days = (await redis.client.pttl(store.keys.configuration('v1'))) / 86_400_000;
  expect(days).toBeGreaterThan(10.99);
  expect(days).toBeLessThanOrEqual(11);
});

test('another programme has members of its own', async () => {
  await writeMembers(fixture.store, [gold, { ...anna, programmeId: 'tea-club' }]);
  const other = { programmeId: 'tea-club', loyaltyId: 'anna', token: memberToken('tea-club', 'anna') };
  expect((await readMember(fixture.store, other, false)).member).toEqual({ ...anna, programmeId: 'tea-club' });
  expect(await stored()).toEqual(gold);
});
