import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { callCommand } from '../redis/commands.ts';
import { type CommonDue, completeEnding } from './common-endings.ts';
import { joinUses } from './common-uses.ts';
import { appendEvent, identify, type SettledEvent } from './events.ts';
import { effective, type Gave, readGave } from './gave.ts';
import { givenWords } from './given.ts';
import { buryIndexEntry, type IndexEntry, markClaim, readIndexEntry, type Tombstone } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import { noteReceipt } from './receipts.ts';
import { consumes, keptMs, outcomeText, type Sale, soldBy } from './sale-outcome.ts';
import { settleScript } from './scripts/sales.ts';
import { type CallDeadline, slotDeadline } from './slot-clock.ts';
import { type LinesOf, readSoldBytes, type SoldBytes } from './sold-bytes.ts';
import type { Store } from './store.ts';

export type SettleOutcome =
  | {
      readonly outcome: 'recorded';
      readonly isLate: boolean;
      readonly overRedeemed: number;
      /** The fate of the calculation's live hold; undefined when it had none. */
      readonly hold: 'consumed' | 'released' | undefined;
      /** True for the one event of a calculation that is counted (`tellSettled`). */
      readonly isCounted: boolean;
      readonly gave: Gave | undefined;
      readonly bookedAtMs: number;
    }
  | {
      readonly outcome: 'duplicate';
      readonly isCounted: boolean;
      readonly gave: Gave | undefined;
      readonly bookedAtMs: number;
    }
  /** `of`: what the calculation gave, where this event is the first that says otherwise. */
  | { readonly outcome: 'conflict'; readonly of: Gave | undefined; readonly bookedAtMs: number }
  | { readonly outcome: 'unknown_calculation' | 'too_late' };

/** A sale event on its way through its steps. */
interface Settling {
  readonly sale: Sale;
  readonly deadline: CallDeadline;
  readonly linesOf: LinesOf | undefined;
  /** The tombstone that the event leaves where its calculation has no member, or where another member may still take the ID over. */
  readonly tombstone: Tombstone & { readonly kind: 'sale' };
}

/**
 * Settles a calculation: the first event decides, an equal outcome later is a duplicate, a different one is a conflict.
 * Each settled event is appended to the stream at least once before this returns; until then the calculation is marked
 * as having an event due. `entry` is the calculation's index entry as read by the gateway. Past the deadline the sale
 * is not written. Throws `StoreUnavailable`.
 */
export function settleSale(
  store: Store,
  sale: Sale,
  entry: IndexEntry | undefined,
  deadline: CallDeadline,
  linesOf?: LinesOf,
): Promise<SettleOutcome> {
  const tombstone = { kind: 'sale', outcome: outcomeText(sale) } as const;
  return settleByEntry(store, { sale, deadline, linesOf, tombstone }, entry);
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
    await appendEvent(store, {
      calculationId: sale.calculationId,
      result: 'conflict',
      status: '',
      transactionId: '',
      failureReason: '',
    });
    return { outcome: 'conflict', of: undefined, bookedAtMs: 0 };
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
  const isClaimable = booked.outcome === 'unknown' || booked.isClaimable;
  const isMarked = !isClaimable || (await markClaim(store, calculationId, member, tombstone));
  const ofOther = isMarked ? undefined : await settleAgain();
  if (booked.outcome === 'unknown') return ofOther ?? recordUnknown(store, sale);
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
  // First, because whoever tells of a sale is counted: if this fails, the repeated event tells.
  await leadTo(store, sale);
  const isCounted = booked.isEventDue && (await tellSettled(store, settling, member, booked));
  if (isCounted === undefined) return { outcome: 'too_late' };
  const { bookedAtMs } = booked;
  const counted = { isCounted, gave: isCounted ? soldBy(sale, booked.gave) : undefined, bookedAtMs };
  if (booked.outcome === 'duplicate') return { outcome: 'duplicate', ...counted };
  const { isLate, overRedeemed, uses } = booked;
  const hold = uses === '' || isLate ? undefined : consumes(sale) ? 'consumed' : 'released';
  return { outcome: 'recorded', isLate, overRedeemed, hold, ...counted };
}

async function bury(
  store: Store,
  { sale: { calculationId }, tombstone, deadline }: Settling,
  replaced?: IndexEntry,
): Promise<IndexEntry | undefined> {
  const deadlineMs = await slotDeadline(store, store.keys.index(calculationId), deadline);
  return buryIndexEntry(store, calculationId, tombstone, deadlineMs, replaced);
}

/** The result of the settle script in the calculation's slot. */
type Booking =
  | Extract<SettleOutcome, { readonly outcome: 'conflict' }>
  | { readonly outcome: 'too_late' }
  | { readonly outcome: 'unknown' }
  /** The member was merged into another one, and the calculation has not moved yet. */
  | { readonly outcome: 'moved'; readonly into: MemberToken }
  | ({ readonly outcome: 'recorded' | 'duplicate' } & Booked);

