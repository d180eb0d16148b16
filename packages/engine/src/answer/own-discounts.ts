import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { ofProtectedLines } from '../lines/protected-discounts.ts';
import type { TracedChange } from '../types.ts';
import type { AppliedContent, UnchangedContent } from './content.ts';

/**
 * The service's own order discounts that come back: a till that builds its changed basket from the answered one sends them
 * as if the staff had given them. They carry the programme's discount code, and are taken off with their allocations before
 * pricing; else a guest would get them a second time, and a limited benefit again and again.
 */

/**
 * Indexes of the basket's order discounts that carry the code, which is spelled as the basket's texts are. One that has a
 * share of a `noDiscount` line is not ours, because ours have none there, and such a line becomes no dearer either. A share of 0 is none.
 */
export function findOwnDiscounts(
  { orderDiscounts, lines }: BasketRequest,
  discountCode: string | undefined,
): readonly number[] {
  const own = orderDiscounts.flatMap((discount, index) => (discount.discountCode === discountCode ? [index] : []));
  const kept = ofProtectedLines(lines);
  return own.filter((index) => !kept.has(orderDiscounts[index]!.orderDiscountId));
}

/** The basket without these order discounts: as the till would have sent it had it built it from its own lines. */
export function withoutOwnDiscounts(basket: BasketRequest, own: readonly number[]): BasketRequest {
  const ids = idsOf(basket, own);
  let taken = 0;
  const lines = basket.lines.map((line) => {
    const orderDiscountAllocation = line.orderDiscountAllocation.filter((share) => !ids.has(share.orderDiscountId));
    const amount = ownShare(line, ids);
    taken += amount;
    return { ...line, orderDiscountAllocation, orderLinePrice: line.orderLinePrice + amount };
  });
  const orderDiscounts = basket.orderDiscounts.filter((_, index) => !own.includes(index));
  const { orderDiscountTotal, total, ...totals } = basket.totals;
  return {
    ...basket,
    lines,
    orderDiscounts,
    totals: { ...totals, orderDiscountTotal: orderDiscountTotal - taken, total: total + taken },
  };
}

/**
 * The content of an answer to the basket as it came, from the content of one to the basket without its own discounts. Where nothing
 * else changes, the answer is that they are gone.
 */
export function withOwnRemoved(
  content: AppliedContent | UnchangedContent,
  discountCode: string,
  basket: BasketRequest,
  own: readonly number[],
): AppliedContent {
  const { memberLabel } = content;
  if (content.status === 'unchanged') {
    const nothing = { receiptFooterText: undefined, benefits: [], effects: [], parts: [], orders: [], gifts: [] };
    return { status: 'applied', memberLabel, discountCode, ...nothing, removedOrderDiscounts: own };
  }
  const others = basket.orderDiscounts.flatMap((_, index) => (own.includes(index) ? [] : [index]));
  const removed = content.removedOrderDiscounts.map((index) => others[index]!);
  return { ...content, removedOrderDiscounts: [...removed, ...own] };
}

/** What each outgoing line costs more because an own discount was taken off it. */
export function traceOwnDiscounts(
  basket: BasketRequest,
  own: readonly number[],
  answered: readonly BasketLineOut[],
): TracedChange[] {
  const ids = idsOf(basket, own);
  return basket.lines.flatMap((line) => {
    const amount = ownShare(line, ids);
    if (amount === 0) return [];
    const out = answered.find(({ lineId, splitFromLineId }) => (splitFromLineId ?? lineId) === line.lineId);
    return [{ lineId: out?.lineId ?? line.lineId, benefitId: '', rule: 'own_discount_returned', amount } as const];
  });
}

function idsOf({ orderDiscounts }: BasketRequest, own: readonly number[]): ReadonlySet<string> {
  return new Set(own.map((index) => orderDiscounts[index]!.orderDiscountId));
}

function ownShare({ orderDiscountAllocation }: BasketRequest['lines'][number], ids: ReadonlySet<string>): number {
  let amount = 0;
  for (const share of orderDiscountAllocation) {
    if (ids.has(share.orderDiscountId)) amount += share.orderDiscountAllocationAmount;
  }
  return amount;
}
