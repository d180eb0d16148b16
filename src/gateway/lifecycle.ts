import type { CallFacts, EventLoopCalls, NotUsual, Task, TaskResult } from '../calls/messages.ts';
import type { Replayed } from '../calls/stored/stored-answer.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { isJsonContentType, JSON_CONTENT_TYPE, REQUEST_HEADERS } from '../contract/headers.ts';
import type { UnavailableReason } from '../contract/unavailable.ts';
import type { RedisCause } from '../redis/cause.ts';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import { findStoredAnswer } from '../store/calculations.ts';
import { type IndexEntry, parseIndexEntry, readIndexEntry } from '../store/index-entry.ts';
import type { MemberToken } from '../store/keys.ts';
import { type CallKind, findKnownRefusal, type RateLimit, type TokenOutcome, takeToken } from '../store/rate-limit.ts';
import type { Store } from '../store/store.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../telemetry/stopwatch.ts';
import { PoolUnavailable, type PricingPool } from '../threads/pricing-pool.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import type { Call } from './call.ts';
import { type RequestHead, validIdempotencyKey } from './request-head.ts';

/** The parts of the service that a call needs. */
export interface LifecycleContext {
  readonly store: () => Store;
  /** Small calls run on the event loop: handing them to a thread costs more than pricing them. */
  readonly eventLoop: () => EventLoopCalls;
  /** A body up to this size begins there. Reading a larger one alone would hold up every other call. */
  readonly inlineBytes: number;
  /** Threads, for large bodies and for baskets that are much work. */
  readonly pool: PricingPool;
  readonly credentials: () => Credentials;
  readonly rateLimit: () => RateLimit;
  readonly deadlineMs: () => number;
  /** Why no call may be answered now, although Redis would carry out its commands. */
  readonly obstacle: () => RedisCause | undefined;
  /** Gives a stored answer to its request again. */
  readonly replay: (stored: Buffer, request: Uint8Array<ArrayBuffer>) => Replayed | Promise<Replayed>;
  readonly onFault: (call: Call, fault: string) => void;
  /** Called with every result, even when its caller has gone. */
  readonly onResult: (result: TaskResult) => void;
}

/** The log's facts about a call, filled in as they become known. */
export interface CallRecord extends CallFacts {
  readonly route: string;
  calculationId?: string;
  code?: string;
  /** The address of a caller who failed to authenticate; behind a proxy it is the proxy's. */
  remote?: string;
  isReplayed?: boolean;
  /** Refused by admission, before anything was done. */
  isShed?: boolean;
  /** The call ended before its last byte arrived. */
  isUnfinished?: boolean;
  /** The caller is authenticated. */
  isAuthentic?: boolean;
}

/** A completely received call on its way through the steps. */
export interface ReceivedCall {
  readonly kind: CallKind;
  readonly head: RequestHead;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The only way to answer it. */
  readonly call: Call;
  readonly record: CallRecord;
}

/**
 * The life of a received call; every step may end it. The usual basket call goes straight down:
 *
 *     signature                              ─▶ 401
 *     headers, and whether Redis may be used ─▶ 503, or the long way
 *     read the body                          ─▶ the long way, for a large body and for any fault
 *     take a token, claim the ID, read the member: one round trip
 *                                            ─▶ 429; the long way for an ID that somebody has seen
 *     price                                  ─▶ a thread, for much work
 *     commit: one round trip                 ─▶ replay, 409; priced again after a shortage
 *     answer                                    (503 at the deadline, wherever the call is)
 *
 * Sale events and all other baskets go the long way, on which each check has its turn:
 *
 *     token and index entry: one round trip  ─▶ 429
 *     headers                                ─▶ 400
 *     stored answer                          ─▶ replay, 409
 *     the call itself, on the event loop or in a thread: JSON and schema ─▶ 400, … commit, answer
 *
 * The visible order is one: a basket that goes the usual way can only end in 429, a replay, 409 or an answer.
 */
