import { StoreUnavailable } from '../redis/failure.ts';
import { type DescribeBasket, describeNothing, expiredEvent } from './calculation-events.ts';
import { type CompletedSale, completeCalculation } from './completion.ts';
import { appendEvent, eventFor } from './events.ts';
import { lookInSlot } from './find-calculation.ts';
import { EVENT_STREAMS, type MemberToken } from './keys.ts';
import { expireScript, forgetDueScript, listDueScript, noteDueScript } from './scripts/calculations.ts';
import type { Store } from './store.ts';
import { clearDue, readAnswered } from './stored-calculation.ts';

/**
 * The sweep: it ends calculations that stay unsold (interface, section 3: 30 minutes), and completes what calls have left (completion.ts). Each
 * calculation is noted with its commit (due.ts), and examined when its hold time is over. One that supersedes another, and one that is sold
 * after its hold time, is examined soon after its call. Holds end by time even when this does not run. Any number of processes may run it;
 * when one dies, the others take over its work.
 */

/** Calculations examined in one pass over one list, so that a pass is short even with a large backlog. */
const BATCH = 200;

/** A calculation whose master is away is looked at again after this time. */
const POSTPONED_MS = 5000;

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
  readonly count: (sale: CompletedSale) => void;
}

/**
 * Examines the due calculations, at most a batch per list, and appends an `expired` event for each one that ended
 * unsold. Returns how many did, how many of them had a hold, and whether more are due. While Redis is away, or the master of a
 * list, what is due waits for a later pass, and this one returns what it has done. Throws only what a bug explains.
 */
export async function sweepExpired(
  store: Store,
  describe: DescribeBasket = describeNothing,
  count: Sweeping['count'] = () => {},
): Promise<Swept & { readonly isMoreDue: boolean }> {
  const sweeping = { store, describe, count };
  const lists = Array.from({ length: EVENT_STREAMS }, (_, list) => list);
  const passes = await Promise.allSettled(lists.map((list) => sweepList(sweeping, list)));
  const swept = passes.flatMap((pass) => (pass.status === 'fulfilled' ? [pass.value] : []));
  // A list whose master is away waits; the others are looked at all the same.
  const failed = passes.find((pass) => pass.status === 'rejected' && !(pass.reason instanceof StoreUnavailable));
  if (failed?.status === 'rejected') throw failed.reason;
  return {
    expired: swept.reduce((sum, { expired }) => sum + expired, 0),
    holds: swept.reduce((sum, { holds }) => sum + holds, 0),
    isMoreDue: swept.some(({ looked }) => looked === BATCH),
  };
}

async function sweepList(sweeping: Sweeping, list: number): Promise<Swept & { looked: number }> {
  const { store } = sweeping;
  const key = store.keys.due(list);
  const { connection } = store;
  const due = await listDueScript(connection, { due: key }, { most: BATCH });
  const outcomes = await Promise.all(
    due.map((calculationId) =>
      examine(sweeping, key, calculationId).catch(async (error: unknown) => {
        if (!(error instanceof StoreUnavailable) || !connection.isCluster) throw error;
        // Calculations of a master that is away would fill the batch, and nobody else's would be looked at.
        await postpone(store, key, calculationId, POSTPONED_MS);
        return undefined;
      }),
    ),
  );
  const examined = outcomes.filter((outcome) => outcome !== undefined);
  return {
    expired: examined.filter(({ isExpired }) => isExpired).length,
    holds: examined.filter(({ hadHold }) => hadHold).length,
    looked: due.length,
  };
}

interface Examined {
  /** It ended unsold now, and had still a hold then. */
  readonly isExpired: boolean;
  readonly hadHold: boolean;
}

/** Ends a calculation whose hold time is over, and completes what is left of it. Undefined where it is nowhere any more. */
async function examine(
  { store, describe, count }: Sweeping,
  key: string,
  calculationId: string,
): Promise<Examined | undefined> {
  const { found } = await lookInSlot(store, calculationId, async (member) => {
    const { reply, text } = await expire(store, member, calculationId, describe);
    return reply.outcome === 'gone' ? undefined : { reply, text };
  });
  if (!found) return forget(store, key, calculationId);
  const { member, reply, text } = found;
  const owner = { calculationId, member };
  // Most of what is looked at has nothing left, so it is read only where something is.
  const left = reply.isDue ? await readAnswered(store, owner) : undefined;
  const completed = left && (await completeCalculation(store, left, describe));
  if (completed?.sale?.isCounted) count(completed.sale);
  if (reply.outcome === 'not_due') {
    // It is only superseding, its hold time was raised, the masters' clocks differ, or another process is appending its event and
    // may die before it has: it is examined again when its own master says.
    await postpone(store, key, calculationId, reply.leftMs);
  } else {
    if (reply.outcome === 'expired' && !reply.isTold) {
      await appendEvent(store, calculationId, text);
      await clearDue(store, owner, 'expiryEvent');
    }
    await forget(store, key, calculationId);
  }
  const isExpired = reply.outcome === 'expired';
  return { isExpired, hadHold: isExpired && reply.hadHold };
}

/**
 * Ends a calculation with the event that is made from it as it was read. Most of what is looked at was sold, so nothing is read of it
 * before the script says that it is due.
 */
async function expire(store: Store, member: MemberToken, calculationId: string, describe: DescribeBasket) {
  const { connection, keys, periods } = store;
  const asked = { calculationId, appendedMs: APPENDED_MS, retentionMs: periods.retentionMs };
  let [text, answeredRead]: [string, number | undefined] = ['', undefined];
  for (;;) {
    const { key: events, event } = eventFor(store, member, calculationId, text);
    const named = { ...keys.ofMember(member), ...keys.ofCalculation(member, calculationId), events };
    const reply = await expireScript(connection, named, { ...asked, event, answeredRead });
    if (reply.outcome !== 'due') return { reply, text };
    const stored = await readAnswered(store, { member, calculationId });
    // It may be answered once more between the two, but not for ever: a new answer is not due for its hold time.
    if (stored) [text, answeredRead] = [await expiredEvent(store, stored, describe), stored.answeredAtMs];
  }
}

/** Has a noted calculation looked at after so many milliseconds. */
export async function postpone(store: Store, key: string, calculationId: string, byMs: number): Promise<void> {
  const noted = { lookMs: Math.ceil(byMs), callOverMs: undefined, calculationIds: [calculationId] };
  await noteDueScript(store.connection, { due: key }, noted);
}

/** A call may have noted it again since it was looked at, and may commit it. */
async function forget(store: Store, key: string, calculationId: string): Promise<undefined> {
  await forgetDueScript(store.connection, { due: key }, { calculationId });
  return undefined;
}
