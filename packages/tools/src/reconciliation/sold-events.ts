import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../../src/programme/environment.ts';
import { msOf } from '../../../../src/store/event-stream.ts';
import type { Store } from '../../../../src/store/store.ts';
import { everyEvent } from '../events/every-event.ts';

/** A sale of the event stream: what the service sold, whoever has a record of it. */
export interface SoldEvent {
  /** The day at its venue on which the event was booked, `2026-11-21`. */
  readonly day: string;
  readonly status: string;
  readonly transactionId: string;
}

/** Sales by their calculationId, about 200 bytes each. */
export type SoldEvents = ReadonlyMap<string, SoldEvent>;

/**
 * Reads the sales of known calculations from the event stream, as far back as it is kept: each with the outcome that stands.
 * Throws `StoreUnavailable`.
 */
export async function readSoldEvents(store: Store, { venues }: Pick<Environment, 'venues'>): Promise<SoldEvents> {
  const zones = new Map(venues.map(({ venueId, timeZone }) => [venueId, timeZone]));
  const sold = new Map<string, SoldEvent>();
  for await (const { id, event } of everyEvent(store)) {
    if (event.result !== 'recorded' && event.result !== 'resolved') continue;
    const { calculationId = '', status = '', transactionId = '', venueId = '' } = event;
    const day = dateIn(zones.get(venueId) ?? 'UTC', msOf(id));
    if (status === 'cancelled') sold.delete(calculationId);
    else sold.set(calculationId, { day: sold.get(calculationId)?.day ?? day, status, transactionId });
  }
  return sold;
}
