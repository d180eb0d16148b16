import type { Given } from './given.ts';
import { eventStream, type MemberToken, preferring } from './keys.ts';
import { pseudonymOf } from './pseudonyms.ts';
import { appendEventScript } from './scripts/environment.ts';
import { writeToAny } from './spare-key.ts';
import type { Store } from './store.ts';

/**
 * An entry of the event stream (format: docs/operations.md). Every value is text. Consumers join on `calculationId` and
 * receive each event at least once.
 */
export interface SettledEvent {
  readonly calculationId: string;
  readonly result: 'recorded' | 'unknown_calculation' | 'conflict' | 'expired' | 'returned' | 'resolved';
  readonly status: string;
  readonly transactionId: string;
  readonly failureReason: string;
  /** The status of the calculation's answer: applied, unchanged or member_not_found. */
  readonly answered?: string;
  /** Why the answer left the basket unchanged. */
  readonly reason?: string;
  readonly venueId?: string;
  readonly programmeId?: string;
  /** The entry has the member's pseudonym in its place, because it outlives an erasure. */
  readonly member?: MemberToken;
  readonly currency?: string;
  /** What the sale gave by benefits: `benefitId=units/saved`, separated by blanks. */
  readonly benefits?: string;
  /** Limited benefits consumed: `usageKey=units/limit`, separated by blanks. */
  readonly uses?: string;
  /** `1` when the event came after expiry or supersession. */
  readonly late?: string;
  /** Units consumed past a limit by this event. */
  readonly overRedeemed?: string;
  /** Of a decision between two outcomes: `first` or `second`, and the status that stood before. */
  readonly outcome?: string;
  readonly before?: string;
  /** Of a return: its ID, and the refund in minor units. */
  readonly returnId?: string;
  readonly refund?: string;
  /** As JSON, of a return `lineId`, `quantity`, `refund`, and of a sale `lineId`, `productId`, `productGroupId`, `quantity`, `paid`. */
  readonly lines?: string;
}

/** Appends to the calculation's stream, which keeps its entries for the retention time. */
export async function appendEvent(store: Store, event: SettledEvent): Promise<void> {
  // Consumers follow all streams, so another one serves while the master of this one is away.
  const streams = preferring(eventStream(event.calculationId), store.keys.events);
  const { member } = event;
  const named = member === undefined ? event : { ...event, member: await pseudonymOf(store, member) };
  const fields = Object.entries(named).flat();
  await writeToAny(store, streams, (key) =>
    appendEventScript(store.connection, { events: key }, { retentionMs: store.periods.retentionMs, fields }),
  );
}

/** Whose calculation it was. */
export function identify(
  member: MemberToken,
  given: Given | undefined,
): Pick<SettledEvent, 'programmeId' | 'member' | 'currency'> {
  return { programmeId: given?.programmeId ?? '', member, currency: given?.currency ?? '' };
}
