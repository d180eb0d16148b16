import { randomBytes } from 'node:crypto';
import { readFields } from '../redis/hash-fields.ts';
import { DATASET_PARTS } from './keys.ts';
import { writeMembers } from './member-writes.ts';
import type { StoredMember } from './members.ts';
import { awaitShared, orGoWithout } from './spare-key.ts';
import type { Store } from './store.ts';

/**
 * The mark of a set of data, by which an empty Redis is told from a new one. The hash `format` names the set; on a cluster
 * small keys name it too, one in each of 32 parts of the slots, so that a master that came back empty is noticed by itself.
 */
export interface Dataset {
  readonly name: string;
  /** True when members were written that are not in the configuration file, and that nobody here could write again. */
  readonly hasMembers: boolean;
}

export type FoundData =
  /** `isMarked` is false while some part of a cluster may lack its mark. */
  | { readonly outcome: 'whole'; readonly dataset: Dataset; readonly isMarked: boolean }
  /** `servers` are the masters of a cluster that lost their data; empty when all data is gone. */
  | { readonly outcome: 'gone'; readonly servers: readonly string[] }
  /** Nothing names the data: Redis is new, or was written by a version before. */
  | { readonly outcome: 'unnamed' }
  /** Redis cannot be asked. */
  | { readonly outcome: 'unknown' };

/** In the field `replaces`: an operator has accepted that this set stands in the place of whatever was there before. */
const ACCEPTED = '*';

/** Looks for the data that is `known` from before; without it, for any. Throws `StoreUnavailable` where a single server does. */
export async function findData(store: Store, known: Dataset | undefined): Promise<FoundData> {
  const { connection } = store;
  const [format, parts] = await Promise.all([readFormat(store), readParts(store)]);
  const { name, members, replaces, isMarked } = format ?? {};
  const present = [name, ...parts.values()].filter((one) => typeof one === 'string');
  if (!format && present.length === 0) return { outcome: 'unknown' };
  if (present.length === 0) return known ? { outcome: 'gone', servers: [] } : { outcome: 'unnamed' };
  const isSame = known === undefined || present.includes(known.name);
  if (!isSame && replaces !== ACCEPTED) return { outcome: 'gone', servers: [] };
  const found = isSame && known ? known.name : (present[0] as string);
  // While the parts of a new set are being written, none of them is missed.
  const servers = format && name !== undefined && !isMarked ? [] : findLost(store, found, format?.name, parts);
  if (servers.length > 0) return { outcome: 'gone', servers };
  const hasMembers = format ? members === '1' : (known?.hasMembers ?? true);
  return {
    outcome: 'whole',
    dataset: { name: found, hasMembers },
    isMarked: !connection.isCluster || isMarked !== false,
  };
}

/** Masters with a part that is missing. A part that could not be read is `undefined`, and is not missed. */
function findLost(
  { connection, keys }: Store,
  name: string,
  formatName: string | undefined,
  parts: ReadonlyMap<number, string | null | undefined>,
): string[] {
  const lost = [...parts].flatMap(([part, found]) =>
    found === undefined || found === name ? [] : [keys.dataset(part)],
  );
  if (connection.isCluster && formatName !== undefined && formatName !== name) lost.push(keys.format());
  return [...new Set(lost.map((key) => connection.masters.placeOf(key) ?? ''))];
}

/** Undefined while the master of a cluster with this key is away. */
async function readFormat(store: Store) {
  const { connection, keys } = store;
  const asked = readFields(connection, keys.format(), 'dataset', 'members', 'replaces', 'marked');
  const fields = await orGoWithout(store, asked);
  if (!fields) return undefined;
  const [name, members, replaces, marked] = fields;
  return { name, members, replaces, isMarked: marked === '1' };
}

/** Empty where there is one server only. */
async function readParts(store: Store): Promise<Map<number, string | null | undefined>> {
  if (!store.connection.isCluster) return new Map();
  const names = await Promise.all(
    DATASET_PARTS.map((part) =>
      awaitShared(
        store,
        store.connection.run(store.keys.dataset(part), (client, key) => client.get(key)),
      ).catch(() => undefined),
    ),
  );
  return new Map(DATASET_PARTS.map((part, index) => [part, names[index]]));
}

/**
 * Names data that has no name, once: of several processes one does. `hasMembers` tells whether there are members that are not
 * in the configuration file.
 */
export async function nameData(store: Store, hasMembers: () => Promise<boolean>): Promise<void> {
  const { connection, keys } = store;
  const name = randomBytes(16).toString('base64url');
  const isFirst = (await connection.run(keys.format(), (client, key) => client.hsetnx(key, 'dataset', name))) === 1;
  if (!isFirst) return;
  await markData(store, name);
  if (await hasMembers()) await connection.run(keys.format(), (client, key) => client.hset(key, 'members', '1'));
}

/** Marks every part of a cluster, and notes that this is done. Safe to repeat. */
export async function markData(store: Store, name: string): Promise<void> {
  const { connection, keys } = store;
  if (!connection.isCluster) return;
  await Promise.all(
    DATASET_PARTS.map((part) => connection.run(keys.dataset(part), (client, key) => client.set(key, name))),
  );
  await connection.run(keys.format(), (client, key) => client.hset(key, 'marked', '1'));
}

/**
 * Accepts what is in Redis now, because what was there before will not come back: every process goes on with it. Returns the
 * name of the data. Throws `StoreUnavailable`.
 */
export async function acceptData(store: Store): Promise<string> {
  const { connection, keys } = store;
  // What is left on the other masters of a cluster keeps its name.
  const left = [...(await readParts(store)).values()].find((name) => typeof name === 'string');
  const fresh = left ?? randomBytes(16).toString('base64url');
  await connection.run(keys.format(), (client, key) => client.hset(key, 'replaces', ACCEPTED));
  await connection.run(keys.format(), (client, key) => client.hsetnx(key, 'dataset', fresh));
  const name = (await connection.run(keys.format(), (client, key) => client.hget(key, 'dataset'))) as string;
  await markData(store, name);
  return name;
}

/** Writes members that are not in the configuration file, and notes that there are such members. */
export async function writeOwnMembers(store: Store, members: readonly StoredMember[]): Promise<number> {
  const changed = await writeMembers(store, members);
  await noteOwnMembers(store);
  return changed;
}

/** Notes that there are members that are not in the configuration file. */
export async function noteOwnMembers(store: Store): Promise<void> {
  await orGoWithout(
    store,
    store.connection.run(store.keys.format(), (client, key) => client.hset(key, 'members', '1')),
  );
}
