import { StoreUnavailable } from '../redis/failure.ts';
import {
  conflictEvent,
  type DescribeBasket,
  type Funders,
  NOBODY,
  recordedEvent,
  unknownEvent,
} from './calculation-events.ts';
import { noteDue } from './due.ts';
import { appendEvent, eventFor } from './events.ts';
import type { Tombstone } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { type CallDeadline, slotDeadline } from './redis-clock.ts';
import { consumes, keptMs, outcomeText, type Sale } from './sale.ts';
import { settleScript } from './scripts/sales.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, clearDue, isSoldBefore, readAnswered } from './stored-calculation.ts';

/** The booking of a sale in the slot of its member, with its event. sales.ts has the steps around it. */

/** A sale event on its way through its steps. */
export interface Settling {
  readonly sale: Sale;
  readonly deadline: CallDeadline;
  readonly describe: DescribeBasket;
  /** The tombstone that the event leaves where its calculation has no member, or where another member may still take the ID over. */
  readonly tombstone: Tombstone & { readonly kind: 'sale' };
}

/** The result of the settle script in the calculation's slot. */
export type Booking =
  /** `of`: the calculation, where this event is the first that says otherwise of what was sold by its answer. */
  | {
      readonly outcome: 'conflict';
      readonly of: AnsweredCalculation | undefined;
      readonly funders: Funders;
      readonly bookedAtMs: number;
    }
  | { readonly outcome: 'too_late' }
  | { readonly outcome: 'unknown' }
  /** The member was merged into another one, and the calculation has not moved yet. */
  | { readonly outcome: 'moved'; readonly into: MemberToken }
  | {
      readonly outcome: 'recorded' | 'duplicate';
      /** As it is booked now. Of its `due` it has what the booking has left. */
      readonly stored: AnsweredCalculation;
      /** True when the answer has expired, so that the ID may be claimed anew. */
      readonly isClaimable: boolean;
    };

/** Each round that finds the calculation changed means that a call was answered meanwhile. */
const MAX_ROUNDS = 100;

/**
 * Books the sale in the slot of its member, with its event: that is made from the calculation as it was read before, and the script
 * refuses where it has changed since.
 */
export async function bookSale(store: Store, settling: Settling, member: MemberToken): Promise<Booking> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const stored = await readAnswered(store, { member, calculationId: settling.sale.calculationId });
    const booking = await bookAsRead(store, settling, member, stored);
    if (booking) return booking;
  }
  throw new StoreUnavailable('the calculation is answered again and again');
}

/** Undefined where the calculation is not as it was read. */
async function bookAsRead(
  store: Store,
  settling: Settling,
  member: MemberToken,
  read: AnsweredCalculation | undefined,
): Promise<Booking | undefined> {
  const { sale, deadline, describe, tombstone } = settling;
  const { connection, keys, periods } = store;
  const { calculationId, ...outcome } = sale;
  const saleRead = read?.sale && outcomeText(read.sale);
  const isConflict = saleRead !== undefined && saleRead !== tombstone.outcome;
  if (read && isLookedAt(store, read, isConflict)) await noteDue(store, calculationId, true);
  const deadlineMs = await slotDeadline(store, keys.calculation(member, calculationId), deadline);
  const text = await eventOf(store, settling, read);
  // One conflict is counted once: a call that failed after it was booked would leave it out of the costs.
  const { funders = NOBODY } = isConflict && read ? await describe(read, 'funded') : {};
  const { key: events, event } = eventFor(store, member, calculationId, text);
  const reply = await settleScript(
    connection,
    {
      ...keys.ofMember(member),
      ...keys.ofCalculation(member, calculationId),
      events,
      others: keys.othersOf(member, calculationId, 'as the record'),
    },
    {
      calculationId,
      outcome: tombstone.outcome,
      consumes: consumes(sale),
      deadlineMs,
      retentionMs: periods.retentionMs,
      keptMs: keptMs(sale, periods),
      event,
      answeredRead: read?.answeredAtMs,
      saleRead,
    },
  );
  switch (reply.outcome) {
    case 'changed':
      return undefined;
    case 'conflict': {
      if (!reply.isTold) {
        await appendEvent(store, calculationId, text === '' ? unknownEvent(sale, 'conflict') : text);
        await clearDue(store, { member, calculationId }, 'untold');
      }
      const { isNew, bookedAtMs } = reply;
      return { outcome: 'conflict', of: isNew && read && !isSoldBefore(read) ? read : undefined, funders, bookedAtMs };
    }
    case 'recorded':
    case 'duplicate': {
      if (!read) return undefined;
      const { isLate, overRedeemed, bookedAtMs, isClaimable } = reply;
      // A sale that is booked now came after its answer, also where a clock went back between the two.
      const soldAtMs = reply.outcome === 'recorded' ? Math.max(bookedAtMs, read.answeredAtMs) : bookedAtMs || undefined;
      const due = { counters: reply.ending || undefined, sale: reply.due || undefined };
      const stored = { ...read, sale: outcome, soldAtMs, isLate, overRedeemed, due };
      return { outcome: reply.outcome, stored, isClaimable };
    }
    default:
      return reply;
  }
}

/**
 * Whether a calculation has to be noted before a sale event changes it, so that the sweep completes what a crash leaves: it looks at each
 * once its reservation has ended, and at no other one again.
 */
function isLookedAt({ connection }: Store, { state }: AnsweredCalculation, isConflict: boolean): boolean {
  if (state === 'sold') return isConflict && connection.isCluster;
  return state !== 'open';
}

/** The event that a sale makes of a calculation: that it is recorded, or refused. Empty where none is due, or nobody knows it. */
async function eventOf(
  store: Store,
  { sale, tombstone, describe }: Settling,
  read: AnsweredCalculation | undefined,
): Promise<string> {
  if (!read) return '';
  if (read.sale === undefined) return recordedEvent(store, read, sale, describe);
  return outcomeText(read.sale) === tombstone.outcome ? '' : conflictEvent(store, read, sale, read.sale, describe);
}
