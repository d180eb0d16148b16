import { StoreUnavailable } from '../redis/failure.ts';
import {
  type BasketDescription,
  conflictEvent,
  type DescribeBasket,
  type Funders,
  recordedEvent,
} from './calculation-events.ts';
import { completeEnding } from './common-endings.ts';
import { appendDue, appendEvent } from './events.ts';
import { lookInSlot } from './find-calculation.ts';
import { noteReceipt } from './receipts.ts';
import { completeRelease } from './release.ts';
import { keptMs, type Sale, type SaleOutcome } from './sale.ts';
import { clearEventScript } from './scripts/sales.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, clearDue, isSoldAsAnswered, type Owner, readSome } from './stored-calculation.ts';

/**
 * What is still to be done of a calculation after the script that changed it, in its order (`Due`). The call that made the change completes
 * it; where that died, a repetition does, or the sweep (expiry.ts), or whoever needs it done. Every step may be repeated.
 */

/** A sale that whoever is given it counts in the costs: nobody else is given it, unless `isOurs` says so. */
export interface CountedSale {
  /** The calculation, where it was sold as the service had answered it; undefined where costs have nothing of it. */
  readonly of: AnsweredCalculation | undefined;
  /** Who pays for its benefits. */
  readonly funders: Funders;
  readonly bookedAtMs: number;
  /** Present where the reply was lost by which it was given: whether it was. Throws `StoreUnavailable` as long as Redis does not say. */
  readonly isOurs?: () => Promise<boolean>;
}

/** Who completes a calculation. */
export interface Completer {
  readonly describe: DescribeBasket;
  /** Is given its sale to count, even where the completion fails. */
  readonly count: (sale: CountedSale) => unknown;
  /**
   * By what name a sale is given to it. The name is kept with the sale, so that a lost reply can be asked for again. It is that of one attempt,
   * or of attempts that count a sale once together. The call that has booked the sale is `BOOKER`, which is not kept: most sales have no other.
   */
  readonly claimant: string;
}

/** There is one call that books a sale. */
export const BOOKER = '';

export interface Completed {
  /** With the units that only counters of all members know. */
  readonly overRedeemed: number;
  /** The time of the call was up before all was done. */
  readonly isTooLate: boolean;
  /** The mark of the event was left to others: somebody has cleared it, or a merge takes it along. */
  readonly isLeft: boolean;
}

/** The call of a sale event, which completes what it has booked, or what an equal one had. */
export interface SaleCall {
  /** False when its time is up, so that it must be repeated. */
  readonly hasTime: () => boolean;
  /** As it was described for the booking; undefined where that made no event. */
  readonly basket: BasketDescription | undefined;
}

/** Completes what `stored.due` says, for the call of a sale event, or for one that has died. Throws `StoreUnavailable`. */
export async function completeCalculation(
  store: Store,
  stored: AnsweredCalculation,
  { describe, count, claimant }: Completer,
  call?: SaleCall,
): Promise<Completed> {
  const { calculationId, due } = stored;
  // Where it was to count the sale before, it may have come no further than that.
  const isClaimed = stored.countedBy === claimant;
  const overRedeemed = stored.overRedeemed + (await completeElsewhere(store, stored));
  const done = { overRedeemed, isTooLate: false, isLeft: false };
  if (!stored.sale) return done;
  const sale = { calculationId, ...stored.sale };
  if (due.untold && stored.second) await appendConflict(store, stored, sale, stored.second, describe);
  // Before the mark of the event is cleared, because whoever clears it counts the sale: if one of these steps fails, the next one does it
  // again. The call of a repeated event does this one in any case.
  if (call || due.event) await leadTo(store, sale);
  if (!due.event && !isClaimed) return done;
  const basket = call?.basket ?? (await describe(stored));
  // Where a merge moves the calculation, whoever finds it in its new slot completes it.
  const isTold = due.event !== 'event' || (await appendSale(store, { ...stored, overRedeemed }, sale, basket));
  if (!isTold) return { ...done, isLeft: true };
  // The mark is left to a repetition, because the result of a late call may reach nobody.
  if (call && !call.hasTime()) return { ...done, isTooLate: true };
  const of = isSoldAsAnswered(stored, sale) ? stored : undefined;
  const counted = { of, funders: basket.funders, bookedAtMs: stored.soldAtMs ?? 0 };
  try {
    if (!(await clearEvent(store, stored, claimant)) && !isClaimed) return { ...done, isLeft: true };
  } catch (error) {
    // Redis may have carried it out all the same, and gives the sale to nobody else then.
    if (error instanceof StoreUnavailable) await count({ ...counted, isOurs: () => isOurs(store, stored, claimant) });
    throw error;
  }
  await count(counted);
  return done;
}

