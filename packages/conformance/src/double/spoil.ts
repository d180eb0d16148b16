import type { BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { allocate } from '@loyalty/contract/money/allocate';
import { addUp, applyTwentyPercent, DISCOUNT_CODE } from './honest.ts';
import { Needs } from './misbehaviour.ts';

/** Ways to spoil the right answer to a basket, or to make one that only looks wrong. */

/** Throws a `Needs` where the basket gives it nothing to spoil. */
export type Spoil = (request: BasketRequest) => AppliedResponse;

/** The line that a misbehaviour changes, and what is asked of a basket that has none. */
export interface Wanted {
  readonly is: (line: BasketLineOut, at: number, lines: readonly BasketLineOut[]) => boolean;
  readonly needs: string;
}

export const FIRST: Wanted = { is: () => true, needs: 'a line' };
export const DISCOUNTED: Wanted = {
  is: ({ lineDiscountType }) => lineDiscountType === 'percent',
  needs: 'a line that may be discounted',
};
export const PROTECTED: Wanted = {
  is: ({ noDiscount, unitPrice }) => noDiscount && unitPrice > 0,
  needs: 'a line with noDiscount and a price',
};
export const PROTECTED_FROM_PERCENTAGES: Wanted = {
  is: ({ noPercentageDiscount, noDiscount }) => noPercentageDiscount && !noDiscount,
  needs: 'a line with noPercentageDiscount and without noDiscount',
};
export const DISCOUNTED_BY_STAFF: Wanted = {
  is: ({ existingLineDiscountType, noDiscount }) => existingLineDiscountType !== 'none' && !noDiscount,
  needs: 'a line with an existing discount',
};
export const REMOVABLE: Wanted = {
  is: ({ noDiscount, orderDiscountAllocation }, _, lines) =>
    lines.length > 1 && !noDiscount && orderDiscountAllocation.length === 0,
  needs: 'two lines, one without noDiscount and order discounts',
};

/** The right answer with the wanted line as `change` returns it: itself, its parts, or nothing. */
export function onLine({ is, needs }: Wanted, change: (line: BasketLineOut) => readonly BasketLineOut[]): Spoil {
  return (request) => {
    const answer = applyTwentyPercent(request);
    const at = answer.lines.findIndex(is);
    if (at < 0) throw new Needs(needs);
    return { ...answer, lines: answer.lines.toSpliced(at, 1, ...change(answer.lines[at]!)) };
  };
}

/** The same with every sum right, so that the planted fault is the only one. */
export function summed(spoil: Spoil): Spoil {
  return (request) => addUp(spoil(request));
}

/** The same with one total off by one. */
export function wrongTotal(field: keyof AppliedResponse['totals'], spoil: Spoil = applyTwentyPercent): Spoil {
  return (request) => {
    const answer = spoil(request);
    return { ...answer, totals: { ...answer.totals, [field]: answer.totals[field] + 1 } };
  };
}

/** The line as it came, without a loyalty discount. */
export function withoutDiscount(line: BasketLineOut): BasketLineOut {
  const { lineDiscountPercent: _percent, lineDiscountCode: _code, lineDiscountText: _text, ...rest } = line;
  return { ...rest, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
}

/** The line with an amount of loyalty's. */
export function withAmount(line: BasketLineOut, amount: number): BasketLineOut {
  return { ...line, lineDiscountType: 'amount', lineDiscountAmount: amount, lineDiscountCode: DISCOUNT_CODE };
}

/** The product that the double adds; a certifying caller has it in its price list at this price. */
export const GIFT = { productId: 'double-gift', name: 'Gift of the double', unitPrice: 2500 } as const;

/** A line that the double adds, wholly discounted. */
export function addedLine(more: { readonly productId?: string; readonly unitPrice?: number } = {}): Spoil {
  const product = { ...GIFT, ...more };
  const gift: BasketLineOut = {
    ...product,
    lineId: 'double-gift-line',
    quantity: 1,
    originalLinePrice: product.unitPrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: 0,
    lineDiscountType: 'amount',
    lineDiscountAmount: product.unitPrice,
    showLineDiscountText: false,
    lineDiscountCode: DISCOUNT_CODE,
    addedByLoyalty: true,
  };
  return summed((request) => {
    const answer = applyTwentyPercent(request);
    return { ...answer, lines: [...answer.lines, gift] };
  });
}

/** The first line of several pieces without a discount in two parts, of which the first has one piece, for nothing. */
export function splitLine({
  missing = 0,
  source,
}: {
  readonly missing?: number;
  readonly source?: string;
} = {}): Spoil {
  const splittable: Wanted = {
    is: (line) =>
      Number.isInteger(line.quantity) &&
      line.quantity > 1 + missing &&
      !line.noDiscount &&
      line.existingLineDiscountAmount === 0 &&
      line.orderDiscountAllocation.length === 0,
    needs: 'a line of three or more pieces that may be discounted and has no discount yet',
  };
  return summed(
    onLine(splittable, (discounted) => {
      const line = { ...withoutDiscount(discounted), splitFromLineId: source ?? discounted.lineId };
      return [
        withAmount({ ...line, lineId: `${line.lineId}-a`, quantity: 1 }, line.unitPrice),
        { ...line, lineId: `${line.lineId}-b`, quantity: line.quantity - 1 - missing },
      ];
    }),
  );
}

const ADDED_DISCOUNT_ID = 'double-order-discount';

/** An order discount of one unit a line over what the lines cost, shared by largest remainder. */
export function orderDiscount(
  words: { readonly isAllocated?: boolean; readonly hasCode?: boolean; readonly onProtected?: boolean } = {},
): Spoil {
  const { isAllocated = true, hasCode = true, onProtected = false } = words;
  return (request) => {
    const answer = applyTwentyPercent(request);
    const takers = answer.lines.map((line) => (line.noDiscount === onProtected ? line.orderLinePrice : 0));
    const amount = Math.min(
      answer.lines.length,
      takers.reduce((sum, price) => sum + price, 0),
    );
    if (amount === 0) throw new Needs((onProtected ? PROTECTED : DISCOUNTED).needs);
    const anonymous: OrderDiscount = {
      orderDiscountId: ADDED_DISCOUNT_ID,
      type: 'amount',
      amount,
      text: 'Order discount of the double',
    };
    const added = { ...anonymous, discountCode: DISCOUNT_CODE };
    const shares = isAllocated ? allocate(amount, takers) : takers.map(() => 0);
    const lines = answer.lines.map((line, index) => withShare(line, shares[index]!));
    const right = addUp({ ...answer, lines, orderDiscounts: [...answer.orderDiscounts, added] });
    return hasCode ? right : { ...right, orderDiscounts: [...answer.orderDiscounts, anonymous] };
  };
}

/** The line with a share of the order discount that the double adds. */
export function withShare(line: BasketLineOut, share: number): BasketLineOut {
  if (share === 0) return line;
  const allocation = { orderDiscountId: ADDED_DISCOUNT_ID, orderDiscountAllocationAmount: share };
  return { ...line, orderDiscountAllocation: [...line.orderDiscountAllocation, allocation] };
}