export async function runCall(context: LifecycleContext, received: ReceivedCall): Promise<void> {
  const { call } = received;
  const deadlineMs = call.markReceived() + context.deadlineMs();
  try {
    if (!admitAuthentic(context, received)) return;
  } catch (error) {
    return refuseForError(context, received, error);
  }
  const timer = setTimeout(() => {
    const message = 'The call could not be finished in time.';
    endUnavailable(received, 'deadline', refuse('unavailable', { message }));
  }, context.deadlineMs());
  try {
    await runSteps(context, received, deadlineMs);
  } catch (error) {
    refuseForError(context, received, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Refuses a stranger at once, before a timer or a promise is made. Returns whether the caller is known. */
function admitAuthentic(context: LifecycleContext, received: ReceivedCall): boolean {
  const { head, body, call, record } = received;
  const refused = authenticate(head, body, context.credentials(), Math.floor(Date.now() / 1000));
  call.stopwatch.lap('signature');
  if (refused) {
    record.remote = call.remoteAddress;
    // A stranger gets one answer per connection, so that no pipeline of refused calls holds the event loop.
    call.closeConnection('closed');
    endRefused(received, refused);
    return false;
  }
  record.isAuthentic = true;
  return true;
}

async function runSteps(context: LifecycleContext, received: ReceivedCall, deadlineMs: number): Promise<void> {
  const { kind, head, body, call, record } = received;
  const calculationId = validIdempotencyKey(head) ?? '';
  if (calculationId !== '') record.calculationId = calculationId;
  const obstacle = context.obstacle();
  if (obstacle) throw new StoreUnavailable('Redis must not be used', { redisCause: obstacle });
  const headFault = findHeadFault(head, calculationId);
  if (headFault) return refuseHead(context, received, headFault);
  // The deadline by Redis' clock is a sale event's, and the index entry is not looked up yet.
  const task: Task = { route: kind, calculationId, body, deadlineMs, redisDeadlineMs: 0, indexEntry: undefined };
  if (kind !== 'basket' || body.length > context.inlineBytes) return takeLongWay(context, received, task);

  const door = { rateLimit: context.rateLimit(), isOver: () => call.isOver };
  const usual = await withPhases(call, kind, (stopwatch) => context.eventLoop().usual(task, door, stopwatch));
  if (usual.kind === 'answer' || usual.kind === 'refusal') return endWithResult(context, received, usual);
  if (usual.kind === 'too much work') return runInThread(context, received, { ...task, opened: usual.opened });
  return takeLongWay(context, received, task, usual);
}

/** Runs a call whose phases, until this ends, are those of whoever prices or settles it. */
async function withPhases<Result>(
  { stopwatch }: Call,
  kind: CallKind,
  run: (nested: Stopwatch) => Promise<Result>,
): Promise<Result> {
  stopwatch.nested = new Stopwatch(monotonicMs(), WORKER_PHASES[kind]);
  const result = await run(stopwatch.nested);
  stopwatch.nested = undefined;
  return result;
}

/** A call with a fault in its headers takes a token too, and 429 comes first. */
async function refuseHead(context: LifecycleContext, received: ReceivedCall, fault: Refusal): Promise<void> {
  const found = await lookUp(context, received, UNOPENED);
  if (found) endRefused(received, fault);
}

const UNOPENED: NotUsual = { kind: 'unopened' };

/** Every check in its turn. `met` is the state that the usual way has met. */
async function takeLongWay(
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
    const isAnswered = await answerFromStore(context, received, task.calculationId, entry.member);
    if (isAnswered || call.isOver) return;
  }
  const redisDeadlineMs = token.redisNowMs + task.deadlineMs - monotonicMs();
  const looked = { ...task, redisDeadlineMs, indexEntry: entry?.text };
  if (task.body.length > context.inlineBytes) return runInThread(context, received, looked);
  const result = await withPhases(call, kind, (stopwatch) => context.eventLoop().looked(looked, stopwatch));
  if (result.kind !== 'too much work') return endWithResult(context, received, result);
  return runInThread(context, received, { ...looked, opened: result.opened });
}

async function runInThread(context: LifecycleContext, received: ReceivedCall, task: Task): Promise<void> {
  const { call, kind } = received;
  const result = await withPhases(call, kind, (stopwatch) => {
    stopwatch.handOver();
    return context.pool.run(task);
  });
  endWithResult(context, received, result);
}

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

/** Replays the stored answer of the calculation. Returns false when there is none. */
async function answerFromStore(
  context: LifecycleContext,
  received: ReceivedCall,
  calculationId: string,
  member: MemberToken,
): Promise<boolean> {
  const { body, call, record } = received;
  const stored = await findStoredAnswer(context.store(), calculationId, member, () => fingerprintOf(body));
  if (stored.outcome === 'none') {
    call.stopwatch.lap('replay');
    return false;
  }
  if (stored.outcome === 'conflict') {
    endRefused(received, refuse('idempotency_conflict'));
    return true;
  }
  const replayed = await context.replay(stored.stored, body);
  call.stopwatch.lap('replay');
  if (call.isOver) return true;
  if ('fault' in replayed) {
    record.unreplayable = true;
    context.onFault(call, replayed.fault);
    endRefused(received, refuse('internal_error'));
    return true;
  }
  Object.assign(record, { isReplayed: true, venueId: stored.venueId, status: stored.status });
  call.answer(replayed.answer, true);
  return true;
}

function findHeadFault(head: RequestHead, calculationId: string): Refusal | undefined {
  if (calculationId === '') {
    return badHeader(head, 'Idempotency-Key', 'one lower-case UUID', head.idempotencyKey);
  }
  if (head.duplicated.has(REQUEST_HEADERS.contentType) || !isJsonContentType(head.contentType ?? '')) {
    return badHeader(head, 'Content-Type', JSON_CONTENT_TYPE, head.contentType);
  }
  if (head.contentEncoding !== undefined && head.contentEncoding.toLowerCase() !== 'identity') {
    return badHeader(head, 'Content-Encoding', 'no content coding', head.contentEncoding);
  }
  return undefined;
}

function badHeader(head: RequestHead, field: string, expected: string, value: string | undefined): Refusal {
  const isDuplicated = head.duplicated.has(field.toLowerCase());
  const received = isDuplicated ? 'several headers' : value === undefined ? 'nothing' : 'something else';
  return refuse('invalid_request', {
    message: `The header ${field} is not valid.`,
    details: { field, expected, received },
  });
}

function endWithResult(context: LifecycleContext, received: ReceivedCall, result: TaskResult): void {
  const { call, record } = received;
  call.stopwatch.lap('worker');
  // The call may be committed: whatever is counted or recorded of it must not come between it and its answer.
  try {
    context.onResult(result);
  } catch (error) {
    context.onFault(call, `${(error as Error).stack}`);
  }
  if (call.isOver) return;
  Object.assign(record, result.facts);
  // The pricer's phases are nested within `worker`.
  Object.assign(call.stopwatch.phases, result.phases);
  if (result.kind === 'refusal') {
    if (result.fault !== undefined) context.onFault(call, result.fault);
    call.deadlinePhase = result.facts.phase;
    return endRefused(received, result.refusal);
  }
  record.isReplayed = result.isReplayed;
  call.answer(result.body, result.isReplayed);
}

function endRefused({ call, record }: ReceivedCall, refusal: Refusal): void {
  if (call.isOver) return;
  record.code = refusal.code;
  call.refuse(refusal);
}

function endUnavailable(received: ReceivedCall, reason: UnavailableReason, refusal = refuse('unavailable')): void {
  const { call, record } = received;
  if (call.isOver) return;
  record.reason = reason;
  if (reason === 'deadline') record.phase ??= call.stopwatch.runningPhase;
  call.deadlinePhase = record.phase;
  endRefused(received, refusal);
}

function refuseForError(context: LifecycleContext, received: ReceivedCall, error: unknown): void {
  if (error instanceof StoreUnavailable) {
    const { redisCause: cause, server } = error;
    if (!received.call.isOver) Object.assign(received.record, cause && { cause }, server && { server });
    return endUnavailable(received, reasonOf(error));
  }
  if (error instanceof PoolUnavailable) return endUnavailable(received, 'threads');
  context.onFault(received.call, error instanceof Error ? (error.stack ?? error.message) : String(error));
  endRefused(received, refuse('internal_error'));
}
