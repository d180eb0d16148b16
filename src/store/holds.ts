import type { MemberToken } from './keys.ts';
import type { MemberSnapshot } from './members.ts';
import { readCountersScript } from './scripts/members.ts';
import type { Store } from './store.ts';
import { type Hold, parseHold } from './uses.ts';

/** The live holds of a member, and its counters where it has very many (src/store/scripts/holds.include.lua). */

/** Holds that a person is shown at most, those that end first. */
const MOST_SHOWN = 1000;
/** Counters that one script reads: Lua passes a few thousand arguments. */
const MOST_READ = 2000;

/** Reads the holds of a member that end first, for people. Throws `StoreUnavailable`. */
export async function readHolds({ connection, keys }: Store, member: MemberToken): Promise<Hold[]> {
  const holds = await connection.run(keys.hold(member), (client, key) => client.hgetall(key));
  const parsed = Object.entries(holds).map(([calculationId, text]) => parseHold(calculationId, text));
  return parsed.sort((one, other) => one.deadlineMs - other.deadlineMs).slice(0, MOST_SHOWN);
}

/** Adds all counters to a snapshot that lacks them, for people: it costs as much as the member has. */
export async function readAllCounters(
  store: Store,
  member: MemberToken,
  snapshot: MemberSnapshot,
): Promise<MemberSnapshot> {
  if (!snapshot.isPartial) return snapshot;
  const { use, held } = store.keys;
  const lists = await store.connection.run(use(member), (client, key) =>
    Promise.all([client.hkeys(key), client.hkeys(held(member))]),
  );
  return readCounters(store, member, snapshot, lists.flat());
}

/** Adds these counters to a snapshot that lacks them. Throws `StoreUnavailable`. */
export async function readCounters(
  { connection, keys }: Store,
  member: MemberToken,
  snapshot: MemberSnapshot,
  usageKeys: readonly string[],
): Promise<MemberSnapshot> {
  if (!snapshot.isPartial) return snapshot;
  const wanted = [...new Set(usageKeys)];
  const [consumed, held] = [new Map<string, number>(), new Map<string, number>()];
  for (let first = 0; first < wanted.length; first += MOST_READ) {
    const part = wanted.slice(first, first + MOST_READ);
    const read = await readCountersScript(connection, keys.ofMember(member), { usageKeys: part });
    for (const [at, usageKey] of part.entries()) {
      const [units, unitsHeld] = [read.consumed[at], read.held[at]];
      if (units !== undefined) consumed.set(usageKey, units);
      if (unitsHeld !== undefined) held.set(usageKey, unitsHeld);
    }
  }
  return { ...snapshot, consumed, ...(snapshot.held && { held }) };
}
