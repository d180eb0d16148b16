import { readToldEvents, type ToldEvent } from '../support/told-events.ts';
import type { Fixture } from './fixture.ts';

/** Every event of the stream. */
export function readEvents({ redis }: Fixture): Promise<ToldEvent[]> {
  return readToldEvents(redis.client);
}
