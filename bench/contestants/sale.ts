import { readSaleEvent } from '../../src/basket/sale-event.ts';
import { refuse } from '../../src/contract/errors.ts';
import { settleSale } from '../../src/store/sales.ts';
import { type KnownCall, Refused } from './caller.ts';
import type { ContestantContext } from './context.ts';

/** The sale event as a handler for any framework. Throws `Refused` and `StoreUnavailable`. */
export async function settle(context: ContestantContext, call: KnownCall, rawBody: Uint8Array): Promise<Buffer> {
  const read = readSaleEvent(rawBody, call.calculationId);
  if (!read.ok) throw new Refused(read.refusal);
  const { calculationId, status, transactionId, failureReason } = read.value;
  const sale = { calculationId, status, transactionId, failureReason };
  const { deadlineMs } = context.environment.latencyBudget;
  const deadline = {
    remainingMs: () => deadlineMs - (performance.now() - call.atMs),
    redisMs: call.redisNowMs + deadlineMs,
  };
  const { outcome } = await settleSale(context.store, sale, call.entry, deadline);
  if (outcome === 'conflict') {
    throw new Refused(refuse('idempotency_conflict', { message: 'Another outcome was recorded before.' }));
  }
  if (outcome === 'too_late') throw new Refused(refuse('unavailable'));
  return Buffer.from(JSON.stringify({ result: outcome }));
}
