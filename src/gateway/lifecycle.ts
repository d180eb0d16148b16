import { releaseLarge } from '@loyalty/contract/byte-slab';
import { type Refusal, refuse } from '@loyalty/contract/errors';
import { isJsonContentType, JSON_CONTENT_TYPE, REQUEST_HEADERS } from '@loyalty/contract/headers';
import type { CallContext, CallRequest, Outcome } from '../calls/call.ts';
import { type CallFacts, factsOf } from '../calls/call-facts.ts';
import { factsOfRefusal, outcomeOfError, tooLate } from '../calls/result.ts';
import type { RedisCause } from '../redis/cause.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import type { CallKind } from '../store/tokens.ts';
import { authenticate, type Credentials } from './authenticate.ts';
import type { CallNotes } from './call-record.ts';
import type { Exchange } from './exchange.ts';
import { type RequestHead, validIdempotencyKey } from './request-head.ts';

/** The parts of the service that a call needs. */
export interface LifecycleContext {
  /** What a call does once its caller is known: `calculateBasket` and `settle` of calls/. */
  readonly calls: Readonly<Record<CallKind, (context: CallContext, call: CallRequest) => Promise<Outcome>>>;
  readonly context: () => CallContext;
  readonly credentials: () => Credentials;
  readonly deadlineMs: () => number;
  /** Why no call may be answered now, although Redis would carry out its commands. */
  readonly obstacle: () => RedisCause | undefined;
  readonly onFault: (exchange: Exchange, fault: string) => void;
  /** Called with the outcome of every call of a known caller, even when that one has gone. */
  readonly onOutcome: (outcome: Outcome, facts: CallFacts) => void;
}

/** A completely received call on its way through the steps. */
export interface ReceivedCall {
  readonly kind: CallKind;
  readonly head: RequestHead;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The only way to answer it. */
  readonly exchange: Exchange;
  readonly notes: CallNotes;
}

/**
 * The life of a received call; every step may end it:
 *
 *     signature                                 ─▶ 401
 *     whether Redis may be used                 ─▶ 503
 *     headers: an error waits for its place in the order of checks
 *     the call itself: calls/basket-call.ts, calls/sale-call.ts
 *     answer                                       (503 at the deadline, wherever the call is)
 */
export async function runCall(service: LifecycleContext, received: ReceivedCall): Promise<void> {
  try {
    await takeSteps(service, received);
  } finally {
    // A stranger's too: anybody could send so much garbage that it holds up all calls.
    releaseLarge(received.body);
  }
}

async function takeSteps(service: LifecycleContext, received: ReceivedCall): Promise<void> {
  const { kind, head, body, exchange, notes } = received;
  const { stopwatch } = exchange;
  const deadlineMs = exchange.markReceived() + service.deadlineMs();
  const calculationId = validIdempotencyKey(head);
  const headRefusal = findHeadError(head, calculationId);
  const isOver = () => exchange.isOver;
  const request: CallRequest = {
    kind,
    calculationId: calculationId ?? '',
    headRefusal,
    body,
    deadlineMs,
    isOver,
    note: (facts) => notes.facts.push(facts),
    stopwatch,
  };
  let timer: NodeJS.Timeout | undefined;
  let outcome: Outcome;
  try {
    const stranger = authenticate(head, body, service.credentials(), Math.floor(Date.now() / 1000));
    if (stranger) return refuseStranger(received, stranger);
    notes.stage = 'known';
    if (calculationId !== undefined) notes.calculationId = calculationId;
    stopwatch.enter('parse');
    const obstacle = service.obstacle();
    if (obstacle) throw new StoreUnavailable('Redis must not be used', { redisCause: obstacle });
    timer = setTimeout(() => {
      const late = tooLate();
      request.note(late.facts);
      end(received, request, late);
    }, service.deadlineMs());
    outcome = await service.calls[kind](service.context(), request);
  } catch (error) {
    outcome = outcomeOfError(error);
  }
  clearTimeout(timer);
  request.note(outcome.facts);
  // The call may be committed: whatever is counted or recorded of it must not come between it and its answer.
  try {
    service.onOutcome(outcome, factsOf(notes.facts));
  } catch (error) {
    service.onFault(exchange, `${(error as Error).stack}`);
  }
  if (outcome.kind === 'refusal' && outcome.fault !== undefined) service.onFault(exchange, outcome.fault);
  end(received, request, outcome);
}

/** A stranger gets one answer per connection, so that no pipeline of refused calls holds the event loop. */
function refuseStranger({ exchange, notes }: ReceivedCall, refusal: Refusal): void {
  notes.remote = exchange.remoteAddress;
  exchange.closeConnection('closed');
  exchange.refuse(refusal);
}

/** Answers a call, unless it was answered at its deadline or its caller has gone. */
function end({ exchange }: ReceivedCall, request: CallRequest, outcome: Outcome): void {
  if (exchange.isOver) return;
  if (outcome.kind === 'answer') return exchange.answer(outcome.body, outcome.isReplayed);
  const facts = factsOfRefusal(request, outcome);
  request.note(facts);
  exchange.refuse(outcome.refusal, { deadlinePhase: facts.phase });
}

/** What is wrong with the headers of a call from a known caller. Without `calculationId` its key is not valid. */
function findHeadError(head: RequestHead, calculationId: string | undefined): Refusal | undefined {
  if (calculationId === undefined) {
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
