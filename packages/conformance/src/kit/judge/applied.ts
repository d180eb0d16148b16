import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { type Exchange, fieldOf, isSuccess } from '../exchange.ts';
import { basketAnswerFaults, isSoundRequest } from './fields.ts';

/** An `applied` answer beside its basket, with lookups that several rules share. The fields of both are right. */
export interface Applied {
  readonly request: BasketRequest;
  readonly answer: AppliedResponse;
  /** The lines of the request, by their ID. */
  readonly sent: ReadonlyMap<string, BasketLine>;
  /** The lines that each sent line became: itself, or its parts. A removed line has no entry. */
  readonly parts: ReadonlyMap<string, readonly BasketLineOut[]>;
  /** The order discounts of the request, by their ID. */
  readonly staff: ReadonlyMap<string, OrderDiscount>;
  /** The order discounts that the service added, by their ID. */
  readonly added: ReadonlyMap<string, OrderDiscount>;
}

/** A rule about `applied` answers: every fault that it finds, one sentence each. */
export type AppliedRule = (applied: Applied) => string[];

export function readApplied(request: BasketRequest, answer: AppliedResponse): Applied {
  const staff = new Map(request.orderDiscounts.map((discount) => [discount.orderDiscountId, discount]));
  const added = answer.orderDiscounts.filter(({ orderDiscountId }) => !staff.has(orderDiscountId));
  return {
    request,
    answer,
    sent: new Map(request.lines.map((line) => [line.lineId, line])),
    parts: Map.groupBy(answer.lines, (line) => line.splitFromLineId ?? line.lineId),
    staff,
    added: new Map(added.map((discount) => [discount.orderDiscountId, discount])),
  };
}

/** Kept, because every rule about `applied` answers asks for the same one. */
const known = new WeakMap<Exchange, Applied | undefined>();

/** Undefined where the exchange is about something else, or where the fields of either body are wrong. */
export function appliedOf(exchange: Exchange): Applied | undefined {
  if (!known.has(exchange)) known.set(exchange, findApplied(exchange));
  return known.get(exchange);
}

function findApplied(exchange: Exchange): Applied | undefined {
  const { request, body, endpoint } = exchange;
  if (endpoint !== 'basket' || !isSuccess(exchange) || fieldOf(exchange, 'status') !== 'applied') return undefined;
  if (!isSoundRequest(request) || basketAnswerFaults(body).length > 0) return undefined;
  return readApplied(request, body as AppliedResponse);
}

/** The discount codes of an answer; the whole integration has one. */
export function discountCodesOf(request: BasketRequest, answer: AppliedResponse): string[] {
  const added = [...readApplied(request, answer).added.values()].map((discount) => discount.discountCode);
  return [...answer.lines.map((line) => line.lineDiscountCode), ...added].filter((code) => code !== undefined);
}

/** How a fault names the line it is about. */
export function at({ lineId }: { readonly lineId: string }): string {
  return `line ${lineId}`;
}

/** The shares of one order discount on some lines. */
export function sharesOf(lines: readonly BasketLine[], orderDiscountId: string): number[] {
  return lines
    .flatMap((line) => line.orderDiscountAllocation)
    .filter((share) => share.orderDiscountId === orderDiscountId)
    .map((share) => share.orderDiscountAllocationAmount);
}
