import { randomUUID } from 'node:crypto';
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { StoreUnavailable } from '../redis/failure.ts';
import { type DescribeBasket, NOBODY, unknownEvent } from './calculation-events.ts';
import { BOOKER, type Completer, completeCalculation } from './completion.ts';
import { appendEvent } from './events.ts';
import { findAnswered } from './find-calculation.ts';
import { buryIndexEntry, type IndexEntry, markClaim, readIndexEntry } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import { noteReceipt } from './receipts.ts';
import { type CallDeadline, slotDeadline } from './redis-clock.ts';
import { consumes, outcomeText, type Sale } from './sale.ts';
import { type BookedSale, type Booking, bookSale, type Settling } from './sale-booking.ts';
import type { Store } from './store.ts';
import { allUses, isSoldBefore } from './stored-calculation.ts';

export type SettleOutcome =
  | {
      readonly outcome: 'recorded';
      readonly isLate: boolean;
      readonly overRedeemed: number;
      /** The fate of the calculation's live hold; undefined when it had none. */
      readonly hold: 'consumed' | 'released' | undefined;
    }
  | Extract<Booking, { readonly outcome: 'conflict' }>
  | { readonly outcome: 'duplicate' | 'unknown_calculation' | 'too_late' };

/**
 * Settles a calculation: the first event decides, an equal outcome later is a duplicate, a different one is a conflict.
 * Each settled event is in the stream before this returns: on one Redis by the step that books it, on a cluster at least once after it;
 * until then the calculation is marked as having an event due. `entry` is the calculation's index entry as read by the gateway. Past the deadline the sale
 * is not written. `count` is given what is to be counted in the costs, even where this fails: two sales where another member has taken the ID
 * over. Throws `StoreUnavailable`.
 */
export async function settleSale(
  store: Store,
  sale: Sale,
  entry: IndexEntry | undefined,
  deadline: CallDeadline,
  describe: DescribeBasket,
  count: Completer['count'],
): Promise<SettleOutcome> {
  const tombstone = { kind: 'sale', outcome: outcomeText(sale) } as const;
  return settleByEntry(store, { sale, deadline, describe, count, tombstone }, entry, MAX_ROUNDS);
}

/** Each round but the last finds that another call, or a merge of members, has changed the calculation or its index entry meanwhile. */
const MAX_ROUNDS = 100;

/** By the index entry: a calculation without a member gets a tombstone, any other one is booked in its member's slot. */
async function settleByEntry(
  store: Store,
  settling: Settling,
  entry: IndexEntry | undefined,
  rounds: number,
): Promise<SettleOutcome> {
  const { sale, tombstone } = settling;
  const { calculationId } = sale;
  const mark = (member: MemberToken, event: string) => markClaim(store, calculationId, member, tombstone, event);
  let present = entry;
  for (let left = rounds; left > 0; left -= 1) {
    // The first outcome stands as soon as its tombstone is written, even while a late basket has claimed the ID without a
    // commit. Only a calculation that it was booked of keeps the second one too, for a person to decide.
    const told = present?.tombstone?.kind === 'sale' ? present.tombstone.outcome : undefined;
    if (told !== undefined && told !== tombstone.outcome && !(await isBooked(store, calculationId))) {
      // For reconciliation: two different outcomes were reported, and nothing was booked of either.
      await appendEvent(store, calculationId, unknownEvent(sale, 'conflict'));
      return { outcome: 'conflict', of: undefined, funders: NOBODY, bookedAtMs: 0 };
    }
    const member = present?.member;
    if (member === undefined) {
      if (told !== undefined || (await bury(store, settling, present))) return recordUnknown(store, sale);
      present = await readIndexEntry(store, calculationId);
      continue;
    }
    const booking = await bookSale(store, settling, member);
    switch (booking.outcome) {
      case 'conflict':
      case 'too_late':
        return booking;
      case 'changed':
        break;
      case 'moved':
        await moveCalculation(store, member, booking.into, calculationId);
        break;
      case 'unknown':
        if (await mark(member, unknownEvent(sale, 'unknown_calculation'))) return recordUnknown(store, sale);
        break;
      case 'recorded':
      case 'duplicate': {
        // Another member may take over an ID without an answer, and must learn that it is sold: from the index entry, or where
        // it already has the ID, from us. The first booking gives the answer, and is completed last.
        if (!booking.isClaimable || (await mark(member, ''))) return completeBooking(store, settling, booking);
        const byNow = await readIndexEntry(store, calculationId);
        await settleByEntry(store, settling, byNow, left - 1);
        return completeBooking(store, settling, booking);
      }
    }
    present = await readIndexEntry(store, calculationId);
  }
  throw new StoreUnavailable('the calculation changes again and again');
}

/** Whether a calculation was sold by its answer. */
async function isBooked(store: Store, calculationId: string): Promise<boolean> {
  const stored = await findAnswered(store, calculationId);
  return stored !== undefined && !isSoldBefore(stored);
}

/** What follows a booking in other slots: counters of all members, receipt, event. A repeated event completes what a crash left. */
async function completeBooking(
  store: Store,
  { sale, deadline, describe, count }: Settling,
  { outcome, stored, basket }: BookedSale,
): Promise<SettleOutcome> {
  const hasTime = () => deadline.remainingMs() >= COMMIT_MARGIN_MS;
  const completer = { describe, count, claimant: outcome === 'recorded' ? BOOKER : randomUUID() };
  const completed = await completeCalculation(store, stored, completer, { hasTime, basket });
  if (completed.isTooLate) return { outcome: 'too_late' };
  if (outcome === 'duplicate') return { outcome };
  const { isLate } = stored;
  const hold = allUses(stored).length === 0 || isLate ? undefined : consumes(sale) ? 'consumed' : 'released';
  return { outcome, isLate, overRedeemed: completed.overRedeemed, hold };
}

/**
 * Leaves the outcome where no member has the calculation: without an entry nobody has seen it, and where a successor came before both, the
 * outcome takes the place of its mark, and keeps what the mark says, since a calculation that was sold takes no hold either. False where
 * the entry is another one by now.
 */
async function bury(
  store: Store,
  { sale, tombstone, deadline }: Settling,
  replaced: IndexEntry | undefined,
): Promise<boolean> {
  const { calculationId } = sale;
  const deadlineMs = await slotDeadline(store, store.keys.index(calculationId), deadline);
  const event = unknownEvent(sale, 'unknown_calculation');
  const present = await buryIndexEntry(store, calculationId, tombstone, { deadlineMs, replaced, event });
  return present === undefined;
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
