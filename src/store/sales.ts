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
import { settleScript } from './scripts/sales.ts';
import { type CallDeadline, slotDeadline } from './slot-clock.ts';
import { type LinesOf, readSoldBytes, type SoldBytes } from './sold-bytes.ts';
import { type Store, soldMs } from './store.ts';

/** A sale event to be settled. */
export interface Sale {
  readonly calculationId: string;
  readonly status: string;
  readonly transactionId: string | undefined;
  readonly failureReason: string | undefined;
}

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
    }
  | { readonly outcome: 'duplicate'; readonly isCounted: boolean; readonly gave: Gave | undefined }
  /** `tookBack`: this event is the first that says otherwise than a sale that gave benefits. */
  | { readonly outcome: 'conflict'; readonly tookBack?: Gave }
  | { readonly outcome: 'unknown_calculation' | 'too_late' };

/**
 * Settles a calculation: the first event decides, an equal outcome later is a duplicate, a different one is a conflict.
 * Each settled event is appended to the stream at least once before this returns; until then the calculation is marked
 * as having an event due. `entry` is the calculation's index entry as read by the gateway. Past the deadline the sale
 * is not written. Throws `StoreUnavailable`.
 */
export async function settleSale(
  store: Store,
  sale: Sale,
  entry: IndexEntry | undefined,
  deadline: CallDeadline,
  linesOf?: LinesOf,
): Promise<SettleOutcome> {
  const { calculationId } = sale;
  const tombstone = { kind: 'sale', outcome: outcomeText(sale) } as const;
  const present = entry ?? (await bury(store, calculationId, tombstone, deadline));
  if (present === undefined) return recordUnknown(store, sale);
  // The first outcome stands as soon as its tombstone is written, even while a late basket has claimed the ID without a
  // commit.
  const told = present.tombstone?.kind === 'sale' ? present.tombstone.outcome : undefined;
  if (told !== undefined && told !== tombstone.outcome) {
    // For reconciliation: two different outcomes were reported for a calculation that was never seen.
    await appendEvent(store, { calculationId, result: 'conflict', status: '', transactionId: '', failureReason: '' });
    return { outcome: 'conflict' };
  }
  const { member } = present;
  if (member === undefined) {
    // A successor came before both: the outcome takes the place of its mark, and keeps what the mark says, since a
    // calculation that was sold takes no hold either.
    const next = told === undefined ? await bury(store, calculationId, tombstone, deadline, present) : undefined;
    return next ? settleSale(store, sale, next, deadline, linesOf) : recordUnknown(store, sale);
  }

  const settled = await bookSale(store, sale, member, deadline, linesOf !== undefined);
  if (settled.outcome === 'moved') {
    await moveCalculation(store, member, settled.into, calculationId);
    return settleSale(store, sale, await readIndexEntry(store, calculationId), deadline, linesOf);
  }
  if (settled.outcome === 'conflict' || settled.outcome === 'too_late') return settled;
  // Another member may take over an ID without an answer, and must learn that it is sold: from the index entry, or from
  // us.
  const isTold = !settled.isClaimable || (await markClaim(store, calculationId, member, tombstone));
  const next = isTold
    ? undefined
    : await settleSale(store, sale, await readIndexEntry(store, calculationId), deadline, linesOf);
  if (settled.outcome === 'unknown') return next ?? recordUnknown(store, sale);
  const over = await completeEnding(store, { calculationId, member }, settled.commonDue);
  const booked = { ...settled, overRedeemed: settled.overRedeemed + over };
  // First, because whoever tells of a sale is counted: if this fails, the repeated event tells.
  await leadTo(store, sale);
  const isCounted = settled.isEventDue && (await tellSettled(store, sale, member, booked, deadline, linesOf));
  if (isCounted === undefined) return { outcome: 'too_late' };
  const counted = { isCounted, gave: isCounted ? soldBy(sale, settled.gave) : undefined };
  if (settled.outcome === 'duplicate') return { outcome: 'duplicate', ...counted };
  const { isLate, overRedeemed, uses } = booked;
  const consumption = consumes(sale) ? 'consumed' : 'released';
  const hold = uses !== '' && !isLate ? consumption : undefined;
  return { outcome: 'recorded', isLate, overRedeemed, hold, ...counted };
}

