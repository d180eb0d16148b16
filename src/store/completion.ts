import {
  conflictEvent,
  type DescribeBasket,
  describeNothing,
  type Funders,
  NOBODY,
  recordedEvent,
} from './calculation-events.ts';
import { completeEnding } from './common-endings.ts';
import { appendEvent, eventFor } from './events.ts';
import { noteReceipt } from './receipts.ts';
import { completeRelease } from './release.ts';
import { keptMs, type Sale, type SaleOutcome } from './sale.ts';
import { tellSaleScript } from './scripts/sales.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, clearDue, isSoldAsAnswered, type Owner, readSome } from './stored-calculation.ts';

/**
 * What is still to be done of a calculation after the script that changed it, in its order (`Due`). The call that made the change completes
 * it; where that died, a repetition does, or the sweep (expiry.ts), or whoever needs it done. Every step may be repeated.
 */

/** A sale that was completed. */
export interface CompletedSale {
  /** True for the one completion of a sale that is counted in the costs. */
  readonly isCounted: boolean;
  /** The calculation, where it was sold as the service had answered it; undefined where costs have nothing of it. */
  readonly of: AnsweredCalculation | undefined;
  /** Who pays for its benefits; nobody where it is not counted. */
  readonly funders: Funders;
  readonly bookedAtMs: number;
}

export interface Completed {
  /** With the units that only counters of all members know. */
  readonly overRedeemed: number;
  readonly sale?: CompletedSale;
  /** The time of the call was up before all was done. */
  readonly isTooLate: boolean;
}

/** Completes what `stored.due` says. `hasTime`: of a call that must be repeated where its time is up. Throws `StoreUnavailable`. */
export async function completeCalculation(
  store: Store,
  stored: AnsweredCalculation,
  describe: DescribeBasket = describeNothing,
  hasTime: () => boolean = () => true,
): Promise<Completed> {
  const { calculationId, venueId, commonUses, due, sale } = stored;
  if (due.release !== undefined) {
    await completeRelease(store, { successor: stored, supersededId: due.release, venueId });
  }
  const over = due.counters ? await completeEnding(store, stored, { uses: commonUses, ending: due.counters }) : 0;
  const overRedeemed = stored.overRedeemed + over;
  if (due.conflict && sale && stored.second) await appendConflict(store, stored, sale, stored.second, describe);
  if (!due.sale || !sale) return { overRedeemed, isTooLate: false };
  const booked = { ...stored, overRedeemed };
  // First, because whoever reports a sale is counted: if one of these fails, the next one reports it.
  const { funders = NOBODY } = await describe(booked, 'funded');
  await leadTo(store, { calculationId, ...sale });
  if (due.sale === 'event') await appendSale(store, booked, { calculationId, ...sale }, describe);
  // The mark is left to a repetition, because the result of a late call may reach nobody.
  if (!hasTime()) return { overRedeemed, isTooLate: true };
  const isCounted = await clearDue(store, stored, 'event');
  const of = isCounted && isSoldAsAnswered(stored, sale) ? stored : undefined;
  return { overRedeemed, sale: { isCounted, of, funders, bookedAtMs: stored.soldAtMs ?? 0 }, isTooLate: false };
}

/**
 * Completes what other slots still have to hear of a calculation: a release, and the ends of reservations of limits over all members. Throws
 * `StoreUnavailable`.
 */
export async function completeElsewhere(store: Store, owner: Owner): Promise<void> {
  const { due, venueId = '', commonUses } = await readSome(store, owner, 'due', 'venueId', 'commonUses');
  if (due.release !== undefined) {
    await completeRelease(store, { successor: owner, supersededId: due.release, venueId });
  }
  if (due.counters) await completeEnding(store, owner, { uses: commonUses, ending: due.counters });
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
  describe: DescribeBasket,
): Promise<void> {
  const { calculationId, member, isLate: late, overRedeemed, soldAtMs } = stored;
  const text = await recordedEvent(store, stored, sale, describe, { late, overRedeemed });
  const { key: events, event } = eventFor(store, member, calculationId, text);
  // When a sale event came that was before its answer is not kept: its event is booked when it is told.
  if (event === '') return appendEvent(store, calculationId, text, soldAtMs);
  const { retentionMs } = store.periods;
  const calculation = store.keys.calculation(member, calculationId);
  await tellSaleScript(store.connection, { calculation, events }, { event, retentionMs, soldAtMs });
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
  await appendEvent(
    store,
    calculationId,
    await conflictEvent(store, stored, { calculationId, ...second }, sale, describe),
  );
  await clearDue(store, stored, 'untold');
}
