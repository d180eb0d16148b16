/** The mark of a set of data: data that is gone is told from a new Redis, on one server and on a cluster. */
import { describe, expect, test } from 'vitest';
import { DataGuard, requireData } from '../../src/store/data-guard.ts';
import { acceptData, findData, markData, nameData, noteOwnMembers, writeOwnMembers } from '../../src/store/dataset.ts';
import { DATASET_PARTS } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { ANNA, useFixture } from './fixture.ts';
import { failingStore } from './meddled-store.ts';
import { useOneNode } from './one-node.ts';

const OTHER = { name: 'another-set-of-data-22', hasMembers: true };
const none = () => Promise.resolve(false);
const some = () => Promise.resolve(true);

describe.each([
  ['one server', useFixture],
  ['a cluster', useOneNode],
])('on %s', (_, use) => {
  const fixture = use();

  async function named(hasMembers = none) {
    await nameData(fixture.store, hasMembers);
    const found = await findData(fixture.store, undefined);
    if (found.outcome !== 'whole') throw new Error(found.outcome);
    return found.dataset;
  }

  test('data that nothing names is new; it is named once, by whoever comes first', async () => {
    expect(await findData(fixture.store, undefined)).toEqual({ outcome: 'unnamed' });
    const dataset = await named();
    expect(dataset).toEqual({ name: expect.stringMatching(/^[\w-]{22}$/), hasMembers: false });
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'whole', dataset, isMarked: true });
    // Another process has other members, and takes the name as it is.
    expect(await named(some)).toEqual(dataset);
  });

  test('members that are in no file are noted: by their names, when they are written, and by themselves', async () => {
    const { name } = await named(some);
    expect(await findData(fixture.store, undefined)).toMatchObject({ dataset: { name, hasMembers: true } });
    const anna = { programmeId: 'coffee-club', loyaltyId: 'anna', status: 'active', grants: [] } as const;
    for (const note of [() => writeOwnMembers(fixture.store, [anna]), () => noteOwnMembers(fixture.store)]) {
      await fixture.redis.client.flushall();
      await named();
      const changed = await note();
      if (changed !== undefined) expect(changed).toBe(1);
      expect(await findData(fixture.store, undefined)).toMatchObject({ dataset: { hasMembers: true } });
    }
  });

  test('data that was there and is gone is missed, and so is data of another name, until it is accepted', async () => {
    expect(await findData(fixture.store, OTHER)).toEqual({ outcome: 'gone', servers: [] });
    const dataset = await named();
    expect(await findData(fixture.store, OTHER)).toEqual({ outcome: 'gone', servers: [] });
    expect(await acceptData(fixture.store)).toBe(dataset.name);
    expect(await findData(fixture.store, OTHER)).toEqual({ outcome: 'whole', dataset, isMarked: true });
  });

  test('an empty Redis that is accepted gets a name', async () => {
    const name = await acceptData(fixture.store);
    expect(name).toMatch(/^[\w-]{22}$/);
    const dataset = { name, hasMembers: false };
    expect(await findData(fixture.store, OTHER)).toEqual({ outcome: 'whole', dataset, isMarked: true });
  });

  test('a member who is not found was not lost if the data is there, or if none is expected', async () => {
    const { name } = await named();
    const required = (expected: string | undefined) =>
      requireData({ ...fixture.store, guard: { name: expected } }, ANNA);
    await requireData(fixture.store, ANNA);
    await required(undefined);
    await required(name);
    await expect(required(OTHER.name)).rejects.toThrow('the data is gone');
    await fixture.redis.client.flushall();
    await expect(required(name)).rejects.toMatchObject({ redisCause: 'data_gone' });
  });
});

