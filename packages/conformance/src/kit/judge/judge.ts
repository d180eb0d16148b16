import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse } from '@loyalty/contract/basket-response';
import type { Exchange } from '../exchange.ts';
import { appliedOf, readApplied } from './applied.ts';
import { basketAnswerFaults } from './fields.ts';
import { promisedLineFaults } from './promised-lines.ts';
import { type Promises, promisedFormFaults } from './promises.ts';
import { APPLIED_RULES, STANDING_RULES } from './standing.ts';

/**
 * Every fault of an answer, one sentence each. Without `promises` it is judged by the interface alone, as any service
 * is.
 */
export function judgeExchange(exchange: Exchange, promises?: Promises): string[] {
  const faults = STANDING_RULES.flatMap((rule) => rule.faultsOf(exchange) ?? []);
  if (!promises) return faults;
  const applied = appliedOf(exchange);
  const promised = [...promisedFormFaults(exchange), ...(applied ? promisedLineFaults(applied, promises) : [])];
  // A closed reading finds every fault of the open one again.
  return [...new Set([...faults, ...promised])];
}

/** The same for an `applied` answer that was never sent, such as the engine's own; the request is known to be right. */
export function judgeApplied(request: BasketRequest, answer: AppliedResponse, promises?: Promises): string[] {
  const fields = basketAnswerFaults(answer, promises !== undefined);
  if (fields.length > 0) return fields;
  const applied = readApplied(request, answer);
  const faults = APPLIED_RULES.flatMap((rule) => rule.faultsOf(applied));
  return promises ? [...faults, ...promisedLineFaults(applied, promises)] : faults;
}
