import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../../src/programme/environment.ts';
import { msOf } from '../../../../src/store/event-stream.ts';
import { bookedMsOf } from '../../../../src/store/read-event.ts';
import type { Store } from '../../../../src/store/store.ts';
import { everyEvent } from '../events/event-pages.ts';

/** A sale of the event stream: what the service sold, whoever has a record of it. */
export interface SoldEvent {
  /** When the event was booked, ms since 1970. */
  readonly atMs: number;
  /** The day of it at its venue, `2026-11-21`. */
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
  const read = { recorded: new Map<string, SoldEvent>(), resolved: new Map<string, SoldEvent>() };
  for await (const { id, event } of everyEvent(store)) {
    const { calculationId = '', result, status = '', transactionId = '', venueId = '' } = event;
    if (result !== 'recorded' && result !== 'resolved') continue;
    // On a cluster any of the streams may have an event, even twice: the later one stands.
    const atMs = bookedMsOf(event, msOf(id));
    if ((read[result].get(calculationId)?.atMs ?? 0) > atMs) continue;
    read[result].set(calculationId, { day: dateIn(zones.get(venueId) ?? 'UTC', atMs), status, transactionId, atMs });
  }
  const sold = new Map(read.recorded);
  for (const [calculationId, decided] of read.resolved) {
    const first = sold.get(calculationId);
    // A sale that was one before the decision stays on its day.
    const day = first && first.status !== 'cancelled' ? first.day : decided.day;
    sold.set(calculationId, { ...decided, day });
  }
  for (const [calculationId, { status }] of sold) if (status === 'cancelled') sold.delete(calculationId);
  return sold;
}