async function bury(
  store: Store,
  calculationId: string,
  tombstone: Tombstone,
  deadline: CallDeadline,
  replaced?: IndexEntry,
): Promise<IndexEntry | undefined> {
  const deadlineMs = await slotDeadline(store, store.keys.index(calculationId), deadline);
  return buryIndexEntry(store, calculationId, tombstone, deadlineMs, replaced);
}

/** The result of the settle script in the calculation's slot. */
type Booking =
  | { readonly outcome: 'conflict'; readonly tookBack?: Gave }
  | { readonly outcome: 'too_late' }
  | { readonly outcome: 'unknown'; readonly isClaimable: true }
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
}

async function bookSale(
  store: Store,
  sale: Sale,
  member: MemberToken,
  deadline: CallDeadline,
  asksLines: boolean,
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
      outcome: outcomeText(sale),
      consumes: consumes(sale),
      deadlineMs,
      retentionMs: periods.retentionMs,
      keptMs: keptMs(sale, periods),
      asksLines: asksLines && isSale(sale),
    },
  );
  switch (reply.outcome) {
    case 'taken_back': {
      const tookBack = effective(readGave(reply));
      return tookBack ? { outcome: 'conflict', tookBack } : { outcome: 'conflict' };
    }
    case 'unknown':
      return { outcome: 'unknown', isClaimable: true };
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

/** The basket that was sold as the service had answered it. Where a till keeps another basket, nobody knows what was paid. */
function soldBy(sale: Sale, gave: Gave | undefined): Gave | undefined {
  const isAsAnswered = consumes(sale) || (sale.status === 'unchanged' && gave?.benefits.length === 0);
  return isAsAnswered ? effective(gave) : undefined;
}

/**
 * Appends the event of a booked sale, and then clears the mark that it is due. Returns whether this call has cleared it: of
 * all calls that tell of a sale, whatever processes died in between, at most one has, and that one is counted. A call whose
 * time is up gets undefined and must be repeated: it leaves the mark to the repeated event, because its own result may reach
 * nobody.
 */
async function tellSettled(
  store: Store,
  sale: Sale,
  member: MemberToken,
  booked: Booked,
  { remainingMs }: CallDeadline,
  linesOf: LinesOf | undefined,
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
  if (remainingMs() < COMMIT_MARGIN_MS) return undefined;
  const calculationKey = store.keys.calculation(member, sale.calculationId);
  return (await callCommand(store.connection, 'hdel', calculationKey, 'event')) === 1;
}

/**
 * Notes the receipt, and keeps the index entry for as long as goods can be returned; again for a repeated event, because the first
 * one's process may have died before.
 */
async function leadTo(store: Store, sale: Sale): Promise<void> {
  const keptFor = keptMs(sale, store.periods);
  const key = store.keys.index(sale.calculationId);
  const isLonger = keptFor > store.periods.retentionMs;
  await Promise.all([note(store, sale), isLonger && callCommand(store.connection, 'pexpire', key, keptFor)]);
}

async function note(store: Store, { transactionId, calculationId }: Sale): Promise<void> {
  if (transactionId !== undefined) await noteReceipt(store, transactionId, calculationId);
}

/** Goods of a sale can be returned, those of a cancelled one were never sold. */
function keptMs({ transactionId }: Sale, periods: Store['periods']): number {
  return transactionId === undefined ? periods.retentionMs : soldMs(periods);
}

/** Goods were sold, whether by the answer or as the till had them. */
function isSale(sale: Sale): boolean {
  return consumes(sale) || sale.status === 'unchanged';
}

function consumes({ status }: Sale): boolean {
  return status === 'applied';
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

/** The fields that define an outcome, as one unambiguous text. */
function outcomeText({ status, transactionId, failureReason }: Sale): string {
  return JSON.stringify([status, transactionId ?? null, failureReason ?? null]);
}
