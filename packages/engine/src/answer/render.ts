import type { BasketRequest, OrderDiscount, OrderDiscountAllocation, Totals } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut, BasketResponse } from '@loyalty/contract/basket-response';
import { PERCENT_SCALE } from '@loyalty/contract/money/round';
import type { AddedOrderDiscount, AnswerContent, AppliedContent, ChangedPart } from './content.ts';
import { type LineRendering, renderGift, renderPart } from './render-line.ts';

/**
 * The answer to a request with this content: the one renderer of fresh answers and of replays. The fields are frozen
 * with their values and their order, and golden vectors hold their bytes (test/calls/stored): a stored answer must be rendered
 * again as it was given. Another field begins another form (src/calls/stored/README.md). `notesPrices` is false for answers of a form in which a lower unit price
 * had no text.
 */
export function renderAnswer(basket: BasketRequest, content: AnswerContent, notesPrices = true): BasketResponse {
  const { calculationId } = basket;
  const { status } = content;
  if (status === 'member_not_found') return { calculationId, status };
  const { memberLabel } = content;
  const label = memberLabel === undefined ? {} : { memberLabel };
  if (status === 'unchanged') return { calculationId, status, reason: content.reason, ...label };
  const { receiptFooterText } = content;
  const footer = receiptFooterText === undefined ? {} : { receiptFooterText };
  return { calculationId, status, ...label, ...footer, ...renderBasket(basket, content, notesPrices) };
}

/** The lines in their order, parts where their line was, added products at the end; then order discounts and totals. */
function renderBasket(
  basket: BasketRequest,
  content: AppliedContent,
  notesPrices: boolean,
): Pick<AppliedResponse, 'lines' | 'orderDiscounts' | 'totals'> {
  const added = renderAddedDiscounts(basket, content);
  const removed = new Set(content.removedOrderDiscounts.map((index) => basket.orderDiscounts[index]!.orderDiscountId));
  const lines = renderLines(basket, content, removed, added, notesPrices);
  const kept = basket.orderDiscounts.filter(({ orderDiscountId }) => !removed.has(orderDiscountId));
  return { lines, orderDiscounts: [...kept.map(renderOrderDiscount), ...added], totals: sumTotals(lines, added) };
}

function renderLines(
  basket: BasketRequest,
  { parts, orders, gifts, effects, benefits, discountCode }: AppliedContent,
  removed: ReadonlySet<string>,
  added: readonly OrderDiscount[],
  notesPrices: boolean,
): BasketLineOut[] {
  const idOf = idsBeside(basket.lines.map(({ lineId }) => lineId));
  const lines: BasketLineOut[] = [];
  const render = (index: number, lineId: string, part: ChangedPart | undefined): void => {
    const effect = part?.effect && effects[part.effect.effect]!;
    const isNoted = effect && (notesPrices || effect.overrideUnitPrice === undefined);
    const rendering: LineRendering = {
      lineId,
      cut: part?.cut,
      isCleared: part?.isCleared ?? false,
      effect,
      amount: part?.effect?.amount ?? 0,
      text: isNoted ? benefits[effect.benefit]!.text : undefined,
      discountCode,
      removed,
      added: allocationsOf(lines.length, orders, added),
    };
    lines.push(renderPart(basket.lines[index]!, rendering));
  };
  let next = 0;
  for (const [index, { lineId }] of basket.lines.entries()) {
    if (parts[next]?.line !== index) render(index, lineId, undefined);
    for (let number = 1; parts[next]?.line === index; number++, next++) {
      const part = parts[next]!;
      render(index, part.cut ? idOf(`split-${index + 1}-${number}`) : lineId, part);
    }
  }
  if (next < parts.length) throw new Error('assertion failed: every part is of a line of the request');
  for (const [g, gift] of gifts.entries()) {
    lines.push(renderGift(gift, idOf(`added-${g + 1}`), benefits[gift.benefit]!.text, discountCode));
  }
  return lines;
}

/**
 * Makes up IDs that are the same for the same basket, and different from all that it has, whatever IDs the caller chose. No
 * wanted ID has the sign, so no two become one.
 */
function idsBeside(known: readonly string[]): (wanted: string) => string {
  const taken = new Set(known);
  return (wanted) => {
    let id = wanted;
    while (taken.has(id)) id += '~';
    return id;
  };
}

function renderAddedDiscounts(
  basket: BasketRequest,
  { orders, benefits, discountCode }: AppliedContent,
): OrderDiscount[] {
  const idOf = idsBeside(basket.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  return orders.map(({ benefit, amount, percentHundredths }) => {
    const { benefitId, text } = benefits[benefit]!;
    return {
      orderDiscountId: idOf(`loyalty-${benefitId}`),
      type: percentHundredths === undefined ? 'amount' : 'percent',
      amount,
      ...(percentHundredths !== undefined && { percent: percentHundredths / PERCENT_SCALE }),
      ...(text !== undefined && { text }),
      discountCode,
    };
  });
}

/** The shares of a part in the added order discounts; a share of 0 is no allocation. */
function allocationsOf(
  part: number,
  orders: readonly AddedOrderDiscount[],
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
