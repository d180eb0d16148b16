import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import { judgeAnswer } from './answer.ts';
import type { AttemptFailure, AttemptResult } from './attempt.ts';
import type { BasketRequest } from './basket.ts';
import { onlyKnownFields, pick } from './known-fields.ts';
import { type CallLimits, MAX_ATTEMPTS } from './limits.ts';
import type { Settings } from './options.ts';
import { failed, type LoyaltyOutcome } from './outcome.ts';
import type { FailureReason } from './sale.ts';
import type { Call, Send } from './sender.ts';

/** The basket call from the first attempt to the decision (interface, section 4.8). Rejects never. */

/** `failureReason` of the sale event for each way an attempt fails (interface, section 3). */
const FAILURE_REASONS: Readonly<Record<AttemptFailure, FailureReason>> = {
  timeout: 'timeout',
  not_connected: 'connection_error',
  tls: 'connection_error',
  lost: 'connection_error',
  unreadable: 'invalid_response',
  not_sendable: 'pos_error',
};

export interface BasketCall {
  readonly outcome: LoyaltyOutcome;
  readonly requestIds: readonly string[];
}

/** Calls the service and judges its answer. The basket must not be changed before the promise resolves. */
export async function callBasket(send: Send, settings: Settings, basket: BasketRequest): Promise<BasketCall> {
  const requestIds: string[] = [];
  let outcome: LoyaltyOutcome;
  try {
    outcome = decide(basket, await attempt(send, settings.limits, basket, requestIds), settings);
  } catch (error) {
    const { message } = error as Error;
    outcome = failed(basket, 'pos_error', requestIds.length > 0 ? message : `the call could not be made: ${message}`);
  }
  const requestId = requestIds.at(-1);
  if (outcome.status !== 'failed' || requestId === undefined) return { outcome, requestIds };
  // A failed call has the request ID of its last attempt, unless the answer has named another one.
  return { outcome: { requestId, ...outcome }, requestIds };
}

/** The result of the last attempt. Each notes its X-Request-Id. */
async function attempt(
  send: Send,
  limits: CallLimits,
  basket: BasketRequest,
  requestIds: string[],
): Promise<AttemptResult> {
  const startMs = performance.now();
  const body = Buffer.from(JSON.stringify(onlyKnownFields(basket)));
  const call: Call = { endpoint: '/v1/pos/basket', calculationId: basket.calculationId, body };
  for (;;) {
    const leftMs = limits.hardCapMs - (performance.now() - startMs);
    requestIds.push(randomUUID());
    const result = await send(call, requestIds.at(-1)!, Math.max(1, Math.min(limits.attemptTimeoutMs, leftMs)));
    if (!isRetryDue(result, requestIds.length, performance.now() - startMs, limits)) return result;
    await pause(limits.retryPauseMs);
  }
}

/** The whole rule (interface, section 4.8): is one more attempt due? `elapsedMs` counts from the start of the first attempt. */
export function isRetryDue(result: AttemptResult, attempts: number, elapsedMs: number, limits: CallLimits): boolean {
  // An answer decides the call, whatever its status: any 4xx or 5xx means keep the basket, without a retry.
  if (result.kind === 'answered') return false;
  // A request that was sent may have been carried out, and one that took its time has used up the guest's patience. A TLS
  // fault is none of the connection: certificates and protocol versions do not mend themselves in a tenth of a second.
  if (result.failure !== 'not_connected') return false;
  // The same request goes out once more, with the same key; and the till is never held past the hard cap.
  return attempts < MAX_ATTEMPTS && elapsedMs + limits.retryPauseMs < limits.hardCapMs;
}

function decide(basket: BasketRequest, result: AttemptResult, settings: Settings): LoyaltyOutcome {
  if (result.kind === 'failed') return failed(basket, FAILURE_REASONS[result.failure], result.detail);
  const judgement = judgeAnswer(basket, result, settings.priceList);
  return judgement.verdict === 'accepted'
    ? accept(basket, judgement.answer, settings.reviewAnswer)
    : failed(basket, judgement.verdict, judgement.detail, judgement.facts);
}

/** The outcome of a call whose answer passed every check of the interface; the till has the last look at a new basket. */
function accept(basket: BasketRequest, answer: BasketResponse, review: Settings['reviewAnswer']): LoyaltyOutcome {
  const { calculationId, status } = answer;
  const texts = pick(answer as Partial<Texts>, ['memberLabel', 'receiptFooterText']);
  if (status === 'member_not_found') return { calculationId, status, basket, isSaleEventDue: true };
  if (status === 'unchanged') {
    return { calculationId, status, basket, reason: answer.reason, ...texts, isSaleEventDue: true };
  }
  const { lines, orderDiscounts, totals } = answer;
  const applied = { lines, orderDiscounts, totals };
  let reason: unknown;
  try {
    reason = review?.(applied, basket);
  } catch (error) {
    return failed(basket, 'pos_error', `the till's review threw: ${(error as Error)?.message}`);
  }
  if (typeof reason === 'string') return failed(basket, 'invalid_response', `refused by the till: ${reason}`);
  if (reason === undefined || reason === null) {
    return { calculationId, status, basket: applied, ...texts, isSaleEventDue: true };
  }
  // The till waits: whatever is not a reason, a promise above all, must not be taken for consent.
  return failed(basket, 'pos_error', `the till's review returned ${typeof reason}`);
}

interface Texts {
  readonly memberLabel: string;
  readonly receiptFooterText: string;
}
