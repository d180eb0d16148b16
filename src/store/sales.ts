import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { unknownEvent } from './calculation-events.ts';
import { completeEnding } from './common-endings.ts';
import { appendEvent } from './events.ts';
import type { Gave } from './gave.ts';
import { buryIndexEntry, type IndexEntry, markClaim, readIndexEntry } from './index-entry.ts';
import { type DescribeBasket, describeNothing, type Funders, NOBODY, readFundersOf } from './kept-calculation.ts';
import type { MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import { noteReceipt } from './receipts.ts';
import { type CallDeadline, slotDeadline } from './redis-clock.ts';
import { consumes, keptMs, outcomeText, type Sale, soldBy } from './sale.ts';
import { appendDue, type Booked, type Booking, bookSale, type Settling } from './sale-booking.ts';
import type { Store } from './store.ts';

export type SettleOutcome =
  | ({
      readonly outcome: 'recorded';
      readonly isLate: boolean;
      readonly overRedeemed: number;
      /** The fate of the calculation's live hold; undefined when it had none. */
      readonly hold: 'consumed' | 'released' | undefined;
    } & SettledCosts)
  | ({ readonly outcome: 'duplicate' } & SettledCosts)
  | Extract<Booking, { readonly outcome: 'conflict' }>
  | { readonly outcome: 'unknown_calculation' | 'too_late' };

/** What is to be counted of a settled sale. */
export interface SettledCosts {
  /** True for the one event of a calculation that is counted (`tellSettled`). */
  readonly isCounted: boolean;
  readonly gave: Gave | undefined;
  /** Who pays for its benefits; nobody where it is not counted. */
  readonly funders: Funders;
  readonly bookedAtMs: number;
}

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
  return completeBooking(store, settling, member, booked);
}

/** What follows a booking in other slots: counters of all members, receipt, event. A repeated event completes what a crash left. */
async function completeBooking(
  store: Store,
  settling: Settling,
  member: MemberToken,
  booking: Extract<Booking, Booked>,
): Promise<SettleOutcome> {
  const { sale } = settling;
  const over = await completeEnding(store, { calculationId: sale.calculationId, member }, booking.commonDue);
  const booked = { ...booking, overRedeemed: booking.overRedeemed + over };
  // First, because whoever tells of a sale is counted: if one of these fails, the repeated event tells.
  const funders = booked.due === '' ? NOBODY : await readFundersOf(booked.kept, settling.describe);
  await leadTo(store, sale);
  const isCounted = booked.due !== '' && (await tellSettled(store, settling, member, booked));
  if (isCounted === undefined) return { outcome: 'too_late' };
  const gave = isCounted ? soldBy(sale, booked.gave) : undefined;
  const counted = { isCounted, gave, funders, bookedAtMs: booked.bookedAtMs };
  if (booked.outcome === 'duplicate') return { outcome: 'duplicate', ...counted };
  const { isLate, overRedeemed, uses } = booked;
  const hold = uses === '' || isLate ? undefined : consumes(sale) ? 'consumed' : 'released';
  return { outcome: 'recorded', isLate, overRedeemed, hold, ...counted };
}

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
 * Appends the event of a booked sale where it is due, and then clears the mark that the sale is to be counted. Returns whether this call
 * has cleared it: of all calls that tell of a sale, whatever processes died in between, at most one has, and that one is counted. A call
 * whose time is up gets undefined and must be repeated: it leaves the mark to the repeated event, because its own result may reach
 * nobody.
 */
async function tellSettled(
  store: Store,
  settling: Settling,
  member: MemberToken,
  booked: Booked,
): Promise<boolean | undefined> {
  const { sale, deadline } = settling;
  if (booked.due === 'event') await appendDue(store, settling, member, booked);
  if (deadline.remainingMs() < COMMIT_MARGIN_MS) return undefined;
  const calculationKey = store.keys.calculation(member, sale.calculationId);
  return (await store.connection.run(calculationKey, (client) => client.hdel(calculationKey, 'event'))) === 1;
}

/**
 * Notes the receipt, and keeps the index entry for as long as goods can be returned; again for a repeated event, because the first
 * one's process may have died before.
 */
export async function leadTo(store: Store, sale: Sale): Promise<void> {
  const keptFor = keptMs(sale, store.periods);
  const key = store.keys.index(sale.calculationId);
  const isLonger = keptFor > store.periods.retentionMs;
  await Promise.all([
    note(store, sale),
    isLonger && store.connection.run(key, (client) => client.pexpire(key, keptFor)),
  ]);
}

async function note(store: Store, { transactionId, calculationId }: Sale): Promise<void> {
  if (transactionId !== undefined) await noteReceipt(store, transactionId, calculationId);
}

/**
 * A calculation that nobody knows. Its event was appended with its tombstone; on a cluster it is appended here, and again for a repeated
 * event, because no stored calculation says that it was.
 */
async function recordUnknown(store: Store, sale: Sale): Promise<SettleOutcome> {
  const event = unknownEvent(sale, 'unknown_calculation');
  const { isCluster } = store.connection;
  await Promise.all([isCluster && appendEvent(store, sale.calculationId, event), note(store, sale)]);
  return { outcome: 'unknown_calculation' };
}
