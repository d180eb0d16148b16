import { EVENT_VERSION, type EventOf, type EventResult } from '@loyalty/contract/events';
import { EVENT_STREAMS, eventStream, type MemberToken, preferring } from './keys.ts';
import { appendEventScript } from './scripts/environment.ts';
import { tellOnceScript } from './scripts/sales.ts';
import { writeToAny } from './spare-key.ts';
import { besideMember, type Store } from './store.ts';
import type { Owner } from './stored-calculation.ts';

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

/** The stream of a calculation, for a script of its member. */
export function eventsKey(store: Store, calculationId: string): string | undefined {
  return besideMember(store, store.keys.events(eventStream(calculationId)));
}

/** Appends an event of a calculation by itself. Without `atMs` it is booked now. Throws `StoreUnavailable`. */
export function appendEvent(store: Store, calculationId: string, event: string, atMs?: number): Promise<void> {
  return append(store, eventStream(calculationId), event, atMs);
}

/**
 * Appends an event that was booked without it: once, by the mark of its record; on a cluster at least once. False where a merge moves the
 * record, and the mark with it. Throws `StoreUnavailable`.
 */
export async function appendDue(
  store: Store,
  { calculationId, member }: Owner,
  mark: 'event' | 'decisionDue',
  event: string,
  atMs: number | undefined,
): Promise<boolean> {
  const { connection, keys, periods } = store;
  const events = eventsKey(store, calculationId);
  if (!events) {
    await appendEvent(store, calculationId, event, atMs);
    return true;
  }
  const named = { calculation: keys.calculation(member, calculationId), use: keys.use(member), events };
  return tellOnceScript(connection, named, { mark, event, retentionMs: periods.retentionMs, atMs });
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

/** The stream of a member's own events. */
export function memberStream(member: MemberToken): number {
  return member.charCodeAt(0) % EVENT_STREAMS;
}
