import { appendMemberEvent } from './events.ts';
import { grantChanges, grantKeys } from './grant-events.ts';
import { type MemberToken, memberToken } from './keys.ts';
import { memberFields, readMember, type StoredMember } from './members.ts';
import { pseudonymOf } from './pseudonyms.ts';
import { replaceMemberScript } from './scripts/members.ts';
import type { Store } from './store.ts';

/** Writes of members, each with the events of the grants that it gives and takes. */

/** Each try loses only to a change that succeeded. */
const MAX_TRIES = 100;

/** Members that are written at once: of thousands the last would wait for so long that Redis would be taken for hanging. */
const AT_ONCE = 100;

/**
 * Writes members, replacing each stored member as a whole. An equal member is left untouched, so that a nightly import of all members
 * costs the append-only file and the replicas only the changes. Safe to repeat. Returns how many members changed. Throws
 * `StoreUnavailable`.
 */
export async function writeMembers(store: Store, members: readonly StoredMember[]): Promise<number> {
  let changed = 0;
  for (let at = 0; at < members.length; at += AT_ONCE) {
    const changes = await Promise.all(members.slice(at, at + AT_ONCE).map((member) => writeMember(store, member)));
    changed += changes.reduce((sum, change) => sum + change, 0);
  }
  return changed;
}

async function writeMember(store: Store, member: StoredMember): Promise<number> {
  const { programmeId, loyaltyId } = member;
  const named = { token: memberToken(programmeId, loyaltyId), programmeId, loyaltyId };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { member: stored, mergedInto } = await readMember(store, named, false);
    // Calls with its loyalty ID are answered as those of another member.
    if (mergedInto !== undefined) return 0;
    if (stored && isEqual(memberFields(stored), memberFields(member))) return 0;
    if (await replaceMember(store, stored, member)) return 1;
  }
  throw new Error('the member is changed again and again');
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

/**
 * Replaces a member only while Redis still holds `before`, or no such member where `before` is undefined, so that of two people who
 * change a member at once the later one sees what the earlier one wrote. The grants that this gives or takes are told in the same step;
 * on a cluster after it. Returns false when Redis holds something else. Throws `StoreUnavailable`.
 */
export async function replaceMember(
  store: Store,
  before: StoredMember | undefined,
  member: StoredMember,
): Promise<boolean> {
  const { connection, keys, periods } = store;
  const token = memberToken(member.programmeId, member.loyaltyId);
  const changes = await changesOf(store, token, before, member);
  const isReplaced = await replaceMemberScript(
    connection,
    { ...keys.ofMember(token), ...grantKeys(store, token) },
    {
      read: before ? memberFields(before) : [],
      written: memberFields(member),
      due: changes.due,
      told: changes.told.flat(),
      retentionMs: periods.retentionMs,
    },
  );
  const events = changes.told.map(([event]) => event);
  if (isReplaced) await tellElsewhere(store, token, events, changes.due);
  return isReplaced;
}

type GrantChanges = ReturnType<typeof grantChanges>;

const NO_CHANGES: GrantChanges = { told: [], due: [] };

/** Most changes leave the grants alone, and most members have none. */
async function changesOf(
  store: Store,
  token: MemberToken,
  before: StoredMember | undefined,
  { programmeId, grants }: StoredMember,
): Promise<GrantChanges> {
  const earlier = before?.grants ?? [];
  if (JSON.stringify(earlier) === JSON.stringify(grants)) return NO_CHANGES;
  return grantChanges({ token, programmeId, pseudonym: await pseudonymOf(store, token) }, earlier, grants);
}

/**
 * On a cluster, does what the script of a member's change does on one Redis, because stream and list are in other slots: appends the events, and
 * notes when grants end (name, instant, …). Throws `StoreUnavailable`.
 */
export async function tellElsewhere(
  store: Store,
  member: MemberToken,
  events: readonly string[],
  due: readonly (string | number)[],
): Promise<void> {
  const { connection, keys } = store;
  if (!connection.isCluster) return;
  for (const event of events) await appendMemberEvent(store, member, event);
  for (let at = 0; at < due.length; at += 2) {
    const [name, endsMs] = [String(due[at]), due[at + 1]!];
    await connection.run(keys.grantsDue(), (client, key) =>
      endsMs === '' ? client.zrem(key, name) : client.zadd(key, endsMs, name),
    );
  }
}
