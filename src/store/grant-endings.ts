import { StoreUnavailable } from '../redis/failure.ts';
import { appendMemberEvent } from './events.ts';
import { counterOfGrant, endOfGrant, grantEvent, grantKeys } from './grant-events.ts';
import type { MemberToken } from './keys.ts';
import { nameOfGrant, parseGrants, parseMember } from './members.ts';
import { readClock } from './moved-clock.ts';
import { pseudonymOf } from './pseudonyms.ts';
import { readClockScript } from './scripts/environment.ts';
import { endGrantScript, listGrantsDueScript } from './scripts/members.ts';
import type { Store } from './store.ts';

/**
 * Grants whose last day is over. Nothing rests on this: pricing looks at the days of a grant. A grant that ends has one event, whatever
 * processes look for it; on a cluster at least one.
 */

/** Grants examined in one pass. */
const BATCH = 200;

/** A grant of a member whose master is away, or that meets a bug, is looked at again after this time. */
const POSTPONED_MS = 5000;

/**
 * Appends the events of the grants that have ended, at most a batch. Returns whether more are due. Throws once nothing of the pass
 * is under way any more. A bug is told as a failed step of the connection.
 */
export async function sweepEndedGrants(store: Store): Promise<{ readonly isMoreDue: boolean }> {
  const { connection, keys } = store;
  const found = await listGrantsDueScript(connection, { grantsDue: keys.grantsDue() }, { most: BATCH });
  const due = found.flatMap((name, at) => (at % 2 === 0 ? [{ name, endsMs: found[at + 1]! }] : []));
  const ends = await Promise.allSettled(due.map((one) => endOrPostpone(store, one)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return { isMoreDue: due.length === BATCH };
}

/** Grants that cannot be looked at would fill the batch, and nobody else's would be. Where the only server is away they stay due. */
async function endOrPostpone(store: Store, one: Due): Promise<void> {
  const { connection, keys } = store;
  try {
    await endOne(store, one);
  } catch (error) {
    const isAway = error instanceof StoreUnavailable;
    if (isAway && !connection.isCluster) throw error;
    if (!isAway) connection.emit('failedStep', error as Error);
    const nowMs = await readClockScript(connection, { any: keys.grantsDue() }, {});
    await noteEnd(store, one, { laterMs: nowMs + POSTPONED_MS });
  }
}

interface Due {
  /** `member grantId`. */
  readonly name: string;
  /** Its score. */
  readonly endsMs: string;
}

async function endOne(store: Store, { name, endsMs }: Due): Promise<void> {
  const { connection } = store;
  const [member, grantId] = [name.slice(0, name.indexOf(' ')) as MemberToken, name.slice(name.indexOf(' ') + 1)];
  const found = await findGrant(store, member, grantId);
  // One that is not found was erased or merged with its member, or taken by an older version: it goes without an event.
  const isOver = found?.endsMs !== undefined && found.endsMs <= found.nowMs;
  if (isOver && connection.isCluster) await appendMemberEvent(store, member, found.event);
  const { events } = grantKeys(store, member);
  await noteEnd(
    store,
    { name, endsMs },
    { laterMs: isOver ? undefined : found?.endsMs, events, event: isOver ? found.event : '' },
  );
}

interface EndNote {
  /** When it is looked at again, if it has not ended. */
  readonly laterMs: number | undefined;
  readonly event?: string;
  /** The stream of the event. */
  readonly events?: string | undefined;
}

/** Notes that a grant has ended, or when it is looked at again, unless it was changed meanwhile. */
async function noteEnd({ connection, keys, periods }: Store, { name, endsMs }: Due, note: EndNote): Promise<void> {
  const { laterMs, event = '', events } = note;
  const { retentionMs } = periods;
  await endGrantScript(
    connection,
    { grantsDue: keys.grantsDue(), events },
    { name, endsMs, laterMs, event, retentionMs },
  );
}

/** Has the grants of a test member looked at when they end by its own clock. Throws `StoreUnavailable`. */
export async function lookSooner({ connection, keys }: Store, member: MemberToken, movedMs: number): Promise<void> {
  const fields = await connection.run(keys.member(member), (client, key) => client.hgetall(key));
  for (const grant of parseGrants(new Map(Object.entries(fields)))) {
    const endsMs = endOfGrant(grant);
    if (endsMs === undefined) continue;
    // One that is not there has ended before.
    const name = `${member} ${nameOfGrant(grant)}`;
    await connection.run(keys.grantsDue(), (client, key) => client.zadd(key, 'XX', endsMs - movedMs, name));
  }
}

/** The grant as it is stored, by the clock of its member. */
async function findGrant(store: Store, member: MemberToken, grantId: string) {
  const { connection, keys } = store;
  const [fields, time] = await Promise.all([
    connection.run(keys.member(member), (client, key) => client.hgetall(key)),
    connection.run(keys.member(member), (client) => client.time()),
  ]);
  const stored = parseMember(
    { programmeId: fields['programmeId'] ?? '', loyaltyId: '' },
    new Map(Object.entries(fields)),
  );
  const grant = stored?.grants.find((other) => nameOfGrant(other) === grantId);
  if (!stored || grant === undefined) return undefined;
  const realMs = Number(time[0]) * 1000;
  const counter = counterOfGrant(grant);
  const used =
    counter === ''
      ? undefined
      : Number((await connection.run(keys.use(member), (client, key) => client.hget(key, counter))) ?? 0);
  const owner = { pseudonym: await pseudonymOf(store, member), programmeId: stored.programmeId };
  return {
    event: grantEvent(owner, 'grant_ended', grant, used),
    endsMs: endOfGrant(grant),
    nowMs: realMs + readClock(fields['clock'], realMs).movedMs,
  };
}
