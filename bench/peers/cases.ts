import type { BasketLine, BasketRequest } from '../../src/contract/basket-request.ts';
import { Random } from '../../src/tools/simulator/random.ts';
import { shopBaskets } from '../pricing/shop.ts';

/**
 * The rules that all engines can express: a percentage for each product group, one group per rule, one rule at most per
 * line. Prices are whole kroner and percentages whole numbers, so that every result is exact without rounding.
 */

export interface GroupRule {
  readonly productGroupId: string;
  readonly percent: number;
}

export interface PeerCase {
  readonly rules: readonly GroupRule[];
  readonly baskets: readonly BasketRequest[];
}

/** Discount per line in minor units, 0 where no rule applies. */
export type Discounts = readonly number[];

/** An engine with the rules loaded. Its input is prepared in advance; its answer is converted into discounts. */
export interface Peer {
  readonly name: string;
  /** The discounts in the engine's own terms. */
  readonly about: string;
  price(basket: number): Discounts | Promise<Discounts>;
}

export const SIZE = { lines: 20, rules: 100, baskets: 16 } as const;
const MINOR_PER_MAJOR = 100;
const PER_CENT = 100;

export function createCase({ lines, rules, baskets }: typeof SIZE = SIZE): PeerCase {
  const random = new Random(11);
  return {
    rules: Array.from({ length: rules }, (_, group) => ({
      productGroupId: `group-${group}`,
      percent: random.between(5, 40),
    })),
    baskets: shopBaskets(baskets, lines, 3).map((basket) => plainBasket(basket, rules, random)),
  };
}

/** Makes quantities and prices whole and removes staff discounts, because the peers have none of these. */
function plainBasket(basket: BasketRequest, groups: number, random: Random): BasketRequest {
  const lines = basket.lines.map((line) => plainLine(line, random.below(groups), random));
  const total = lines.reduce((sum, { originalLinePrice }) => sum + originalLinePrice, 0);
  return {
    ...basket,
    lines,
    orderDiscounts: [],
    totals: {
      originalTotal: total,
      existingDiscountTotal: 0,
      orderDiscountTotal: 0,
      loyaltyDiscountTotal: 0,
      total,
    },
  };
}

function plainLine(line: BasketLine, group: number, random: Random): BasketLine {
  const { existingLineDiscountText: _none, ...rest } = line;
  const [quantity, unitPrice] = [random.between(1, 4), MINOR_PER_MAJOR * random.between(15, 199)];
  return {
    ...rest,
    productGroupId: `group-${group}`,
    quantity,
    unitPrice,
    originalLinePrice: quantity * unitPrice,
    noDiscount: false,
    noPercentageDiscount: false,
    existingLineDiscountType: 'none',
    existingLineDiscountAmount: 0,
    orderDiscountAllocation: [],
    orderLinePrice: quantity * unitPrice,
  };
}

/** Computes the answer that every engine must give, without using any of them. */
export function expectedDiscounts({ rules, baskets }: PeerCase, basket: number): Discounts {
  const percents = new Map(rules.map(({ productGroupId, percent }) => [productGroupId, percent]));
  const { lines } = baskets[basket] as BasketRequest;
  return lines.map(
    ({ productGroupId, originalLinePrice }) =>
      (originalLinePrice * (percents.get(productGroupId as string) ?? 0)) / PER_CENT,
  );
}
