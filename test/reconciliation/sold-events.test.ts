/** The sales of the event streams, of which any may have an event of a calculation, and one twice. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSoldEvents } from '../../packages/tools/src/reconciliation/sold-events.ts';
import type { Environment } from '../../src/programme/environment.ts';
import { useFixture } from '../store/fixture.ts';

const fixture = useFixture();
const venues = [{ venueId: 'oslo-central', timeZone: 'Europe/Oslo' }];

test('of two events with one result the later one stands, whichever stream has it; the day is that of its booking', async () => {
  const { store, redis } = fixture;
  const [id, before] = [randomUUID(), randomUUID()];
  const add = (stream: number, calculationId: string, at: string, status: string) => {
    const event = { calculationId, result: 'recorded', venueId: 'oslo-central', transactionId: 't-1', status, at };
    return redis.client.xadd(store.keys.events(stream), '*', 'event', JSON.stringify(event));
  };
  await add(0, id, '2026-11-20T23:30:00.000Z', 'applied');
  await add(3, id, '2026-11-20T22:30:00.000Z', 'cancelled');
  await add(3, before, '2026-11-20T22:30:00.000Z', 'failed');
  const sold = await readSoldEvents(store, { venues } as unknown as Environment);
  expect([...sold].map(([name, { day, status }]) => [name, day, status])).toEqual([
    [id, '2026-11-21', 'applied'],
    [before, '2026-11-20', 'failed'],
  ]);
});
