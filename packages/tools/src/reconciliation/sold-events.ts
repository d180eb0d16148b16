import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../../src/programme/environment.ts';
import { EVENT_STREAMS } from '../../../../src/store/keys.ts';
import { readEvent } from '../../../../src/store/read-event.ts';
import type { Store } from '../../../../src/store/store.ts';

/** A sale of the event stream: what the service sold, whoever has a record of it. */
export interface SoldEvent {
  /** The day at its venue on which the event was booked, `2026-11-21`. */
  readonly day: string;
  readonly status: string;
  readonly transactionId: string;
}

/** Sales by their calculationId, about 200 bytes each. */
export type SoldEvents = ReadonlyMap<string, SoldEvent>;

const PAGE = 1000;

/**
 * Reads the sales of known calculations from the event stream, as far back as it is kept: each with the outcome that stands.
 * Throws `StoreUnavailable`.
 */
export async function readSoldEvents(
  { keys, connection }: Store,
  { venues }: Pick<Environment, 'venues'>,
): Promise<SoldEvents> {
  const zones = new Map(venues.map(({ venueId, timeZone }) => [venueId, timeZone]));
  const sold = new Map<string, SoldEvent>();
  for (let number = 0; number < EVENT_STREAMS; number += 1) {
    for (let from = '-'; ; ) {
      const after = from;
      const page = await connection.run((client) => client.xrange(keys.events(number), after, '+', 'COUNT', PAGE));
      for (const [id, words] of page) {
        const event = readEvent(words);
        if (event.result !== 'recorded' && event.result !== 'resolved') continue;
        const { calculationId = '', status = '', transactionId = '', venueId = '' } = event;
        const day = dateIn(zones.get(venueId) ?? 'UTC', Number.parseInt(id, 10));
        if (status === 'cancelled') sold.delete(calculationId);
        else sold.set(calculationId, { day: sold.get(calculationId)?.day ?? day, status, transactionId });
      }
      if (page.length < PAGE) break;
      from = `(${page.at(-1)![0]}`;
    }
  }
  return sold;
}
