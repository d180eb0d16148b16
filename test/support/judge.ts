/**
 * How the tests judge this service: by the conformance kit's judge, which shares no code with the service, and by all that
 * the service promises beyond the interface.
 */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedDecision } from '@loyalty/engine/types';
import { type Endpoint, type Exchange, parseJson } from '../../packages/conformance/src/kit/exchange.ts';
import { judgeApplied, judgeExchange } from '../../packages/conformance/src/kit/judge/judge.ts';
import type { Promises } from '../../packages/conformance/src/kit/judge/promises.ts';
import type { Answer } from './answer.ts';

export type Products = NonNullable<Promises['products']>;

export interface Judged {
  /** `other` is a route that does not exist: it can only be refused. */
  readonly endpoint: Endpoint;
  readonly answer: Answer;
  readonly method?: string;
  /** The body that was sent, when it was a JSON object. */
  readonly request?: unknown;
  /** The `X-Request-Id` that was sent. */
  readonly requestId?: string | undefined;
  /** The venue's products; without them an added product is not looked up. */
  readonly products?: Products | undefined;
  /** Without it the answer's own time is not held against the caller's. */
  readonly roundTripMs?: number;
}

export function exchangeOf({ endpoint, answer, request, requestId, ...more }: Judged): Exchange {
  const { status, headers, bytes } = answer;
  const { method = 'POST', roundTripMs = Number.POSITIVE_INFINITY } = more;
  const sent = { endpoint, method, path: endpoint, request, requestId };
  return { ...sent, status, headers, bytes, body: parseJson(bytes), roundTripMs };
}

/** Throws one Error that lists every fault of the answer. */
export function checkAnswer(judged: Judged): void {
  const { answer, products } = judged;
  const faults = judgeExchange(exchangeOf(judged), promisesOf(products));
  if (faults.length === 0) return;
  throw new Error(
    `The answer breaks the specification:\n- ${faults.join('\n- ')}\n${answer.status} ${answer.text.slice(0, 4000)}`,
  );
}

/** Every fault of an applied decision of the engine, judged as the answer that it becomes. */
export function faultsOfDecision(request: BasketRequest, decision: AppliedDecision, products?: Products): string[] {
  const { uses, trace: _, ...answer } = decision;
  // Some programmes give the discounts of the staff or the benefits, for the whole basket.
  const promises = { ...promisesOf(products), mayGiveAllUp: true };
  const overdrawn = uses.filter(({ units, limit }) => units < 1 || units > limit);
  return [
    ...judgeApplied(request, { calculationId: request.calculationId, ...answer }, promises),
    ...overdrawn.map(({ benefitId, units, limit }) => `${benefitId}: ${units} uses of ${limit}`),
  ];
}

function promisesOf(products: Products | undefined): Promises {
  return { discountCode: 'loyalty', ...(products && { products }) };
}
