/** Baskets that are right to the unit, from as few words as a test needs. */
import { randomUUID } from 'node:crypto';
import { linePriceOf, percentageOf, sumOf } from './decimal.ts';
import type { Random } from './random.ts';
import type { BasketBody, ContextBody, LineBody, OrderDiscountBody, SaleBody, TotalsBody } from './wire.ts';

/** What a test says about a line; the rest follows. Fields of the interface may be given outright and then win. */
export interface LineWords extends Partial<LineBody> {
  /** Staff discount in minor units. */
  readonly existing?: number;
  /** Staff discount in per cent of the line. */
  readonly existingPercent?: number;
  /** Shares of staff order discounts: orderDiscountId → minor units. */
  readonly allocations?: Readonly<Record<string, number>>;
}

export const OSLO: ContextBody = { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' };
export const BERGEN: ContextBody = {
  venueId: 'bergen-quay',
  cashRegisterId: 'till-7',
  baxId: '600200',
  channel: 'mpos',
};

/** One line of the basket; `position` counts from 1 and names it. */
export function lineOf(words: LineWords, position: number): LineBody {
  const { existing = 0, existingPercent, allocations = {}, ...given } = words;
  const quantity = given.quantity ?? 1;
  const unitPrice = given.unitPrice ?? 10_000;
  const originalLinePrice = Number(linePriceOf(quantity, unitPrice));
  const byPercent =
    existingPercent === undefined ? 0 : Number(percentageOf(BigInt(originalLinePrice), existingPercent));
  const existingLineDiscountAmount = existing + byPercent;
  const shares = Object.values(allocations).reduce((sum, amount) => sum + amount, 0);
  const isDiscounted = existing > 0 || existingPercent !== undefined;
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
    orderDiscountAllocation: Object.entries(allocations).map(([orderDiscountId, orderDiscountAllocationAmount]) => ({
      orderDiscountId,
      orderDiscountAllocationAmount,
    })),
    orderLinePrice: originalLinePrice - existingLineDiscountAmount - shares,
    ...given,
  };
}

/** The five totals of a basket as it is sent. */
export function totalsOf(lines: readonly LineBody[]): TotalsBody {
  const allocations = lines.flatMap((line) => line.orderDiscountAllocation);
  return {
    originalTotal: Number(sumOf(lines.map((line) => line.originalLinePrice))),
    existingDiscountTotal: Number(sumOf(lines.map((line) => line.existingLineDiscountAmount))),
    orderDiscountTotal: Number(sumOf(allocations.map((entry) => entry.orderDiscountAllocationAmount))),
    loyaltyDiscountTotal: 0,
    total: Number(sumOf(lines.map((line) => line.orderLinePrice))),
  };
}

/** The staff order discounts that the lines' allocations add up to. */
export function orderDiscountsOf(lines: readonly LineBody[]): OrderDiscountBody[] {
  const amounts = new Map<string, number>();
  for (const { orderDiscountId, orderDiscountAllocationAmount } of lines.flatMap(
    (line) => line.orderDiscountAllocation,
  )) {
    amounts.set(orderDiscountId, (amounts.get(orderDiscountId) ?? 0) + orderDiscountAllocationAmount);
  }
  return [...amounts].map(([orderDiscountId, amount]) => ({
    orderDiscountId,
    type: 'amount',
    amount,
    text: 'Staff offer',
  }));
}

/** A correct basket. Without lines it has one, of 100.00; without a member it is the one who always gets 20 %. */
export function basketOf(words: readonly LineWords[] = [{}], more: Partial<BasketBody> = {}): BasketBody {
  const lines = words.map((line, index) => lineOf(line, index + 1));
  return {
    calculationId: randomUUID(),
    loyaltyId: 'member-twenty',
    currency: 'NOK',
    requestedAt: '2026-11-20T12:00:00+01:00',
    context: OSLO,
    lines,
    orderDiscounts: orderDiscountsOf(lines),
    totals: totalsOf(lines),
    ...more,
  };
}

/** The event that ends a calculation; a sale that was not abandoned names its transaction. */
export function saleOf(calculationId: string, status = 'applied', more: Partial<SaleBody> = {}): SaleBody {
  return {
    calculationId,
    status,
    ...(status !== 'cancelled' && { transactionId: `transaction-${calculationId.slice(0, 8)}` }),
    ...(status === 'failed' && { failureReason: 'timeout' }),
    ...more,
  };
}

const NAMES = ['Filter coffee', 'Kanelbolle', 'Blåbær, løs vekt', 'Øl 0,5 l', 'Crème brûlée', '抹茶ラテ', 'Tip 🎁'];

/** A correct basket of `count` lines with weighed goods, staff discounts, order discounts, options and protected lines. */
export function randomBasket(random: Random, count: number, more: Partial<BasketBody> = {}): BasketBody {
  const staffIds = ['staff-1', 'staff-2'].slice(0, random.between(0, 2));
  const words = Array.from({ length: count }, (_, index): LineWords => {
    const quantity = random.chance(0.3) ? random.between(1, 5_000) / 1_000 : random.between(1, 6);
    const unitPrice = random.chance(0.05) ? random.between(0, 3) : random.between(100, 99_999);
    let rest = Number(linePriceOf(quantity, unitPrice));
    const take = (share: number): number => {
      const amount = Math.floor(rest * share * random.next());
      rest -= amount;
      return amount;
    };
    const existing = random.chance(0.3) ? { existing: take(0.6) } : {};
    const allocations: Record<string, number> = {};
    for (const id of staffIds) if (random.chance(0.6)) allocations[id] = take(0.5);
    return {
      quantity,
      unitPrice,
      ...existing,
      allocations,
      name: random.pick(NAMES),
      noDiscount: random.chance(0.1),
      noPercentageDiscount: random.chance(0.1),
      ...(random.chance(0.5) && { productGroupId: random.pick(['coffee', 'bakery', 'tobacco']) }),
      ...(random.chance(0.3) && { productMasterId: `master-${random.between(1, 50)}` }),
      ...(random.chance(0.3) && { ean: String(random.between(1e12, 9e12)) }),
      ...(index > 0 && random.chance(0.2) && { parentLineId: `line-${random.between(1, index)}` }),
    };
  });
  return basketOf(words, more);
}
