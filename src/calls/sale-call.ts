import { readSaleEvent } from '../basket/sale-event.ts';
import { refuse } from '../contract/errors.ts';
import type { SaleResult } from '../contract/sale.ts';
import { parseIndexEntry } from '../store/index-entry.ts';
import { settleSale } from '../store/sales.ts';
import { monotonicMs, type Stopwatch } from '../telemetry/stopwatch.ts';
import type { WorkerContext } from './basket-call.ts';
import { describeLines } from './event-lines.ts';
import type { CallFacts, Outcome, Task } from './messages.ts';
import { tooLate } from './result.ts';
import { effectsOf, redemptionOf } from './sale-effects.ts';

/**
 * The sale event from its bytes to its result (interface, section 4.12). It answers only after the outcome is in Redis'
 * append-only file and in the event stream. Throws `StoreUnavailable`.
 */
export async function settle(
  context: WorkerContext,
  task: Task,
  facts: CallFacts,
  stopwatch: Stopwatch,
): Promise<Outcome> {
  const read = readSaleEvent(task.body, task.calculationId);
  stopwatch.lap('parse');
  if (!read.ok) return { kind: 'refusal', refusal: read.refusal };
  const { calculationId, status, transactionId, failureReason } = read.value;
  facts.status = status;
  const entry = task.indexEntry === undefined ? undefined : parseIndexEntry(task.indexEntry);
  const sale = { calculationId, status, transactionId, failureReason };
  const { store, environment } = context;
  const deadline = { remainingMs: () => task.deadlineMs - monotonicMs(), redisMs: task.redisDeadlineMs };
  const linesOf = environment.hasEventLines ? describeLines : undefined;
  const settled = await settleSale(store, sale, entry, deadline, linesOf);
  stopwatch.lap('commit');
  switch (settled.outcome) {
    case 'conflict':
      return {
        kind: 'refusal',
        refusal: refuse('idempotency_conflict', { message: 'Another outcome was recorded before.' }),
        ...redemptionOf(context.environment, 'undone', settled.tookBack),
      };
    case 'too_late':
      return tooLate();
    case 'recorded':
      facts.isLate = settled.isLate;
      facts.overRedeemed = settled.overRedeemed;
      if (settled.hold === 'consumed') facts.holdsConsumed = 1;
      if (settled.hold === 'released') facts.holdsReleased = 1;
      return { ...answer(settled.outcome, facts), ...effectsOf(context, sale, settled) };
    case 'duplicate':
      return { ...answer(settled.outcome, facts), ...effectsOf(context, sale, settled) };
    default:
      return answer(settled.outcome, facts);
  }
}

function answer(result: SaleResult, facts: CallFacts): Outcome {
  facts.result = result;
  return { kind: 'answer', body: Buffer.from(JSON.stringify({ result })), isReplayed: false };
}
