/** The events of the stream, as a consumer reads them. */
import type { Redis } from 'ioredis';

/** An event as it stands in the stream. */
export type ToldEvent = Readonly<Record<string, unknown>> & {
  readonly result: string;
  readonly calculationId?: string;
  readonly status?: string;
};

/** Every event of all streams, stream by stream in their order; of one calculation where it is named. */
export async function readToldEvents(client: Redis, calculationId?: string): Promise<ToldEvent[]> {
  const keys = (await client.keys('*:events:?')).sort();
  const entries = (await Promise.all(keys.map((key) => client.xrange(key, '-', '+')))).flat();
  const events = entries.map(([, words]) => toldEvent(words));
  return calculationId === undefined ? events : events.filter((event) => event.calculationId === calculationId);
}

/** The event of an entry, which has it under one field. */
export function toldEvent([field, text = '']: readonly string[]): ToldEvent {
  if (field !== 'event') throw new Error(`an entry of the stream begins with ${field}`);
  return JSON.parse(text) as ToldEvent;
}
