import type { BookedReturn, ReturnAnswer, ReturnPlace } from './booked-return.ts';
import { type DescribeBasket, returnedEvent } from './calculation-events.ts';
import { appendEvent, eventsKey } from './events.ts';
import type { MemberToken } from './keys.ts';
import { moveSale } from './merged.ts';
import { outcomeText } from './sale.ts';
import { bookReturnScript } from './scripts/sales.ts';
import type { Store } from './store.ts';
import type { AnsweredCalculation, Owner } from './stored-calculation.ts';

/** Returns of goods: a hash beside each sold calculation of which anything came back, kept for as long as that is. */

const RETURN = 'r:';

/** Reads the returns of a sale, in the order in which they were booked. Throws `StoreUnavailable`. */
export async function readReturns(
  { connection, keys }: Store,
  member: MemberToken,
  calculationId: string,
): Promise<BookedReturn[]> {
  const fields = await connection.run(keys.returns(member, calculationId), (client, key) => client.hgetall(key));
  return Object.entries(fields)
    .filter(([field]) => field.startsWith(RETURN))
    .map(([field, text]) => parseReturn(field.slice(RETURN.length), text))
    .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

/** A return that was booked. */
type KnownReturn = BookedReturn & { readonly atMs: number };

function parseReturn(returnId: string, text: string): KnownReturn {
  const [, atMs, number, json = ''] = /^(\d+) (\d+) (.*)$/s.exec(text) ?? [];
  const [answer, givenBack, returnedAt] = JSON.parse(json) as [ReturnAnswer, [string, number][], ReturnPlace?];
  return { returnId, atMs: Number(atMs), number: Number(number), answer, givenBack, ...(returnedAt && { returnedAt }) };
}

export type BookingOutcome =
  /** `owes…`: what is still to do. `atMs`: when it was booked, by Redis' clock. */
  | { readonly outcome: 'booked'; readonly atMs: number; readonly owesCosts: boolean; readonly owesEvent: boolean }
  /** `isDue`: what follows the booking may not be done yet. */
  | {
      readonly outcome: 'known';
      readonly booked: KnownReturn;
      readonly isDue: boolean;
      readonly owesCosts: boolean;
      readonly owesEvent: boolean;
    }
  | { readonly outcome: 'changed' }
  /** The sale has moved to the member that its own one was merged into: read it again. */
  | { readonly outcome: 'moved' }
  | { readonly outcome: 'gone' };

/**
 * Books a return in one step with its event and what it gives back, if the sale still has the outcome and as many returns as it was computed
 * with. A return that is known already is returned as it was booked. Throws `StoreUnavailable`.
 */
export async function bookReturn(
  store: Store,
  sold: AnsweredCalculation,
  booked: BookedReturn,
  count: number,
  describe: DescribeBasket,
): Promise<BookingOutcome> {
  const { connection, keys, periods } = store;
  const { member, calculationId, returnedAt } = { ...sold, ...booked };
  const event = await returnedEvent(store, sold, booked, await describe(sold));
  const reply = await bookReturnScript(
    connection,
    { ...keys.ofMember(member), ...keys.ofCalculation(member, calculationId), events: eventsKey(store, calculationId) },
    {
      returnId: booked.returnId,
      booked: JSON.stringify([booked.answer, booked.givenBack, ...(returnedAt ? [returnedAt] : [])]),
      count,
      saleRead: sold.sale && outcomeText(sold.sale),
      event,
      retentionMs: periods.retentionMs,
      givenBack: booked.givenBack.flat(),
    },
  );
  if (reply.outcome === 'moved') {
    await moveSale(store, member, reply, calculationId);
    return { outcome: 'moved' };
  }
  return reply.outcome === 'known' ? { ...reply, booked: parseReturn(booked.returnId, reply.booked) } : reply;
}

/** Appends the event of a return that was booked without it: on a cluster, or by an older version. Throws `StoreUnavailable`. */
export async function tellReturn(
  store: Store,
  sold: AnsweredCalculation,
  booked: BookedReturn,
  describe: DescribeBasket,
): Promise<void> {
  const event = await returnedEvent(store, sold, booked, await describe(sold));
  await appendEvent(store, sold.calculationId, event, booked.atMs);
}

/** Notes that all of a return is done. Throws `StoreUnavailable`. */
export async function finishReturn(
  { connection, keys }: Store,
  { member, calculationId }: Owner,
  returnId: string,
): Promise<void> {
  await connection.run(keys.returns(member, calculationId), (client, key) => client.hdel(key, `d:${returnId}`));
}
