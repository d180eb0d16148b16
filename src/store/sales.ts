import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { type DescribeBasket, describeNothing, NOBODY, unknownEvent } from './calculation-events.ts';
import { type CompletedSale, completeCalculation, leadTo } from './completion.ts';
import { appendEvent } from './events.ts';
import { buryIndexEntry, type IndexEntry, markClaim, readIndexEntry } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import { noteReceipt } from './receipts.ts';
import { type CallDeadline, slotDeadline } from './redis-clock.ts';
import { consumes, outcomeText, type Sale } from './sale.ts';
import { type Booking, bookSale, type Settling } from './sale-booking.ts';
import type { Store } from './store.ts';
import { allUses } from './stored-calculation.ts';

export type SettleOutcome =
  | ({
      readonly outcome: 'recorded';
      readonly isLate: boolean;
      readonly overRedeemed: number;
      /** The fate of the calculation's live hold; undefined when it had none. */
      readonly hold: 'consumed' | 'released' | undefined;
    } & CompletedSale)
  | ({ readonly outcome: 'duplicate' } & CompletedSale)
  | Extract<Booking, { readonly outcome: 'conflict' }>
  | { readonly outcome: 'unknown_calculation' | 'too_late' };

/**
 * Settles a calculation: the first event decides, an equal outcome later is a duplicate, a different one is a conflict.
 * Each settled event is in the stream before this returns: on one Redis by the step that books it, on a cluster at least once after it;
 * until then the calculation is marked as having an event due. `entry` is the calculation's index entry as read by the gateway. Past the deadline the sale
 * is not written. Throws `StoreUnavailable`.
 */
export function settleSale(
  store: Store,
  sale: Sale,
  entry: IndexEntry | undefined,
  deadline: CallDeadline,
  describe: DescribeBasket = describeNothing,
): Promise<SettleOutcome> {
  const tombstone = { kind: 'sale', outcome: outcomeText(sale) } as const;
  return settleByEntry(store, { sale, deadline, describe, tombstone }, entry);
}

/** By the index entry: a calculation without a member gets a tombstone, any other one is settled in its member's slot. */
async function settleByEntry(store: Store, settling: Settling, entry: IndexEntry | undefined): Promise<SettleOutcome> {
  const { sale, tombstone } = settling;
  // Without an entry nobody has seen the calculation, unless somebody has just written one.
  const present = entry ?? (await bury(store, settling));
  if (present === undefined) return recordUnknown(store, sale);
  // The first outcome stands as soon as its tombstone is written, even while a late basket has claimed the ID without a
  // commit.
  const told = present.tombstone?.kind === 'sale' ? present.tombstone.outcome : undefined;
  if (told !== undefined && told !== tombstone.outcome) {
    // For reconciliation: two different outcomes were reported for a calculation that was never seen.
    await appendEvent(store, sale.calculationId, unknownEvent(sale, 'conflict'));
    return { outcome: 'conflict', of: undefined, funders: NOBODY, bookedAtMs: 0 };
  }
  if (present.member !== undefined) return settleInSlot(store, settling, present.member);
  if (told !== undefined) return recordUnknown(store, sale);
  // A successor came before both: the outcome takes the place of its mark, and keeps what the mark says, since a
  // calculation that was sold takes no hold either.
  const changed = await bury(store, settling, present);
  return changed ? settleByEntry(store, settling, changed) : recordUnknown(store, sale);
}

/** In the slot of the member that has the calculation's ID. */
async function settleInSlot(store: Store, settling: Settling, member: MemberToken): Promise<SettleOutcome> {
  const { sale, tombstone } = settling;
  const { calculationId } = sale;
  const settleAgain = async () => settleByEntry(store, settling, await readIndexEntry(store, calculationId));
  const booked = await bookSale(store, settling, member);
  if (booked.outcome === 'moved') {
    await moveCalculation(store, member, booked.into, calculationId);
    return settleAgain();
  }
  if (booked.outcome === 'conflict' || booked.outcome === 'too_late') return booked;
  // Another member may take over an ID without an answer, and must learn that it is sold: from the index entry, or where
  // it already has the ID, from us.
  const isUnknown = booked.outcome === 'unknown';
  const isClaimable = isUnknown || booked.isClaimable;
  const event = isUnknown ? unknownEvent(sale, 'unknown_calculation') : '';
  const isMarked = !isClaimable || (await markClaim(store, calculationId, member, tombstone, event));
  const ofOther = isMarked ? undefined : await settleAgain();
  if (isUnknown) return ofOther ?? recordUnknown(store, sale);
  return completeBooking(store, settling, booked);
}

/** What follows a booking in other slots: counters of all members, receipt, event. A repeated event completes what a crash left. */
async function completeBooking(
  store: Store,
  { sale, deadline, describe }: Settling,
  { outcome, stored }: Extract<Booking, { readonly outcome: 'recorded' | 'duplicate' }>,
): Promise<SettleOutcome> {
  const hasTime = () => deadline.remainingMs() >= COMMIT_MARGIN_MS;
  const completed = await completeCalculation(store, stored, describe, hasTime);
  if (!stored.due.sale) await leadTo(store, sale);
  if (completed.isTooLate) return { outcome: 'too_late' };
  const counted = completed.sale ?? { ...NOT_COUNTED, bookedAtMs: stored.soldAtMs ?? 0 };
  if (outcome === 'duplicate') return { outcome, ...counted };
  const { isLate } = stored;
  const hold = allUses(stored).length === 0 || isLate ? undefined : consumes(sale) ? 'consumed' : 'released';
  return { outcome, isLate, overRedeemed: completed.overRedeemed, hold, ...counted };
}

const NOT_COUNTED = { isCounted: false, of: undefined, funders: NOBODY };

async function bury(
  store: Store,
  { sale, tombstone, deadline }: Settling,
  replaced?: IndexEntry,
): Promise<IndexEntry | undefined> {
  const { calculationId } = sale;
  const deadlineMs = await slotDeadline(store, store.keys.index(calculationId), deadline);
  const event = unknownEvent(sale, 'unknown_calculation');
  return buryIndexEntry(store, calculationId, tombstone, { deadlineMs, replaced, event });
}

/**
 * A calculation that nobody knows. Its event was appended with its tombstone; on a cluster it is appended here, and again for a repeated
 * event, because no stored calculation says that it was.
 */
async function recordUnknown(store: Store, sale: Sale): Promise<SettleOutcome> {
  const event = unknownEvent(sale, 'unknown_calculation');
  const { isCluster } = store.connection;
  const { calculationId, transactionId } = sale;
  await Promise.all([
    isCluster && appendEvent(store, calculationId, event),
    transactionId !== undefined && noteReceipt(store, transactionId, calculationId),
  ]);
  return { outcome: 'unknown_calculation' };
}
