import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '../redis/failure.ts';
import { type DescribeBasket, expiredEvent } from './calculation-events.ts';
import { type CountedSale, completeCalculation } from './completion.ts';
import { appendEvent, eventsKey } from './events.ts';
import { lookInSlot } from './find-calculation.ts';
import { EVENT_STREAMS, type MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import {
  expireScript,
  forgetExaminationScript,
  listExaminationsScript,
  noteExaminationScript,
} from './scripts/calculations.ts';
import { orLeaveUndone } from './spare-key.ts';
import type { Store } from './store.ts';
import { clearDue, readAnswered } from './stored-calculation.ts';

/**
 * The sweep: it ends calculations that stay unsold (interface, section 3: 30 minutes), and completes what calls have left (completion.ts). Each
 * calculation is noted with its commit (examinations.ts), and examined when its hold time is over. One that supersedes another, and one that is sold
 * after its hold time, is examined soon after its call. Holds end by time even when this does not run. Any number of processes may run it;
 * when one dies, the others take over its work.
 */

/** Calculations examined in one pass over one list, so that a pass is short even with a large backlog. */
const BATCH = 200;

/** A calculation whose master is away, or that meets a bug, is looked at again after this time. */
const POSTPONED_MS = 5000;

/** A new answer is not due for its hold time, so a calculation is read once before it ends, or twice. */
const MOST_READS = 3;

/** A process that was given the event of an expiry appends it in far less; after this time another one does. */
const APPENDED_MS = 5000;

/** Calculations that ended unsold in a pass, and how many of them had still held a limited benefit. */
export interface Swept {
  readonly expired: number;
  readonly holds: number;
}

/** What the sweep asks of its process. */
interface Sweeping {
  readonly store: Store;
  readonly describe: DescribeBasket;
  /** Counts a sale that its call has left uncounted; at once, since nobody else will, whatever becomes of the rest of the pass. */
  readonly count: (sale: CountedSale) => void;
}

/**
 * Examines the due calculations, at most a batch per list, and appends an `expired` event for each one that ended
 * unsold. Returns how many did, how many of them had a hold, and whether more are due. While Redis is away, or the master of a
 * list, what is due waits for a later pass, and this one returns what it has done. A bug is told as a failed step of the connection.
 */
export async function sweepExpired(
  store: Store,
  describe: DescribeBasket,
  count: Sweeping['count'],
): Promise<Swept & { readonly isMoreDue: boolean }> {
  const sweeping = { store, describe, count };
  const lists = Array.from({ length: EVENT_STREAMS }, (_, list) => list);
  // A list whose master is away waits; the others are looked at all the same.
  const passes = await Promise.all(lists.map((list) => orLeaveUndone(store, sweepList(sweeping, list))));
  const swept = passes.filter((pass) => pass !== undefined);
  return {
    expired: swept.reduce((sum, { expired }) => sum + expired, 0),
    holds: swept.reduce((sum, { holds }) => sum + holds, 0),
    isMoreDue: swept.some((pass) => pass.isMoreDue),
  };
}

async function sweepList(sweeping: Sweeping, list: number): Promise<Swept & { readonly isMoreDue: boolean }> {
  const { store } = sweeping;
  const key = store.keys.examinations(list);
  const noted = await listExaminationsScript(store.connection, { examinations: key }, { most: BATCH });
  const examined = await Promise.all(
    noted.map((calculationId) =>
      examine(sweeping, key, calculationId).catch((error: Error) => putOff(store, key, calculationId, error)),
    ),
  );
  return {
    expired: examined.filter(({ isExpired }) => isExpired).length,
    holds: examined.filter(({ hadHold }) => hadHold).length,
    // The next pass would meet at once what stays due.
    isMoreDue: noted.length === BATCH && !examined.some(({ staysDue }) => staysDue),
  };
}

interface Examined {
  /** It ended unsold now, and had still a hold then. */
  readonly isExpired: boolean;
  readonly hadHold: boolean;
  /** It could not be examined, nor put off. */
  readonly staysDue: boolean;
}

const NOT_EXPIRED: Examined = { isExpired: false, hadHold: false, staysDue: false };

/**
 * What cannot be examined is put off: it would fill the batch, and nobody else's would be looked at. Where the only server is away it stays
 * due, as everything does.
 */
async function putOff(store: Store, key: string, calculationId: string, error: Error): Promise<Examined> {
  const { connection } = store;
  const isAway = error instanceof StoreUnavailable;
  if (isAway && !connection.isCluster) return { ...NOT_EXPIRED, staysDue: true };
  if (!isAway) connection.emit('failedStep', error);
  const isPutOff = await orLeaveUndone(
    store,
    postpone(store, key, calculationId, POSTPONED_MS).then(() => true),
  );
  return { ...NOT_EXPIRED, staysDue: !isPutOff };
}

/** Ends a calculation whose hold time is over, and completes what is left of it. */
async function examine({ store, describe, count }: Sweeping, key: string, calculationId: string): Promise<Examined> {
  const { found } = await lookInSlot(store, calculationId, async (member) => {
    const { reply, event } = await expire(store, member, calculationId, describe);
    // The entry leads to the new member then.
    if (reply.outcome === 'moved') await moveCalculation(store, member, reply.into, calculationId);
    return reply.outcome === 'gone' || reply.outcome === 'moved' ? undefined : { reply, event };
  });
  if (!found) {
    await forget(store, key, calculationId);
    return NOT_EXPIRED;
  }
  const { member, reply, event } = found;
  const owner = { calculationId, member };
  // Most of what is looked at has nothing left, so it is read only where something is.
  const left = reply.isDue ? await readAnswered(store, owner) : undefined;
  const completed = left && (await completeCalculation(store, left, { describe, count, claimant: randomUUID() }));
  if (reply.outcome === 'not_due') {
    // It is only superseding, its hold time was raised, the masters' clocks differ, or another process is appending its event and
    // may die before it has: it is examined again when its own master says.
    await postpone(store, key, calculationId, reply.leftMs);
  } else {
    if (reply.outcome === 'expired' && !reply.isTold) {
      await appendEvent(store, calculationId, event);
      await clearDue(store, owner, 'expiryEvent');
    }
    // Where a merge takes its marks along, they are completed in its new slot.
    if (completed?.isLeft) await postpone(store, key, calculationId, POSTPONED_MS);
    else await forget(store, key, calculationId);
  }
  return reply.outcome === 'expired' ? { ...NOT_EXPIRED, isExpired: true, hadHold: reply.hadHold } : NOT_EXPIRED;
}

/**
 * Ends a calculation with the event that is made from it as it was read. Most of what is looked at was sold, so nothing is read of it
 * before the script asks for it.
 */
async function expire(store: Store, member: MemberToken, calculationId: string, describe: DescribeBasket) {
  const { connection, keys, periods } = store;
  const asked = { calculationId, appendedMs: APPENDED_MS, retentionMs: periods.retentionMs };
  let [event, answeredRead]: [string, number | undefined] = ['', undefined];
  const events = eventsKey(store, calculationId);
  for (let reads = 0; ; reads += 1) {
    const named = { ...keys.ofMember(member), ...keys.ofCalculation(member, calculationId), events };
    const reply = await expireScript(connection, named, { ...asked, event, answeredRead });
    if (reply.outcome !== 'read_first') return { reply, event };
    if (reads === MOST_READS) throw new Error('a calculation that is due has no answer, or gets one again and again');
    const stored = await readAnswered(store, { member, calculationId });
    if (stored)
      [event, answeredRead] = [await expiredEvent(store, stored, await describe(stored)), stored.answeredAtMs];
  }
}

/** Has a noted calculation looked at after so many milliseconds. */
export async function postpone(store: Store, key: string, calculationId: string, byMs: number): Promise<void> {
  const noted = { lookMs: Math.ceil(byMs), callOverMs: undefined, calculationIds: [calculationId] };
  await noteExaminationScript(store.connection, { examinations: key }, noted);
}

/** A call may have noted it again since it was looked at, and may commit it. */
async function forget(store: Store, key: string, calculationId: string): Promise<void> {
  await forgetExaminationScript(store.connection, { examinations: key }, { calculationId });
}
