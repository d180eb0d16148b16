import { StoreUnavailable } from '../redis/failure.ts';
import { conflictEvent, recordedEvent, unknownEvent } from './calculation-events.ts';
import type { CommonDue } from './common-endings.ts';
import { joinUses } from './common-uses.ts';
import { appendEvent, eventFor } from './events.ts';
import { effective, type Gave, gaveBy } from './gave.ts';
import type { Tombstone } from './index-entry.ts';
import {
  type DescribeBasket,
  type Funders,
  isSoldBefore,
  type KeptCalculation,
  NOBODY,
  readFundersOf,
  readKeptCalculation,
} from './kept-calculation.ts';
import type { MemberToken } from './keys.ts';
import { type CallDeadline, slotDeadline } from './redis-clock.ts';
import { consumes, keptMs, parseOutcome, type Sale } from './sale.ts';
import { settleScript, tellSaleScript } from './scripts/sales.ts';
import type { Store } from './store.ts';

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
  /** `of`: what the calculation gave, where this event is the first that says otherwise. */
  | {
      readonly outcome: 'conflict';
      readonly of: Gave | undefined;
      readonly funders: Funders;
      readonly bookedAtMs: number;
    }
  | { readonly outcome: 'too_late' }
  | { readonly outcome: 'unknown' }
  /** The member was merged into another one, and the calculation has not moved yet. */
  | { readonly outcome: 'moved'; readonly into: MemberToken }
  | ({ readonly outcome: 'recorded' | 'duplicate' } & Booked);

export interface Booked {
  /** The calculation as it was read before it was booked. */
  readonly kept: KeptCalculation;
  readonly isLate: boolean;
  readonly overRedeemed: number;
  /** `usageKey=units/limit`, separated by blanks. */
  readonly uses: string;
  /** How its holds in counters of all members are still to end. */
  readonly commonDue: CommonDue;
  /** What is still to be done: append the event and count the sale, or only count it. */
  readonly due: 'event' | 'count' | '';
  /** True when the answer has expired, so that the ID may be claimed anew. */
  readonly isClaimable: boolean;
  /** What benefits gave; undefined of a calculation of an older version. */
  readonly gave: Gave | undefined;
  /** By Redis' clock, ms since 1970. */
  readonly bookedAtMs: number;
}

/** Each round that finds the calculation changed means that a call was answered meanwhile. */
const MAX_ROUNDS = 100;

/**
 * Books the sale in the slot of its member, with its event: that is made from the calculation as it was read before, and the script
 * refuses where it has changed since.
 */
export async function bookSale(store: Store, settling: Settling, member: MemberToken): Promise<Booking> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const kept = await readKeptCalculation(store, member, settling.sale.calculationId);
    const booking = await bookAsRead(store, settling, member, kept);
    if (booking) return booking;
  }
  throw new StoreUnavailable('the calculation is answered again and again');
}

/** Undefined where the calculation is not as it was read. */
async function bookAsRead(
  store: Store,
  settling: Settling,
  member: MemberToken,
  kept: KeptCalculation | undefined,
): Promise<Booking | undefined> {
  const { sale, deadline, tombstone } = settling;
  const { connection, keys, periods } = store;
  const { calculationId } = sale;
  const deadlineMs = await slotDeadline(store, keys.calculation(member, calculationId), deadline);
  const text = await eventOf(store, settling, kept);
  const isConflict = kept?.sale !== undefined && kept.sale !== tombstone.outcome;
  // One conflict is counted once: a call that failed after it was booked would leave it out of the costs.
  const funders = isConflict ? await readFundersOf(kept, settling.describe) : NOBODY;
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
      answeredRead: kept?.answeredAtMs,
      saleRead: kept?.sale,
    },
  );
  switch (reply.outcome) {
    case 'changed':
      return undefined;
    case 'conflict': {
      if (!reply.isTold) {
        await appendEvent(store, calculationId, text === '' ? unknownEvent(sale, 'conflict') : text);
        await connection.run(keys.calculation(member, calculationId), (client, key) => client.hdel(key, 'untold'));
      }
      const { isNew, bookedAtMs } = reply;
      const of = isNew && kept && !isSoldBefore(kept) ? effective(gaveBy(kept, kept.answeredAtMs)) : undefined;
      return { outcome: 'conflict', of, funders, bookedAtMs };
    }
    case 'recorded':
    case 'duplicate': {
      if (!kept) return undefined;
      const { ending, ...told } = reply;
      const { uses, answeredAtMs } = kept;
      // An answer that came after its sale cannot have been what was sold.
      const isSold = reply.outcome === 'recorded' || reply.bookedAtMs >= answeredAtMs;
      return {
        ...told,
        uses: joinUses(uses.own, uses.common),
        commonDue: { text: uses.common, ending },
        gave: gaveBy(kept, isSold ? answeredAtMs : 0),
        kept,
      };
    }
    default:
      return reply;
  }
}

/** The event that a sale makes of a calculation: that it is recorded, or refused. Empty where none is due, or nobody knows it. */
async function eventOf(
  store: Store,
  { sale, tombstone, describe }: Settling,
  kept: KeptCalculation | undefined,
): Promise<string> {
  if (!kept || kept.sale === tombstone.outcome) return '';
  if (kept.sale === undefined) return recordedEvent(store, kept, sale, describe);
  return conflictEvent(store, kept, sale, parseOutcome(kept.sale), describe);
}

/**
 * Appends the event of a sale that was booked without it: on a cluster, by an older version, or before the calculation was answered.
 */
export async function appendDue(store: Store, settling: Settling, member: MemberToken, booked: Booked): Promise<void> {
  const { sale, describe } = settling;
  const { calculationId } = sale;
  const { isLate: late, overRedeemed } = booked;
  // When a sale event came that was before its answer is not kept: its event is booked when it is told.
  const bookedAtMs = booked.bookedAtMs === 0 ? undefined : booked.bookedAtMs;
  const kept = await readKeptCalculation(store, member, calculationId);
  if (!kept) return;
  const text = await recordedEvent(store, kept, sale, describe, { late, overRedeemed });
  const { key: events, event } = eventFor(store, member, calculationId, text);
  if (event === '') return appendEvent(store, calculationId, text, bookedAtMs);
  const { retentionMs } = store.periods;
  const calculation = store.keys.calculation(member, calculationId);
  await tellSaleScript(store.connection, { calculation, events }, { event, retentionMs, soldAtMs: bookedAtMs });
}
