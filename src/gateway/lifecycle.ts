import type { Task } from '../calls/messages.ts';
import { type Refusal, refuse } from '../contract/errors.ts';
import { isJsonContentType, JSON_CONTENT_TYPE, REQUEST_HEADERS } from '../contract/headers.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { authenticate } from './authenticate.ts';
import { refuseHead, takeLongWay } from './long-way.ts';
import { type RequestHead, validIdempotencyKey } from './request-head.ts';
import {
  endRefused,
  endUnavailable,
  endWithResult,
  handOver,
  type LifecycleContext,
  type ReceivedCall,
  refuseForError,
  withPhases,
} from './steps.ts';

/**
 * The life of a received call; every step may end it. The usual basket call goes straight down:
 *
 *     signature                              ─▶ 401
 *     whether Redis may be used              ─▶ 503
 *     headers                                ─▶ 429, 400
 *     read the body                          ─▶ the long way, for a large body and for any fault
 *     take a token, claim the ID, read the member: one round trip
 *                                            ─▶ 429; the long way for an ID that somebody has seen
 *     price                                  ─▶ a thread, for much work
 *     commit: one round trip                 ─▶ replay, 409; priced again after a shortage
 *     answer                                    (503 at the deadline, wherever the call is)
 *
 * Sale events and all other baskets go the long way (long-way.ts). The visible order of the checks is one: a basket that goes the
 * usual way can only end in 429, a replay, 409 or an answer.
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
  if (usual.kind === 'too much work') return handOver(context, received, task, usual);
  return takeLongWay(context, received, task, usual);
}

/** What is wrong with the headers of a call from a known caller. `calculationId` is empty where its key is not valid. */
export function findHeadFault(head: RequestHead, calculationId: string): Refusal | undefined {
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
