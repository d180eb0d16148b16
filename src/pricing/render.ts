import type { BasketRequest, OrderDiscount, OrderDiscountAllocation, Totals } from '../contract/basket-request.ts';
import type { BasketLineOut } from '../contract/basket-response.ts';
import { MAX_FOOTER_CHARACTERS } from '../contract/limits.ts';
import { PERCENT_SCALE } from '../money/round.ts';
import { GeneratedIds } from './generated-ids.ts';
import type { OrderEffect } from './order-discounts.ts';
import type { Outcome } from './outcome.ts';
import { renderGift, renderPart } from './render-line.ts';

/** The part of an outcome that the caller sees. */
export interface RenderedBasket {
  readonly lines: BasketLineOut[];
  readonly orderDiscounts: OrderDiscount[];
  readonly totals: Totals;
  readonly receiptFooterText?: string;
}

const NOTHING_ADDED: readonly OrderDiscountAllocation[] = [];

/** Renders an outcome: the lines in their order, parts where their line was, added products at the end. */
export function renderBasket(basket: BasketRequest, outcome: Outcome, discountCode: string): RenderedBasket {
  const { parts, orders, gifts, standing } = outcome;
  const ids = parts.length === basket.lines.length && gifts.length === 0 ? undefined : GeneratedIds.forLines(basket);
  const added = orders.length === 0 ? [] : renderAddedDiscounts(basket, orders, discountCode);

  const lines: BasketLineOut[] = [];
  let partNumber = 0;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p]!;
    const { index, line, units } = part.line;
    partNumber = p > 0 && parts[p - 1]!.line === part.line ? partNumber + 1 : 1;
    const lineId = part.units === units ? line.lineId : ids!.next(`split-${index + 1}-${partNumber}`);
    const allocations = added.length === 0 ? NOTHING_ADDED : allocationsOf(p, orders, added);
    let orderLinePrice = part.rest;
    for (const { orderDiscountAllocationAmount } of allocations) orderLinePrice -= orderDiscountAllocationAmount;
    lines.push(renderPart(part, { lineId, discountCode, added: allocations, orderLinePrice }));
  }
  for (const [g, gift] of gifts.entries()) lines.push(renderGift(gift, ids!.next(`added-${g + 1}`), discountCode));

  const kept = basket.orderDiscounts.filter(({ orderDiscountId }) => !standing.removed?.has(orderDiscountId));
  const footer = describeOrders(orders);
  return {
    lines,
    orderDiscounts: [...kept.map(renderOrderDiscount), ...added],
    totals: sumTotals(lines, added),
    ...(footer !== '' && { receiptFooterText: footer }),
  };
}

function renderAddedDiscounts(
  basket: BasketRequest,
  orders: readonly OrderEffect[],
  discountCode: string,
): OrderDiscount[] {
  const ids = GeneratedIds.forOrderDiscounts(basket);
  return orders.map(({ offer, amount }) => {
    const { benefitId, rule, text, maximumDiscount } = offer.benefit;
    const { percentHundredths } = rule;
    const isPercent = percentHundredths !== undefined && amount < maximumDiscount;
    return {
      orderDiscountId: ids.next(`loyalty-${benefitId}`),
      type: isPercent ? 'percent' : 'amount',
      amount,
      ...(isPercent && { percent: percentHundredths / PERCENT_SCALE }),
      ...(text !== undefined && { text }),
      discountCode,
    };
  });
}

/** The shares of a part in the added order discounts; a share of 0 is no allocation. */
function allocationsOf(
  part: number,
  orders: readonly OrderEffect[],
  added: readonly OrderDiscount[],
): OrderDiscountAllocation[] {
  const allocations: OrderDiscountAllocation[] = [];
  orders.forEach(({ shares }, at) => {
    const share = shares[part]!;
    if (share === 0) return;
    allocations.push({ orderDiscountId: added[at]!.orderDiscountId, orderDiscountAllocationAmount: share });
  });
  return allocations;
}

/** The order-level benefits in words for the bottom of the receipt (interface, section 2). */
function describeOrders(orders: readonly OrderEffect[]): string {
  if (orders.length === 0) return '';
  const texts = orders.map(({ offer }) => offer.benefit.text).filter((text) => text !== undefined);
  const characters = [...texts.join(' · ')];
  return characters.slice(0, MAX_FOOTER_CHARACTERS).join('');
}

/** A staff order discount that stays, with the interface's fields only and in its order. */
function renderOrderDiscount(discount: OrderDiscount): OrderDiscount {
  return {
    orderDiscountId: discount.orderDiscountId,
    type: discount.type,
    amount: discount.amount,
    ...(discount.percent !== undefined && { percent: discount.percent }),
    ...(discount.text !== undefined && { text: discount.text }),
    ...(discount.campaignId !== undefined && { campaignId: discount.campaignId }),
    ...(discount.discountCode !== undefined && { discountCode: discount.discountCode }),
  };
}

/** The five totals (interface, section 2); `added` are the order discounts that the service added. */
function sumTotals(lines: readonly BasketLineOut[], added: readonly OrderDiscount[]): Totals {
  let originalTotal = 0;
  let existingDiscountTotal = 0;
  let orderDiscountTotal = 0;
  let loyaltyDiscountTotal = 0;
  let total = 0;
  for (const line of lines) {
    originalTotal += line.originalLinePrice;
    existingDiscountTotal += line.existingLineDiscountAmount;
    for (const allocation of line.orderDiscountAllocation) {
      orderDiscountTotal += allocation.orderDiscountAllocationAmount;
    }
    loyaltyDiscountTotal += line.lineDiscountAmount;
    total += line.orderLinePrice;
  }
  for (const { amount } of added) loyaltyDiscountTotal += amount;
  return { originalTotal, existingDiscountTotal, orderDiscountTotal, loyaltyDiscountTotal, total };
}
