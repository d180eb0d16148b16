/** Products that are given: which of them, how many, and on which lines where they were rung up. */

import { MAX_MONEY } from '@loyalty/contract/limits';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { Product } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

const product = (productId: string, unitPrice: number, more: Partial<Product> = {}): Product => ({
  productId,
  name: productId,
  unitPrice,
  noDiscount: false,
  noPercentageDiscount: false,
  ...more,
});
const gift = (productId: string, more: object = {}) =>
  ({ benefitId: `free-${productId}`, kind: 'free_product', productId, ...more }) as BenefitDefinition;

/** The products that are free in the answer, and how many of each. */
function given(
  lines: ReturnType<typeof buildLine>[],
  benefits: BenefitDefinition[],
  products: Product[],
  policies: Partial<ProgrammeDefinition> = {},
) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { products, policies });
  if (decision.status !== 'applied') return [];
  expect(faultsOfDecision(basket, decision, new Map(products.map((own) => [own.productId, own])))).toEqual([]);
  return decision.lines.flatMap(({ productId, quantity, orderLinePrice }) =>
    orderLinePrice === 0 ? `${quantity} ${productId}` : [],
  );
}

const coffee = (unitPrice = 3_900) => buildLine({ lineId: 'coffee', productId: 'coffee', unitPrice });

describe('gifts', () => {
  it('are products that the venue sells and may discount, and that cost something', () => {
    const products = [product('cake', 4_900), product('paper', 500, { noDiscount: true }), product('bag', 0)];
    const benefits = ['bag', 'cake', 'paper', 'none'].map((productId) => gift(productId));
    expect(given([coffee()], benefits, products)).toEqual(['1 cake']);
  });

  it('are given up to the largest amount of Money', () => {
    const products = [product('cake', 6_000), product('tea', 4_000)];
    const benefits = [gift('cake'), gift('tea')];
    expect(given([coffee(MAX_MONEY - 10_000)], benefits, products)).toEqual(['1 cake', '1 tea']);
    expect(given([coffee(MAX_MONEY - 9_999)], benefits, products)).toEqual(['1 cake']);
    expect(given([coffee(MAX_MONEY - 5_999)], benefits, products)).toEqual(['1 tea']);
  });

  it('that share a limit are the dearest of those that can be given', () => {
    const limit = { quantity: 2, period: 'day', counts: 'items', limitId: 'treats' } as const;
    const products = [product('cake', 300), product('paper', 400, { noDiscount: true }), product('tea', 200)];
    const benefits = ['cake', 'none', 'paper', 'tea', 'water'].map((productId) => gift(productId, { limit }));
    expect(given([coffee()], benefits, products)).toEqual(['1 cake', '1 tea']);
    const tenth: BenefitDefinition = { benefitId: 'tenth', kind: 'line_percent', percent: 10 };
    expect(given([coffee()], [...benefits, tenth], products)).toEqual(['1 cake', '1 tea']);
    expect(given([coffee()], [gift('cake', { limit, quantity: 3 }), gift('tea', { limit })], products)).toEqual([
      '2 cake',
    ]);
  });

  it('are found among many lines, each on its own', () => {
    const lines = Array.from({ length: 40 }, (_, at) =>
      buildLine({ lineId: `${at}`, productId: `p${at}`, unitPrice: 100 + at }),
    );
    const products = lines.map(({ productId, unitPrice }) => product(productId, unitPrice));
    const free = (...productIds: string[]) =>
      given(
        lines,
        productIds.map((productId) => gift(productId, { inBasketFirst: true })),
        products,
      );
    expect(free('p3', 'p35')).toEqual(['1 p3', '1 p35']);
    expect(free('p3', 'p5')).toEqual(['1 p3', '1 p5']);
    expect(free('p33', 'p39')).toEqual(['1 p33', '1 p39']);
  });
});