interface Booked {
  readonly isLate: boolean;
  readonly overRedeemed: number;
  /** `usageKey=units/limit`, separated by blanks. */
  readonly uses: string;
  /** How its holds in counters of all members are still to end. */
  readonly commonDue: CommonDue;
  readonly answered: string;
  readonly reason: string;
  readonly venueId: string;
  readonly isEventDue: boolean;
  /** True when the answer has expired, so that the ID may be claimed anew. */
  readonly isClaimable: boolean;
  /** What benefits gave; undefined of a calculation of an older version. */
  readonly gave: Gave | undefined;
  /** Undefined where lines are not asked for, or not known. */
  readonly sold: SoldBytes | undefined;
  /** By Redis' clock, ms since 1970. */
  readonly bookedAtMs: number;
}

async function bookSale(
  store: Store,
  { sale, deadline, linesOf, tombstone }: Settling,
  member: MemberToken,
): Promise<Booking> {
  const { connection, keys, periods } = store;
  const { calculationId } = sale;
  const deadlineMs = await slotDeadline(store, keys.calculation(member, calculationId), deadline);
  const reply = await settleScript(
    connection,
    {
      ...keys.ofMember(member),
      ...keys.ofCalculation(member, calculationId),
      others: keys.othersOf(member, calculationId, 'as the record'),
    },
    {
      calculationId,
      outcome: tombstone.outcome,
      consumes: consumes(sale),
      deadlineMs,
      retentionMs: periods.retentionMs,
      keptMs: keptMs(sale, periods),
      // Goods were sold, whether by the answer or as the till had them.
      asksLines: linesOf !== undefined && (consumes(sale) || sale.status === 'unchanged'),
    },
  );
  switch (reply.outcome) {
    case 'conflict':
      return {
        outcome: 'conflict',
        of: reply.isNew ? effective(readGave(reply)) : undefined,
        bookedAtMs: reply.bookedAtMs,
      };
    case 'recorded':
    case 'duplicate':
      return {
        ...reply,
        uses: joinUses(reply.uses, reply.common),
        commonDue: { text: reply.common, ending: reply.ending },
        gave: readGave(reply),
        sold: readSoldBytes(consumes(sale), reply),
      };
    default:
      return reply;
  }
}

/**
 * Appends the event of a booked sale, and then clears the mark that it is due. Returns whether this call has cleared it: of
 * all calls that tell of a sale, whatever processes died in between, at most one has, and that one is counted. A call whose
 * time is up gets undefined and must be repeated: it leaves the mark to the repeated event, because its own result may reach
 * nobody.
 */
async function tellSettled(
  store: Store,
  { sale, deadline, linesOf }: Settling,
  member: MemberToken,
  booked: Booked,
): Promise<boolean | undefined> {
  const lines = booked.sold && linesOf?.(booked.sold);
  await appendEvent(store, {
    ...eventFields(sale, 'recorded'),
    answered: booked.answered,
    ...(booked.reason !== '' && { reason: booked.reason }),
    venueId: booked.venueId,
    ...identify(member, booked.gave),
    benefits: consumes(sale) && booked.gave ? givenWords(booked.gave) : '',
    uses: consumes(sale) ? booked.uses : '',
    late: booked.isLate ? '1' : '0',
    overRedeemed: String(booked.overRedeemed),
    ...(lines !== undefined && { lines }),
  });
  if (deadline.remainingMs() < COMMIT_MARGIN_MS) return undefined;
  const calculationKey = store.keys.calculation(member, sale.calculationId);
  return (await callCommand(store.connection, 'hdel', calculationKey, 'event')) === 1;
}

/**
 * Notes the receipt, and keeps the index entry for as long as goods can be returned; again for a repeated event, because the first
 * one's process may have died before.
 */
export async function leadTo(store: Store, sale: Sale): Promise<void> {
  const keptFor = keptMs(sale, store.periods);
  const key = store.keys.index(sale.calculationId);
  const isLonger = keptFor > store.periods.retentionMs;
  await Promise.all([note(store, sale), isLonger && callCommand(store.connection, 'pexpire', key, keptFor)]);
}

async function note(store: Store, { transactionId, calculationId }: Sale): Promise<void> {
  if (transactionId !== undefined) await noteReceipt(store, transactionId, calculationId);
}

/**
 * Appends the event of an unknown calculation. A repeated event is appended again, because no stored calculation
 * records that it was published.
 */
async function recordUnknown(store: Store, sale: Sale): Promise<SettleOutcome> {
  await Promise.all([appendEvent(store, eventFields(sale, 'unknown_calculation')), note(store, sale)]);
  return { outcome: 'unknown_calculation' };
}

function eventFields(sale: Sale, result: SettledEvent['result']): SettledEvent {
  return {
    calculationId: sale.calculationId,
    result,
    status: sale.status,
    transactionId: sale.transactionId ?? '',
    failureReason: sale.failureReason ?? '',
  };
}
