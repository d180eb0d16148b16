import type { IncomingHttpHeaders } from 'node:http';
import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import { refuse } from '@loyalty/contract/errors';
import { eventFactsOf } from '../../src/calls/event-facts.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { readRedisMs } from '../../src/store/redis-clock.ts';
import { settleSale } from '../../src/store/sales.ts';
import { type Ended, Refused, takeAndRead } from './caller.ts';
import type { ContestantContext } from './context.ts';

/** The sale event as a handler for any framework. Throws `Refused` and `StoreUnavailable`. */
export async function settle(
  context: ContestantContext,
  headers: IncomingHttpHeaders,
  rawBody: Uint8Array,
): Promise<Ended> {
  const { store, environment } = context;
  const deadlineMs = performance.now() + environment.latencyBudget.deadlineMs;
  const known = await takeAndRead(context, 'sale', headers, (calculationId) =>
    Promise.all([readIndexEntry(store, calculationId), readRedisMs(store.connection)]),
  );
  const [entry, redisNowMs] = known.state;
  const read = readSaleEvent(rawBody, known.calculationId);
  if (!read.ok) throw new Refused(read.refusal);
  const { calculationId, status, transactionId, failureReason } = read.value;
  const sale = { calculationId, status, transactionId, failureReason };
  const remainingMs = () => deadlineMs - performance.now();
  const deadline = { remainingMs, redisMs: redisNowMs + remainingMs() };
  const { outcome } = await settleSale(store, sale, entry, deadline, eventFactsOf(context), () => undefined);
  if (outcome === 'conflict') {
    throw new Refused(refuse('idempotency_conflict', { message: 'Another outcome was recorded before.' }));
  }
  if (outcome === 'too_late') throw new Refused(refuse('unavailable'));
  return { calculationId, body: Buffer.from(JSON.stringify({ result: outcome })), isReplayed: false };
}
