import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { MAX_BODY_BYTES, MAX_LINES } from '@loyalty/contract/limits';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { percentOf } from '@loyalty/contract/money/round';
import type { Random } from '../../../simulator/src/random.ts';
import { pick } from './benefits.ts';

/** Random baskets up to the limits of the contract: 200 lines, 256 KB, any quantity. */

/** A line in as few words as it takes. */
interface LineGene {
  readonly product: number;
  readonly quantity: number;
  readonly unitPrice: number;
  /** Per cent that the staff has taken off already. */
  readonly existing: number;
  /** So many staff order discounts lie on it. */
  readonly allocations: number;
  /** Lines upwards to its parent; 0: none. */
  readonly parent: number;
  readonly noDiscount: boolean;
  readonly noPercentageDiscount: boolean;
}

interface LineStyle {
  readonly quantities: readonly number[];
  readonly prices: readonly number[];
  readonly existing: number;
  readonly allocated: number;
  readonly mostAllocations: number;
  readonly parents: number;
  readonly products: number;
}

const UNITS = [
  [1],
  [1, 2, 3, 4],
  [1, 2, 5, 20],
  [100],
  [200, 3, 7],
  [999_999, 1_000_000, 1_000_001],
  [10_000, 1],
  [0.345, 1.25, 0.123456789012345],
];

export function drawLines(random: Random): LineGene[] {
  const style: LineStyle = {
    quantities: pick(random, UNITS),
    prices: pick(random, [
      [1],
      [1000],
      [2999, 3001],
      [100, 200, 500, 1000],
      [1, 7, 12_345, 99_900],
      [0, 5, 333_333_333],
    ]),
    existing: pick(random, [0, 0, 0.2, 1]),
    allocated: pick(random, [0, 0, 0.3, 1]),
    mostAllocations: pick(random, [1, 3, 20]),
    parents: pick(random, [0, 0, 0, 0.3, 1]),
    products: pick(random, [3, 30, 200]),
  };
  const count = pick(random, [1, 3, 3, 10, 20, 40, 100, MAX_LINES, MAX_LINES]);
  return Array.from({ length: count }, (_, index) => drawLine(random, style, index));
}

function drawLine(random: Random, style: LineStyle, index: number): LineGene {
  return {
    product: random.below(style.products),
    quantity: pick(random, style.quantities),
    unitPrice: pick(random, style.prices),
    existing: random.chance(style.existing) ? random.between(0, 60) : 0,
    allocations: random.chance(style.allocated) ? random.between(1, style.mostAllocations) : 0,
    parent: index > 0 && random.chance(style.parents) ? 1 + random.below(random.chance(0.5) ? 1 : index) : 0,
    noDiscount: random.chance(0.02),
    noPercentageDiscount: random.chance(0.02),
  };
}

const GROUPS = 60;
const MASTERS = 7;

/** The basket of these lines, its identities right; nothing when its body or its total would be too large to be read. */
export function createBasket(genes: readonly LineGene[]): BasketRequest | undefined {
  const lines = genes.map(createLine);
  const discounts = new Map<string, number>();
  for (const { orderDiscountAllocation } of lines) {
    for (const { orderDiscountId, orderDiscountAllocationAmount: amount } of orderDiscountAllocation) {
      discounts.set(orderDiscountId, (discounts.get(orderDiscountId) ?? 0) + amount);
    }
  }
  const orderDiscounts = [...discounts].map(
    ([orderDiscountId, amount]): OrderDiscount => ({ orderDiscountId, type: 'amount', amount }),
  );
  const sum = (of: (line: BasketLine) => number): number => lines.reduce((total, line) => total + of(line), 0);
  const basket: BasketRequest = {
    calculationId: '00000000-0000-4000-8000-000000000000',
    loyaltyId: 'member-000000',
    currency: 'NOK',
    requestedAt: '2026-11-20T12:00:00+01:00',
    context: { venueId: 'bench-venue', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' },
    lines,
    orderDiscounts,
    totals: {
      originalTotal: sum((line) => line.originalLinePrice),
      existingDiscountTotal: sum((line) => line.existingLineDiscountAmount),
      orderDiscountTotal: orderDiscounts.reduce((total, { amount }) => total + amount, 0),
      loyaltyDiscountTotal: 0,
      total: sum((line) => line.orderLinePrice),
    },
  };
  const isMoney = Number.isSafeInteger(basket.totals.originalTotal);
  return isMoney && JSON.stringify(basket).length <= MAX_BODY_BYTES ? basket : undefined;
}

function createLine(gene: LineGene, index: number): BasketLine {
  const { product, quantity, unitPrice } = gene;
  const originalLinePrice = Number(multiplyQuantity(quantity, unitPrice));
  const existing = percentOf(originalLinePrice, gene.existing * 100);
  let left = originalLinePrice - existing;
  const orderDiscountAllocation = Array.from({ length: gene.allocations }, (_, at) => {
    const amount = Math.floor(left / 20);
    left -= amount;
    return { orderDiscountId: `staff-${at}`, orderDiscountAllocationAmount: amount };
  });
  return {
    lineId: `line-${index}`,
    productId: `product-${product}`,
    productMasterId: `master-${product % MASTERS}`,
    productGroupId: `group-${product % GROUPS}`,
    name: `Product ${product}`,
    quantity,
    unitPrice,
    originalLinePrice,
    ...(gene.parent > 0 && gene.parent <= index && { parentLineId: `line-${index - gene.parent}` }),
    noDiscount: gene.noDiscount,
    noPercentageDiscount: gene.noPercentageDiscount,
    existingLineDiscountType: existing > 0 ? 'amount' : 'none',
    existingLineDiscountAmount: existing,
    orderDiscountAllocation,
    orderLinePrice: left,
  };
}