/**
 * Completes what other slots still have to hear of a calculation: a release, and the ends of holds of limits over all members. Returns
 * the units past these limits. Throws `StoreUnavailable`.
 */
export async function completeElsewhere(store: Store, stored: AnsweredCalculation): Promise<number> {
  const { venueId, commonUses: uses, due } = stored;
  if (due.release !== undefined)
    await completeRelease(store, { successor: stored, supersededId: due.release, venueId });
  return due.commonDue ? completeEnding(store, stored, { uses, ending: due.commonDue }) : 0;
}

/**
 * Notes the receipt, and keeps the index entry for as long as goods can be returned; again for a repeated event, because the first
 * one's process may have died before.
 */
export async function leadTo(store: Store, sale: Sale): Promise<void> {
  const { transactionId, calculationId } = sale;
  const keptFor = keptMs(sale, store.periods);
  const key = store.keys.index(calculationId);
  await Promise.all([
    transactionId !== undefined && noteReceipt(store, transactionId, calculationId),
    keptFor > store.periods.retentionMs && store.connection.run(key, (client) => client.pexpire(key, keptFor)),
  ]);
}

/** Appends the event of a sale that was booked without it: on a cluster, with units over all members, or before its answer. */
async function appendSale(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  basket: BasketDescription,
): Promise<boolean> {
  const { isLate: late, overRedeemed, soldAtMs } = stored;
  const event = await recordedEvent(store, stored, sale, basket, { late, overRedeemed });
  // When a sale event came that was before its answer is not kept: its event is booked when it is told.
  return appendDue(store, stored, 'event', event, soldAtMs);
}

/** True for the one caller that counts the sale. */
function clearEvent({ connection, keys }: Store, { calculationId, member }: Owner, claimant: string): Promise<boolean> {
  return clearEventScript(
    connection,
    { calculation: keys.calculation(member, calculationId), use: keys.use(member) },
    { claimant },
  );
}

/** Whether a sale was given to this claimant, or is now; a merge may have moved it meanwhile. Throws `StoreUnavailable`. */
async function isOurs(store: Store, { calculationId }: Owner, claimant: string): Promise<boolean> {
  const { found } = await lookInSlot(store, calculationId, async (member) => {
    const owner = { calculationId, member };
    if (await clearEvent(store, owner, claimant)) return { isOurs: true };
    const { sale, due, countedBy = BOOKER } = await readSome(store, owner, 'sale', 'due', 'countedBy');
    return sale && { isOurs: !due.event && countedBy === claimant };
  });
  return found?.isOurs ?? false;
}

/** Appends the event of the second outcome that was reported. */
async function appendConflict(
  store: Store,
  stored: AnsweredCalculation,
  sale: SaleOutcome,
  second: SaleOutcome,
  describe: DescribeBasket,
): Promise<void> {
  const { calculationId } = stored;
  const basket = await describe(stored);
  const event = await conflictEvent(store, stored, { calculationId, ...second }, sale, basket);
  await appendEvent(store, calculationId, event);
  await clearDue(store, stored, 'untold');
}
