import { EVENT_VERSION, type EventOf, type EventResult } from '@loyalty/contract/events';
import { EVENT_STREAMS, eventStream, type MemberToken, preferring } from './keys.ts';
import { appendEventScript } from './scripts/environment.ts';
import { writeToAny } from './spare-key.ts';
import type { Store } from './store.ts';

/**
 * The event stream (docs/events.md): what a data warehouse is built from. An entry is a JSON object under the field `event`.
 *
 * On one Redis an event is written by the script that makes the change which it tells of, so that it is there exactly once, whatever
 * process dies. On a cluster the stream is in another slot: it is appended after the change, at least once, and a mark at what was
 * changed says until then that it is due.
 */

/** An event before it is booked: the script that books it adds `at`, and what it alone knows. */
export type UnbookedEvent<Result extends EventResult = EventResult> = Result extends EventResult
  ? Omit<EventOf<Result>, 'version' | 'at' | 'late' | 'overRedeemed' | 'used'> &
      Partial<Pick<EventOf<'recorded'>, 'late' | 'overRedeemed'>>
  : never;

/** The text of an event for a script. Fields that are undefined or empty are left out, as what is not known. */
export function eventText(event: UnbookedEvent): string {
  return JSON.stringify({ version: EVENT_VERSION, ...event }, (_name, value: unknown) =>
    value === '' ? undefined : value,
  );
}

/**
 * The stream of a calculation for a script in the slot of its member, and the text that the script appends: none on a cluster, where
 * the key is one that nothing has.
 */
export function eventFor({ connection, keys }: Store, member: MemberToken, calculationId: string, event: string) {
  if (connection.isCluster) return { key: keys.answer(member, ''), event: '' };
  return { key: keys.events(eventStream(calculationId)), event };
}

/** The stream of a member's own events, for a script in its slot. */
export function memberEventKey({ connection, keys }: Store, member: MemberToken) {
  return connection.isCluster ? keys.answer(member, '') : keys.events(memberStream(member));
}

/** Appends an event of a calculation by itself. Without `atMs` it is booked now. Throws `StoreUnavailable`. */
export function appendEvent(store: Store, calculationId: string, event: string, atMs?: number): Promise<void> {
  return append(store, eventStream(calculationId), event, atMs);
}

/** Appends an event of a member by itself. Throws `StoreUnavailable`. */
export function appendMemberEvent(store: Store, member: MemberToken, event: string): Promise<void> {
  return append(store, memberStream(member), event, undefined);
}

async function append(store: Store, stream: number, event: string, atMs: number | undefined): Promise<void> {
  const { retentionMs } = store.periods;
  // Consumers follow all streams, so another one serves while the master of this one is away.
  await writeToAny(store, preferring(stream, store.keys.events), (key) =>
    appendEventScript(store.connection, { events: key }, { event, retentionMs, atMs }),
  );
}

function memberStream(member: MemberToken): number {
  return member.charCodeAt(0) % EVENT_STREAMS;
}
