import {
  type BasketDescription,
  conflictEvent,
  type DescribeBasket,
  type Funders,
  NOBODY,
  recordedEvent,
  unknownEvent,
} from './calculation-events.ts';
import type { Completer } from './completion.ts';
import { appendEvent, eventsKey } from './events.ts';
import { noteExamination } from './examinations.ts';
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
  readonly count: Completer['count'];
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
  /** The calculation was answered, or otherwise changed, between its read and the booking. */
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'unknown' }
  /** The member was merged into another one, and the calculation has not moved yet. */
  | { readonly outcome: 'moved'; readonly into: MemberToken }
  | BookedSale;

export interface BookedSale {
  readonly outcome: 'recorded' | 'duplicate';
  /** As it is booked now. Of its `due` it has what the booking has left. */
  readonly stored: AnsweredCalculation;
  /** True when the answer has expired, so that the ID may be claimed anew. */
  readonly isClaimable: boolean;
  /** As its event was made from it; undefined of a duplicate, which as a rule makes none. */
  readonly basket: BasketDescription | undefined;
}

/**
 * Books the sale in the slot of its member, with its event: that is made from the calculation as it was read before, and the script
 * refuses where it has changed since.
 */
export async function bookSale(store: Store, settling: Settling, member: MemberToken): Promise<Booking> {
  const { sale, deadline, describe, tombstone } = settling;
  const { connection, keys, periods } = store;
  const { calculationId, ...outcome } = sale;
  const read = await readAnswered(store, { member, calculationId });
  const saleRead = read?.sale && outcomeText(read.sale);
  const isConflict = saleRead !== undefined && saleRead !== tombstone.outcome;
  if (read && isLookedAt(store, read, isConflict)) await noteExamination(store, calculationId, true);
  const deadlineMs = await slotDeadline(store, keys.calculation(member, calculationId), deadline);
  // Before the booking: a conflict is counted once, and a call that failed after it was booked would leave it out of the costs.
  const basket = read && (isConflict || !read.sale) ? await describe(read) : undefined;
  const event = read && basket ? await eventOf(store, sale, read, basket) : '';
  const reply = await settleScript(
    connection,
    {
      ...keys.ofMember(member),
      ...keys.ofCalculation(member, calculationId),
      events: eventsKey(store, calculationId),
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
      stateRead: read?.state,
      saleRead,
    },
  );
  switch (reply.outcome) {
    case 'conflict': {
      if (!reply.isTold) {
        await appendEvent(store, calculationId, event === '' ? unknownEvent(sale, 'conflict') : event);
        await clearDue(store, { member, calculationId }, 'untold');
      }
      const { isNew, bookedAtMs } = reply;
      const funders = basket?.funders ?? NOBODY;
      return { outcome: 'conflict', of: isNew && read && !isSoldBefore(read) ? read : undefined, funders, bookedAtMs };
    }
    case 'recorded':
    case 'duplicate': {
      if (!read) throw new Error('a sale was booked of a calculation without an answer');
      const { isLate, overRedeemed, bookedAtMs, isClaimable } = reply;
      // A sale that is booked now came after its answer, also where a clock went back between the two.
      const soldAtMs = reply.outcome === 'recorded' ? Math.max(bookedAtMs, read.answeredAtMs) : bookedAtMs || undefined;
      const due = { commonDue: reply.commonDue || undefined, event: reply.eventDue || undefined };
      const stored = { ...read, sale: outcome, soldAtMs, isLate, overRedeemed, due };
      return { outcome: reply.outcome, stored, isClaimable, basket };
    }
    default:
      return reply;
  }
}

/**
 * Whether a calculation has to be noted before a sale event changes it, so that the sweep completes what a crash leaves: it looks at each
 * once its hold has ended, and at no other one again.
 */
function isLookedAt({ connection }: Store, { state }: AnsweredCalculation, isConflict: boolean): boolean {
  if (state === 'sold') return isConflict && connection.isCluster;
  return state !== 'open';
}

/** The event that an outcome makes of a calculation: that it is recorded, or refused where another one stands. */
function eventOf(store: Store, sale: Sale, read: AnsweredCalculation, basket: BasketDescription): Promise<string> {
  return read.sale ? conflictEvent(store, read, sale, read.sale, basket) : recordedEvent(store, read, sale, basket);
}
