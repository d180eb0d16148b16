import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { Product } from '@loyalty/engine/types';
import { Random } from '../../packages/simulator/src/random.ts';
import { createBaskets } from '../generator/baskets.ts';

/**
 * The shop of the pricing benchmarks: 60 product groups of 8 products, so that a benefit on one group matches one line
 * in sixty. The baskets are those of the service's benchmark with the shop's products.
 */

export const GROUP_COUNT = 60;
const PRODUCTS_PER_GROUP = 8;

export function groupId(group: number): string {
  return `group-${group}`;
}

export function productId(group: number, product: number): string {
  return String(100_000 + group * PRODUCTS_PER_GROUP + product);
}

/** Creates baskets of `lines` lines over the whole shop; the same seed gives the same baskets. */
export function shopBaskets(count: number, lines: number, seed: number): BasketRequest[] {
  const random = new Random(seed);
  return createBaskets(count, lines, seed).map((basket) => ({
    ...basket,
    lines: basket.lines.map((line) => fromShop(line, random)),
  }));
}

function fromShop(line: BasketLine, random: Random): BasketLine {
  const group = random.below(GROUP_COUNT);
  const id = productId(group, random.below(PRODUCTS_PER_GROUP));
  return { ...line, productId: id, productMasterId: `master-${id}`, productGroupId: groupId(group) };
}

/** The products that the service may add to a basket: the first of every group. */
export function shopProducts(): Product[] {
  return Array.from({ length: GROUP_COUNT }, (_, group) => ({
    productId: productId(group, 0),
    productGroupId: groupId(group),
    name: `Product ${productId(group, 0)}`,
    unitPrice: 2900 + 100 * group,
    noDiscount: false,
    noPercentageDiscount: false,
  }));
}
