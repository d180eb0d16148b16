import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import { refuse } from '@loyalty/contract/errors';
import type { SaleResult } from '@loyalty/contract/sale';
import type { CountedSale } from '../store/completion.ts';
import { readIndexEntry } from '../store/index-entry.ts';
import { readRedisMs } from '../store/redis-clock.ts';
import { type SettleOutcome, settleSale } from '../store/sales.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import type { CallContext, CallRequest, Outcome } from './call.ts';
import type { SaleFacts } from './call-facts.ts';
import { type CostEntry, entryOfSale } from './cost-entry.ts';
import { eventFactsOf } from './event-facts.ts';
import { outcomeOfError, rateLimited, refusalOf, tooLate } from './result.ts';

/**
 * The sale event, from its body to its result (interface, section 4):
 *
 *     read the body: JSON, schema                               an error waits for its place in the order of checks
 *     take a token, and read the index entry: one round trip    ─▶ 429; headers 400; the error
 *     settle, with its event                                    ─▶ 409, 503
 *
 * It answers only after the outcome is in Redis' append-only file and in the event stream. Throws `StoreUnavailable`.
 */
export async function settle(context: CallContext, call: CallRequest): Promise<Outcome> {
  const { store } = context;
  const { stopwatch, deadlineMs, headRefusal } = call;
  const read = readSaleEvent(call.body, call.calculationId);

  stopwatch.enter('lookup');
  const admitted = await context.tokens.takeAndRead(call.kind, () => readEntry(context, call));
  if (!admitted.isAllowed) return rateLimited(admitted);
  if (headRefusal) return refusalOf(headRefusal);
  if (!read.ok) return refusalOf(read.refusal);

  const { calculationId, status, transactionId, failureReason } = read.value;
  call.note({ status });
  stopwatch.enter('commit');
  const sale = { calculationId, status, transactionId, failureReason };
  const remainingMs = () => deadlineMs - monotonicMs();
  const deadline = { remainingMs, redisMs: admitted.state.redisNowMs + remainingMs() };
  const counted: CountedSale[] = [];
  const count = (one: CountedSale) => counted.push(one);
  let settled: SettleOutcome;
  try {
    settled = await settleSale(store, sale, admitted.state.entry, deadline, eventFactsOf(context), count);
  } catch (error) {
    if (counted.length === 0) throw error;
    return { ...outcomeOfError(error), ...effectsOf(context, sale, counted) };
  }
  const effects = effectsOf(context, sale, counted);
  switch (settled.outcome) {
    case 'conflict':
      return {
        ...refusalOf(refuse('idempotency_conflict', { message: 'Another outcome was recorded before.' })),
        ...costEntriesOf(context, 'conflict', [settled]),
      };
    case 'too_late':
      return { ...tooLate(), ...effects };
    case 'recorded':
      return {
        ...answer({
          result: settled.outcome,
          isLate: settled.isLate,
          overRedeemed: settled.overRedeemed,
          holdsConsumed: settled.hold === 'consumed' ? 1 : undefined,
          holdsReleased: settled.hold === 'released' ? 1 : undefined,
        }),
        ...effects,
      };
    case 'duplicate':
      return { ...answer({ result: settled.outcome }), ...effects };
    default:
      return answer({ result: settled.outcome });
  }
}

/** The calculation's index entry, and Redis' clock, by which the deadline is judged. */
async function readEntry({ store }: CallContext, { calculationId, headRefusal }: CallRequest) {
  if (headRefusal) return { entry: undefined, redisNowMs: 0 };
  const { connection } = store;
  // The nodes of a cluster have clocks of their own, which are asked for later (redis-clock.ts).
  const clock = connection.isCluster ? 0 : readRedisMs(connection);
  const [entry, redisNowMs] = await Promise.all([readIndexEntry(store, calculationId), clock]);
  return { entry, redisNowMs };
}

function answer(facts: Partial<SaleFacts> & { readonly result: SaleResult }): Outcome {
  const { result } = facts;
  return { kind: 'answer', body: Buffer.from(JSON.stringify({ result })), isReplayed: false, facts };
}

/** What a settled sale adds to figures and recording, once however often its event comes. */
interface SaleEffects {
  readonly costEntries?: readonly CostEntry[];
  readonly recordingLines?: string;
}

/** Nothing here can fail: the sale is marked as counted, and its event comes no more. */
export function effectsOf(
  { environment, recording }: Pick<CallContext, 'environment' | 'recording'>,
  { calculationId, status }: { readonly calculationId: string; readonly status: string },
  counted: readonly CountedSale[] = [],
): SaleEffects {
  if (counted.length === 0) return {};
  const recordingLines = recording?.ofSale(calculationId, status);
  return { ...costEntriesOf({ environment }, 'sold', counted), ...(recordingLines && { recordingLines }) };
}

function costEntriesOf(
  { environment }: Pick<CallContext, 'environment'>,
  fate: CostEntry['fate'],
  counted: readonly CountedSale[],
): Pick<SaleEffects, 'costEntries'> {
  const costEntries = counted.flatMap((sale) => entryOfSale(environment, fate, sale) ?? []);
  return costEntries.length === 0 ? {} : { costEntries };
}
