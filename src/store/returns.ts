import { callCommand } from '../redis/commands.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { appendEvent, identify } from './events.ts';
import type { MemberToken } from './keys.ts';
import { moveCalculation } from './merged.ts';
import { bookReturnScript } from './scripts/sales.ts';
import type { SoldRecord } from './sold.ts';
import type { Store } from './store.ts';

/** Returns of goods: a hash beside each sold calculation of which anything came back, kept for as long as that is. */

/** A return as it is kept. */
export interface BookedReturn {
  readonly returnId: string;
  /** When it was booked, by Redis' clock, ms since 1970; absent until it is. */
  readonly atMs?: number;
  /** Its place among the returns of the sale, from 1; absent until it is booked. */
  readonly number?: number;
  /** The answer that was given, which a repetition of the return is given again. */
  readonly answer: ReturnAnswer;
  /** Units of limits and grants given back, by usage key. */
  readonly givenBack: readonly (readonly [usageKey: string, units: number])[];
}

/** What later returns of the sale are computed with; an answer has more, which is kept as it is. */
export interface ReturnAnswer {
  readonly refund: number;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly refund: number }[];
  /** What stayed of each benefit. */
  readonly kept: readonly { readonly benefitId: string; readonly saved: number }[];
}

const RETURN = 'r:';

/** Reads the returns of a sale, in the order in which they were booked. Throws `StoreUnavailable`. */
export async function readReturns(
  { connection, keys }: Store,
  member: MemberToken,
  calculationId: string,
): Promise<BookedReturn[]> {
  const fields = await connection.run((client) => client.hgetall(keys.returns(member, calculationId)));
  return Object.entries(fields)
    .filter(([field]) => field.startsWith(RETURN))
    .map(([field, text]) => parseReturn(field.slice(RETURN.length), text))
    .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

/** A return that was booked. */
type KnownReturn = BookedReturn & { readonly atMs: number };

function parseReturn(returnId: string, text: string): KnownReturn {
  const [, atMs, number, json = ''] = /^(\d+) (\d+) (.*)$/s.exec(text) ?? [];
  const [answer, givenBack] = JSON.parse(json) as [ReturnAnswer, [string, number][]];
  return { returnId, atMs: Number(atMs), number: Number(number), answer, givenBack };
}

export type BookingOutcome =
  /** `atMs`: when, by Redis' clock. */
  | { readonly outcome: 'booked'; readonly atMs: number; readonly isCounted: boolean }
  /** `isDue`: its event may not have been appended yet. */
  | { readonly outcome: 'known'; readonly booked: KnownReturn; readonly isDue: boolean; readonly isCounted: boolean }
  | { readonly outcome: 'changed' }
  /** The sale has moved to the member that its own one was merged into: read it again. */
  | { readonly outcome: 'moved' }
  | { readonly outcome: 'gone' };

/**
 * Books a return in one step with what it gives back, if the sale still has as many returns as it was computed with. A return that
 * is known already is returned as it was booked. Throws `StoreUnavailable`.
 */
export async function bookReturn(
  store: Store,
  { member, calculationId }: SoldRecord,
  booked: BookedReturn,
  count: number,
): Promise<BookingOutcome> {
  const { connection, keys } = store;
  const reply = await bookReturnScript(
    connection,
    { ...keys.ofMember(member), ...keys.ofCalculation(member, calculationId) },
    {
      returnId: booked.returnId,
      booked: JSON.stringify([booked.answer, booked.givenBack]),
      count,
      givenBack: booked.givenBack.flat(),
    },
  );
  if (reply.outcome === 'moved') {
    // What the sale took is counted here, until the new member has it.
    if (reply.counters !== 0)
      throw new StoreUnavailable('a merge of the member is under way, or was interrupted: repeat it');
    await moveCalculation(store, member, reply.into, calculationId);
    return { outcome: 'moved' };
  }
  return reply.outcome === 'known' ? { ...reply, booked: parseReturn(booked.returnId, reply.booked) } : reply;
}

/** Appends the event of a return to the stream of its calculation, at least once. Throws `StoreUnavailable`. */
export async function tellReturn(store: Store, sold: SoldRecord, { returnId, answer }: BookedReturn): Promise<void> {
  const { calculationId, member, venueId, gave, sale } = sold;
  const { refund, lines } = answer;
  await appendEvent(store, {
    ...{ calculationId, result: 'returned', status: sale?.status ?? '' },
    ...{ transactionId: sale?.transactionId ?? '', failureReason: '' },
    ...{ venueId, ...identify(member, gave) },
    ...{ returnId, refund: String(refund), lines: JSON.stringify(lines) },
  });
}

/** Notes that all of a return is done. Throws `StoreUnavailable`. */
export async function finishReturn(
  { connection, keys }: Store,
  { member, calculationId }: SoldRecord,
  returnId: string,
): Promise<void> {
  await callCommand(connection, 'hdel', keys.returns(member, calculationId), `d:${returnId}`);
}
