import { EVENT_STREAMS } from '../../src/store/keys.ts';
import type { Fixture } from './fixture.ts';

/** Every entry of the event streams as field objects. */
export async function readEvents({ redis, store }: Fixture): Promise<Record<string, string>[]> {
  const streams = await Promise.all(
    Array.from({ length: EVENT_STREAMS }, (_, stream) => redis.client.xrange(store.keys.events(stream), '-', '+')),
  );
  return streams.flat().map(([, fields]) => {
    const pairs = fields.flatMap((field, index) => (index % 2 === 0 ? [[field, fields[index + 1]]] : []));
    return Object.fromEntries(pairs);
  });
}
