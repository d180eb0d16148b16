/**
 * How the tests judge this service: by the conformance kit's judge, which shares no code with the service, and by all that
 * the service promises beyond the interface.
 */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse } from '@loyalty/contract/basket-response';
import type { AppliedDecision } from '@loyalty/engine/types';
import { type Endpoint, type Exchange, parseJson } from '../../packages/conformance/src/kit/exchange.ts';
import { appliedOf, readApplied } from '../../packages/conformance/src/kit/judge/applied.ts';
import { basketAnswerFaults } from '../../packages/conformance/src/kit/judge/fields.ts';
import { APPLIED_RULES, STANDING_RULES } from '../../packages/conformance/src/kit/judge/standing.ts';
import type { Answer } from './answer.ts';
import { promisedLineFaults } from './promised-lines.ts';
import { type Promises, promisedFormFaults, unknownFields } from './promises.ts';

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

/**
 * Every fault of an answer, one sentence each. Without `promises` it is judged by the interface alone, as any service
 * is.
 */
export function judgeExchange(exchange: Exchange, promises?: Promises): string[] {
  const faults = STANDING_RULES.flatMap((rule) => rule.faultsOf(exchange) ?? []);
  if (!promises) return faults;
  const applied = appliedOf(exchange);
  const promised = [...promisedFormFaults(exchange), ...(applied ? promisedLineFaults(applied, promises) : [])];
  return [...faults, ...promised];
}

/** The same for an `applied` answer that was never sent, such as the engine's own; the request is known to be right. */
export function judgeApplied(request: BasketRequest, answer: AppliedResponse, promises?: Promises): string[] {
  const fields = [...basketAnswerFaults(answer), ...(promises ? unknownFields(answer) : [])];
  if (fields.length > 0) return fields;
  const applied = readApplied(request, answer);
  const faults = APPLIED_RULES.flatMap((rule) => rule(applied));
  return promises ? [...faults, ...promisedLineFaults(applied, promises)] : faults;
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
