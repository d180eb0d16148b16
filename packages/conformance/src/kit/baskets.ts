import { randomUUID } from 'node:crypto';
import type { BasketLine, BasketRequest, OrderDiscount, Totals } from '@loyalty/contract/basket-request';
import type { SaleEvent, SaleStatus } from '@loyalty/contract/sale';
import { priceOf, shareOf, total } from './judge/decimal.ts';
import type { KitOptions } from './options.ts';

/** The fields of a line that a check chooses; the rest follows, right to the unit. */
export interface LineWords extends Partial<BasketLine> {
  /** Staff discount in minor units. */
  readonly existing?: number;
  /** Staff discount in per cent of the line. */
  readonly existingPercent?: number;
  /** Shares of staff order discounts: orderDiscountId → minor units. */
  readonly shares?: Readonly<Record<string, number>>;
}

/** A correct line. `position` counts from 1 and gives it its ID. Fields of the interface that are given win. */
export function lineOf(words: LineWords, position: number): BasketLine {
  const { existing = 0, existingPercent, shares = {}, ...given } = words;
  const quantity = given.quantity ?? 1;
  const unitPrice = given.unitPrice ?? 10_000;
  const originalLinePrice = Number(priceOf(quantity, unitPrice));
  const isDiscounted = existing > 0 || existingPercent !== undefined;
  const existingLineDiscountAmount = existing + Number(shareOf(originalLinePrice, existingPercent ?? 0));
  const allocated = Number(total(Object.values(shares)));
  return {
    lineId: `line-${position}`,
    productId: `product-${position}`,
    name: `Product ${position}`,
    quantity,
    unitPrice,
    originalLinePrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: !isDiscounted ? 'none' : existingPercent === undefined ? 'amount' : 'percent',
    existingLineDiscountAmount,
    ...(existingPercent !== undefined && { existingLineDiscountPercent: existingPercent }),
    ...(isDiscounted && { existingLineDiscountText: 'Staff price' }),
    orderDiscountAllocation: Object.entries(shares).map(([orderDiscountId, orderDiscountAllocationAmount]) => ({
      orderDiscountId,
      orderDiscountAllocationAmount,
    })),
    orderLinePrice: originalLinePrice - existingLineDiscountAmount - allocated,
    ...given,
  };
}

/** The five totals of a basket as it is sent (interface, section 2). */
export function totalsOf(lines: readonly BasketLine[]): Totals {
  const shares = lines.flatMap((line) => line.orderDiscountAllocation);
  return {
    originalTotal: Number(total(lines.map((line) => line.originalLinePrice))),
    existingDiscountTotal: Number(total(lines.map((line) => line.existingLineDiscountAmount))),
    orderDiscountTotal: Number(total(shares.map((share) => share.orderDiscountAllocationAmount))),
    loyaltyDiscountTotal: 0,
    total: Number(total(lines.map((line) => line.orderLinePrice))),
  };
}

/** The staff order discounts that the lines' allocations add up to. */
export function orderDiscountsOf(lines: readonly BasketLine[]): OrderDiscount[] {
  const amounts = new Map<string, number>();
  for (const share of lines.flatMap((line) => line.orderDiscountAllocation)) {
    const before = amounts.get(share.orderDiscountId) ?? 0;
    amounts.set(share.orderDiscountId, before + share.orderDiscountAllocationAmount);
  }
  return [...amounts].map(([orderDiscountId, amount]) => ({
    orderDiscountId,
    type: 'amount',
    amount,
    text: 'Staff offer',
  }));
}

/** Builds the kit's baskets for one deployment. */
export class Baskets {
  readonly #options: KitOptions;

  constructor(options: KitOptions) {
    this.#options = options;
  }

  /** A correct basket with a fresh calculation ID. By default it has one line of 100.00, for the 20 % member. */
  of(words: readonly LineWords[] = [{}], more: Partial<BasketRequest> = {}): BasketRequest {
    const { venueId, baxId, currency, members } = this.#options;
    const lines = words.map((line, index) => lineOf(line, index + 1));
    return {
      calculationId: randomUUID(),
      loyaltyId: members.twenty,
      currency,
      requestedAt: new Date().toISOString(),
      context: { venueId, cashRegisterId: 'conformance-kit', baxId, channel: 'pos' },
      lines,
      orderDiscounts: orderDiscountsOf(lines),
      totals: totalsOf(lines),
      ...more,
    };
  }

  /** A basket of so many different lines, whole and weighed, some protected, some with staff discounts. */
  ofSize(lineCount: number, more: Partial<BasketRequest> = {}): BasketRequest {
    const words = Array.from({ length: lineCount }, (_, index): LineWords => {
      const quantity = index % 3 === 0 ? (index + 345) / 1000 : (index % 5) + 1;
      const isProtected = index % 11 === 10;
      return { quantity, unitPrice: 1_990 + 37 * index, noDiscount: isProtected, productGroupId: `group-${index % 7}` };
    });
    return this.of(words, more);
  }
}

/** The event that ends a calculation (decision: a sale that was not abandoned names its transaction). */
export function saleOf(calculationId: string, status: SaleStatus = 'applied'): SaleEvent {
  return {
    calculationId,
    status,
    ...(status !== 'cancelled' && { transactionId: `kit-${calculationId}` }),
    ...(status === 'failed' && { failureReason: 'timeout' as const }),
  };
}
