import { EVENT_STREAMS } from './keys.ts';
import type { Store } from './store.ts';

/** Reading the event streams from the oldest entry on, as consumers do, and how far consumer groups have read. */

export const STREAMS: readonly number[] = Array.from({ length: EVENT_STREAMS }, (_, stream) => stream);

export interface StreamEntry {
  readonly stream: number;
  /** `ms-number`; ms of Redis' clock at which it was appended. */
  readonly id: string;
  /** Fields and values, one after the other. */
  readonly words: readonly string[];
}

export interface StreamPage {
  readonly entries: readonly StreamEntry[];
  /** The oldest entry that is left, where some before it may have been removed unread. Empty where none is left. */
  readonly missedBefore?: string;
}

/**
 * Reads the entries behind one, the oldest first; without `after`, from the oldest that is kept. It asks for nothing but the
 * stream itself, so that a user of Redis who may read only events can run it. Throws `StoreUnavailable`.
 */
export async function readStream(
  store: Store,
  stream: number,
  after: string | undefined,
  most: number,
): Promise<StreamPage> {
  const { connection, keys, periods } = store;
  const key = keys.events(stream);
  const start = after === undefined ? '-' : `(${after}`;
  const read = await connection.run(key, (client) => client.xrange(key, start, '+', 'COUNT', most));
  const entries = read.map(([id, words]) => ({ stream, id, words }));
  if (after === undefined) return { entries };
  const { first, last, removed } = await readFacts(store, key);
  // Only entries that are older than the newest one by the retention are removed.
  const mayMiss = removed > 0 && isBefore(after, first) && msOf(after) < msOf(last) - periods.retentionMs;
  return mayMiss ? { entries, missedBefore: first } : { entries };
}

interface StreamFacts {
  /** Empty without entries. */
  readonly first: string;
  readonly last: string;
  /** How many entries were removed since the stream was made. */
  readonly removed: number;
}

const NONE: StreamFacts = { first: '', last: '0-0', removed: 0 };

async function readFacts({ connection }: Store, key: string): Promise<StreamFacts> {
  const words = await orNone(connection.run(key, (client) => client.xinfo('STREAM', key) as Promise<unknown[]>));
  const facts = toFields(words);
  if (facts.size === 0) return NONE;
  const first = facts.get('first-entry') as [string] | null | undefined;
  return {
    first: first?.[0] ?? '',
    last: String(facts.get('last-generated-id')),
    removed: Number(facts.get('entries-added')) - Number(facts.get('length')),
  };
}

/** When the oldest entry that a group has not read was appended, in ms of Redis' clock, by the name of the group. */
export async function readUnread(store: Store): Promise<Map<string, number | undefined>> {
  const read = await Promise.all(STREAMS.map((stream) => readGroups(store, stream)));
  const names = new Set(read.flatMap((groups) => [...groups.keys()]));
  const oldest = new Map<string, number | undefined>([...names].map((name) => [name, undefined]));
  const each = [...names].flatMap((name) =>
    STREAMS.map(async (stream) => {
      // A stream in which a reader has no group is one that it never reads.
      const after = read[stream]!.get(name);
      const [entry] = (await readStreamFrom(store, stream, after)) as [string, string[]][];
      const known = oldest.get(name);
      if (entry && (known === undefined || msOf(entry[0]) < known)) oldest.set(name, msOf(entry[0]));
    }),
  );
  await Promise.all(each);
  return oldest;
}

function readStreamFrom({ connection, keys }: Store, stream: number, after = '0-0') {
  return connection.run(keys.events(stream), (client, key) => client.xrange(key, `(${after}`, '+', 'COUNT', 1));
}

/** The last entry that was given to each group. */
async function readGroups({ connection, keys }: Store, stream: number): Promise<Map<string, string>> {
  const key = keys.events(stream);
  const groups = await orNone(connection.run(key, (client) => client.xinfo('GROUPS', key) as Promise<unknown[][]>));
  return new Map(
    groups.map((words) => {
      const facts = toFields(words);
      return [String(facts.get('name')), String(facts.get('last-delivered-id'))];
    }),
  );
}

/** Nothing of a stream to which nothing was ever appended. */
function orNone<T>(asked: Promise<T[]>): Promise<T[]> {
  return asked.catch((error: Error) => {
    if (error.message.includes('no such key')) return [];
    throw error;
  });
}

function toFields(words: readonly unknown[]): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (let at = 0; at + 1 < words.length; at += 2) fields.set(String(words[at]), words[at + 1]);
  return fields;
}

/** When an entry was appended, in ms of Redis' clock. */
export function msOf(id: string): number {
  return Number.parseInt(id, 10);
}

/** True where the first ID is the older one. Nothing is older than what is not there. */
export function isBefore(one: string, other: string): boolean {
  if (other === '') return true;
  const [[ms, number], [otherMs, otherNumber]] = [one, other].map((id) => id.split('-').map(BigInt)) as [
    [bigint, bigint],
    [bigint, bigint],
  ];
  return ms === otherMs ? number < otherNumber : ms < otherMs;
}