describe('on a cluster, master by master', () => {
  const fixture = useOneNode();
  const server = () => fixture.store.connection.masters.places[0]!;
  const client = () => fixture.redis.client;
  const partKey = (part: number) => fixture.store.keys.dataset(part);

  async function begin() {
    await nameData(fixture.store, none);
    const name = (await client().hget(fixture.store.keys.format(), 'dataset'))!;
    return { name, hasMembers: false };
  }

  test('every part of the slots has the mark', async () => {
    const { name } = await begin();
    const marks = await Promise.all(DATASET_PARTS.map((part) => client().get(partKey(part))));
    expect(marks).toEqual(Array(32).fill(name));
  });

  test.each([
    ['came back empty', () => client().del(partKey(7))],
    ['has another mark', () => client().set(partKey(7), OTHER.name)],
    ['has another mark beside the format', () => client().hset(fixture.store.keys.format(), 'dataset', OTHER.name)],
  ])('a master that %s is named', async (_, lose) => {
    const dataset = await begin();
    await lose();
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'gone', servers: [server()] });
  });

  test('a format that lost its name is not missed while the parts name the data, and a part that is lost is', async () => {
    const dataset = await begin();
    await client().del(fixture.store.keys.format());
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'whole', dataset, isMarked: false });
    await client().del(partKey(7));
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'gone', servers: [server()] });
  });

  test('while the master with the format is away, members count as they were known, and as some if nothing is', async () => {
    const { name } = await begin();
    const { store } = fixture;
    const away = failingStore(store, (key) => key === store.keys.format());
    const found = (hasMembers: boolean) => ({ outcome: 'whole', dataset: { name, hasMembers }, isMarked: true });
    for (const hasMembers of [true, false])
      expect(await findData(away, { name, hasMembers })).toEqual(found(hasMembers));
    expect(await findData(away, undefined)).toEqual(found(true));
  });

  test('while a set is being marked, no part is missed', async () => {
    const dataset = await begin();
    await client().hdel(fixture.store.keys.format(), 'marked');
    await client().del(partKey(7));
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'whole', dataset, isMarked: false });
    await markData(fixture.store, dataset.name);
    expect(await client().get(partKey(7))).toBe(dataset.name);
    expect(await findData(fixture.store, dataset)).toEqual({ outcome: 'whole', dataset, isMarked: true });
  });

  test('what is left on other masters keeps its name when it is accepted', async () => {
    const { name } = await begin();
    for (const key of [fixture.store.keys.format(), partKey(0), partKey(31)]) await client().del(key);
    expect(await acceptData(fixture.store)).toBe(name);
    expect(await client().get(partKey(31))).toBe(name);
  });

  test('the master of a member who is not found is the one that is asked, and named', async () => {
    const { name } = await begin();
    const { store } = fixture;
    // As on a cluster of several masters, of which one has the second half of the parts, and one has none.
    const places = new Map(DATASET_PARTS.map((part) => [partKey(part), part < 16 ? 'first:1' : 'second:1']));
    const askedOf = (place: string) => {
      const placeOf = (key: string) => places.get(key) ?? place;
      const run = store.connection.run.bind(store.connection);
      const seen = { masters: { value: { placeOf } }, run: { value: run } };
      const connection = Object.create(store.connection, seen) as Store['connection'];
      return requireData({ ...store, connection, guard: { name } }, ANNA);
    };
    await client().del(partKey(16));
    await askedOf('first:1');
    await askedOf('third:1');
    const gone = { redisCause: 'data_gone', server: 'second:1' };
    await expect(askedOf('second:1')).rejects.toMatchObject(gone);
    await client().set(partKey(16), name);
    await client().del(partKey(0));
    await askedOf('second:1');
    await expect(askedOf('first:1')).rejects.toMatchObject({ ...gone, server: 'first:1' });
    await expect(askedOf('third:1')).rejects.toMatchObject({ ...gone, server: 'third:1' });
  });
});

test('the data that should be there has a name, if a member could be lost with it', () => {
  const guard = new DataGuard();
  expect(guard.name).toBeUndefined();
  for (const nothing of [undefined, { ...OTHER, hasMembers: false }]) {
    guard.expect(OTHER);
    expect(guard.name).toBe(OTHER.name);
    guard.expect(nothing);
    expect(guard.name).toBeUndefined();
  }
});
