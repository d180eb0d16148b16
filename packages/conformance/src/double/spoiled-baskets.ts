import type { BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { allocate } from '@loyalty/contract/money/allocate';
import { addUp, applyTwentyPercent, DISCOUNT_CODE } from './honest.ts';
import { Needs } from './misbehaviour.ts';
import { onFirstDiscounted, withoutDiscount } from './spoiled-lines.ts';

/** Answers whose totals, order discounts, added or split lines are wrong, and some that only look wrong. */

/** The product that the double adds; a certifying caller has it in its price list at this price. */
export const GIFT = { productId: 'double-gift', name: 'Gift of the double', unitPrice: 2500 } as const;

const ADDED_DISCOUNT_ID = 'double-order-discount';

export function wrongTotal(request: BasketRequest, field: keyof AppliedResponse['totals']): AppliedResponse {
  const answer = applyTwentyPercent(request);
  return { ...answer, totals: { ...answer.totals, [field]: answer.totals[field] + 1 } };
}

/** A line that the double adds, wholly discounted. */
export function addedLine(request: BasketRequest, words: Partial<typeof GIFT> = {}): AppliedResponse {
  const { productId, name, unitPrice } = { ...GIFT, ...words };
  const answer = applyTwentyPercent(request);
  const gift: BasketLineOut = {
    lineId: 'double-gift-line',
    productId,
    name,
    quantity: 1,
    unitPrice,
    originalLinePrice: unitPrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: 0,
    lineDiscountType: 'amount',
    lineDiscountAmount: unitPrice,
    showLineDiscountText: false,
    lineDiscountCode: DISCOUNT_CODE,
    addedByLoyalty: true,
  };
  return addUp({ ...answer, lines: [...answer.lines, gift] });
}

/** The first discounted line of several pieces in two parts, of which the first has `firstPieces`. */
export function splitLine(
  request: BasketRequest,
  words: { readonly missing?: number; readonly source?: string } = {},
): AppliedResponse {
  const answer = applyTwentyPercent(request);
  const at = answer.lines.findIndex(
    (line) =>
      Number.isInteger(line.quantity) &&
      line.quantity > 1 + (words.missing ?? 0) &&
      !line.noDiscount &&
      line.existingLineDiscountAmount === 0 &&
      line.orderDiscountAllocation.length === 0,
  );
  if (at < 0) throw new Needs('a line of three or more pieces that may be discounted and has no discount yet');
  const line = withoutDiscount(answer.lines[at]!);
  const splitFromLineId = words.source ?? line.lineId;
  const rest = line.quantity - 1 - (words.missing ?? 0);
  const parts = [
    { ...line, lineId: `${line.lineId}-a`, quantity: 1, splitFromLineId, ...free(line.unitPrice) },
    { ...line, lineId: `${line.lineId}-b`, quantity: rest, splitFromLineId },
  ];
  return addUp({ ...answer, lines: answer.lines.toSpliced(at, 1, ...parts) });
}

function free(amount: number): Partial<BasketLineOut> & Pick<BasketLineOut, 'lineDiscountType' | 'lineDiscountAmount'> {
  return { lineDiscountType: 'amount', lineDiscountAmount: amount, lineDiscountCode: DISCOUNT_CODE };
}

/** An order discount of one unit a line over what the lines cost, shared by largest remainder. */
export function orderDiscount(
  request: BasketRequest,
  words: { readonly isAllocated?: boolean; readonly hasCode?: boolean; readonly onProtected?: boolean } = {},
): AppliedResponse {
  const { isAllocated = true, hasCode = true, onProtected = false } = words;
  const answer = applyTwentyPercent(request);
  const takers = answer.lines.map((line) => (line.noDiscount === onProtected ? line.orderLinePrice : 0));
  const amount = Math.min(
    answer.lines.length,
    takers.reduce((sum, price) => sum + price, 0),
  );
  if (amount === 0)
    throw new Needs(onProtected ? 'a line with noDiscount and a price' : 'a line that may be discounted');
  const added: OrderDiscount = {
    orderDiscountId: ADDED_DISCOUNT_ID,
    type: 'amount',
    amount,
    text: 'Order discount of the double',
    discountCode: DISCOUNT_CODE,
  };
  const shares = isAllocated ? allocate(amount, takers) : takers.map(() => 0);
  const lines = answer.lines.map((line, index) => withShare(line, shares[index]!));
  const summed = addUp({ ...answer, lines, orderDiscounts: [...answer.orderDiscounts, added] });
  if (hasCode) return summed;
  const { discountCode: _, ...anonymous } = added;
  return { ...summed, orderDiscounts: [...answer.orderDiscounts, anonymous] };
}

function withShare(line: BasketLineOut, share: number): BasketLineOut {
  if (share === 0) return line;
  const allocation = { orderDiscountId: ADDED_DISCOUNT_ID, orderDiscountAllocationAmount: share };
  return { ...line, orderDiscountAllocation: [...line.orderDiscountAllocation, allocation] };
}

/** A share of an order discount that the answer lacks. */
export function danglingShare(request: BasketRequest): AppliedResponse {
  return addUp(onFirstDiscounted(request, (line) => withShare(line, Math.min(1, line.orderLinePrice))));
}

/** `applied`, and the basket as it came. */
export function appliedWithoutChange(request: BasketRequest): AppliedResponse {
  const answer = applyTwentyPercent(request);
  return addUp({ ...answer, lines: answer.lines.map(withoutDiscount) });
}
