import type { NotUsual, Task } from '../calls/messages.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { findStoredAnswer, type StoredAnswer } from '../store/calculations.ts';
import { type IndexEntry, parseIndexEntry, readIndexEntry } from '../store/index-entry.ts';
import { findKnownRefusal, type TokenOutcome, takeToken } from '../store/rate-limit.ts';
import { monotonicMs } from '../telemetry/stopwatch.ts';
import {
  endRefused,
  endWithResult,
  goOnInThread,
  handOver,
  type LifecycleContext,
  type ReceivedCall,
  withPhases,
} from './steps.ts';

/**
 * The long way of sale events, large bodies, bodies with an error, and known IDs: the checks run one after the other.
 *
 *     token and index entry: one round trip  ─▶ 429
 *     headers                                ─▶ 400
 *     stored answer                          ─▶ replay, 409
 *     the call itself, on the event loop or in a thread: JSON and schema ─▶ 400, … commit, answer
 */

/** Runs the checks that are left. `met`: why the call is not the usual one, and what is known of it. */
export async function takeLongWay(
  context: LifecycleContext,
  received: ReceivedCall,
  task: Task,
  met = UNOPENED,
): Promise<void> {
  const { kind, call } = received;
  const found = await lookUp(context, received, met);
  if (!found || call.isOver) return;
  const { token, entry } = found;
  if (kind === 'basket' && entry?.member !== undefined) {
    const print = () => fingerprintOf(received.body);
    const remainingMs = () => task.deadlineMs - monotonicMs();
    const stored = await findStoredAnswer(context.store(), task.calculationId, entry.member, print, remainingMs);
    await endWithStored(context, received, stored);
    if (call.isOver) return;
  }
  const redisDeadlineMs = token.redisNowMs + task.deadlineMs - monotonicMs();
  const looked = { ...task, redisDeadlineMs, indexEntry: entry?.text };
  if (task.body.length > context.inlineBytes) return goOnInThread(context, received, looked);
  const result = await withPhases(call, kind, (stopwatch) => context.eventLoop().looked(looked, stopwatch));
  if (result.kind !== 'too much work') return endWithResult(context, received, result);
  return handOver(context, received, looked, result);
}

/** A call with a fault in its headers takes a token too, and 429 comes first. */
export async function refuseHead(context: LifecycleContext, received: ReceivedCall, fault: Refusal): Promise<void> {
  await lookUp(context, received, UNOPENED);
  // A call that was refused for its token is over.
  endRefused(received, fault);
}

const UNOPENED: NotUsual = { kind: 'unopened' };

interface LookedUp {
  readonly token: TokenOutcome;
  readonly entry: IndexEntry | undefined;
}

/** The call's token and the index entry of its ID; undefined after a refusal with 429. */
async function lookUp(context: LifecycleContext, received: ReceivedCall, met: NotUsual): Promise<LookedUp | undefined> {
  const found = met.kind === 'unopened' ? await askForToken(context, received) : readMet(met);
  received.call.stopwatch.lap('lookup');
  if (found.token.isAllowed) return found;
  const { retryAfterSeconds } = found.token;
  endRefused(received, refuse('rate_limited', { retryAfterSeconds }));
  return undefined;
}

/** One round trip; none while the bucket is known to be empty. */
async function askForToken(context: LifecycleContext, { kind, record }: ReceivedCall): Promise<LookedUp> {
  const { calculationId } = record;
  const refusal = findKnownRefusal(context.store(), kind);
  if (refusal) return { token: refusal, entry: undefined };
  const [token, entry] = await Promise.all([
    takeToken(context.store(), context.rateLimit(), kind),
    calculationId === undefined ? undefined : readIndexEntry(context.store(), calculationId),
  ]);
  return { token, entry };
}

/** Reads the same from the state that the usual way has met. */
function readMet(met: Exclude<NotUsual, { kind: 'unopened' }>): LookedUp {
  if (met.kind === 'known') {
    const token = { isAllowed: true, retryAfterSeconds: 0, redisNowMs: met.redisNowMs };
    return { token, entry: parseIndexEntry(met.entry) };
  }
  const { retryAfterSeconds } = met;
  return { token: { isAllowed: false, retryAfterSeconds, redisNowMs: 0 }, entry: undefined };
}

/** Ends a call with what is stored of its calculation, if anything is: the answer that was given to its body, or 409. */
async function endWithStored(context: LifecycleContext, received: ReceivedCall, stored: StoredAnswer): Promise<void> {
  const { body, call, record } = received;
  if (stored.outcome === 'none') return call.stopwatch.lap('replay');
  if (stored.outcome === 'conflict') return endRefused(received, refuse('idempotency_conflict'));
  const replayed = await context.replay(stored.stored, body);
  call.stopwatch.lap('replay');
  if ('fault' in replayed) {
    record.unreplayable = true;
    context.onFault(call, replayed.fault);
    return endRefused(received, refuse('internal_error'));
  }
  Object.assign(record, { isReplayed: true, venueId: stored.venueId, status: stored.status });
  call.answer(replayed.answer, true);
}
