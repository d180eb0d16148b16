import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { accept } from './accept.ts';
import { judgeAnswer } from './answer.ts';
import type { AttemptFailure, AttemptResult } from './attempt.ts';
import type { BasketRequest } from './basket.ts';
import { onlyKnownFields } from './known-fields.ts';
import type { Settings } from './options.ts';
import { failed, type LoyaltyOutcome } from './outcome.ts';
import { BASKET_PATH, type Call } from './request.ts';
import { attemptTimeMs, isRetryDue } from './retry.ts';
import type { FailureReason } from './sale.ts';
import type { Sender } from './sender.ts';

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
export async function callBasket(sender: Sender, settings: Settings, basket: BasketRequest): Promise<BasketCall> {
  const startMs = performance.now();
  const requestIds: string[] = [];
  const outcome = await decide(sender, settings, basket, startMs, requestIds).catch((error: Error) =>
    failed(basket, 'pos_error', requestIds.length > 0 ? error.message : `the call could not be made: ${error.message}`),
  );
  return { outcome: withRequestId(outcome, requestIds.at(-1)), requestIds };
}

/** A failed call has the request ID of its last attempt, unless the answer has named another one. */
function withRequestId(outcome: LoyaltyOutcome, requestId: string | undefined): LoyaltyOutcome {
  return outcome.status === 'failed' && requestId !== undefined ? { requestId, ...outcome } : outcome;
}

async function decide(
  sender: Sender,
  settings: Settings,
  basket: BasketRequest,
  startMs: number,
  requestIds: string[],
): Promise<LoyaltyOutcome> {
  const { limits, pathPrefix } = settings;
  const body = Buffer.from(JSON.stringify(onlyKnownFields(basket)));
  const call: Call = { path: pathPrefix + BASKET_PATH, calculationId: basket.calculationId, body };
  for (;;) {
    const requestId = randomUUID();
    requestIds.push(requestId);
    const result = await sender.send(call, requestId, attemptTimeMs(performance.now() - startMs, limits));
    const elapsedMs = performance.now() - startMs;
    if (!isRetryDue({ result, attempts: requestIds.length, elapsedMs }, limits)) {
      return judge(basket, result, settings);
    }
    await pause(limits.retryPauseMs);
  }
}

function judge(basket: BasketRequest, result: AttemptResult, { priceList, review }: Settings): LoyaltyOutcome {
  if (result.kind === 'failed') return failed(basket, FAILURE_REASONS[result.failure], result.detail);
  const judgement = judgeAnswer(basket, result, priceList);
  return judgement.verdict === 'accepted'
    ? accept(basket, judgement.answer, review)
    : failed(basket, judgement.verdict, judgement.detail, judgement.facts);
}
