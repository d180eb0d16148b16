/** Products that are given: which of them, how many, and on which lines where they were rung up. */
import type { BasketLine } from '@loyalty/contract/basket-request';
import { MAX_MONEY } from '@loyalty/contract/limits';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { Product } from '../src/types.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { percent } from './support/told.ts';

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
const coffee = (unitPrice = 3_900) => line('coffee', 1, unitPrice);
const NO_DISCOUNT = { noDiscount: true };

function price(lines: BasketLine[], benefits: BenefitDefinition[], products: Product[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { products, ...more });
  const sold = new Map(products.map((own) => [own.productId, own]));
  if (decision.status === 'applied') expect(faultsOfDecision(basket, decision, sold)).toEqual([]);
  return decision;
}

/** The products that are free in the answer, and how many of each. */
function given(...priced: Parameters<typeof price>) {
  const decision = price(...priced);
  if (decision.status !== 'applied') return [];
  return decision.lines.flatMap(({ productId, quantity, orderLinePrice }) =>
    orderLinePrice === 0 ? `${quantity} ${productId}` : [],
  );
}

describe('gifts', () => {
  it('are products that the venue sells and may discount, and that cost something', () => {
    const products = [product('cake', 4_900), product('paper', 500, NO_DISCOUNT), product('bag', 0)];
    const benefits = ['bag', 'cake', 'paper', 'none'].map((productId) => gift(productId));
    expect(given([coffee()], benefits, products)).toEqual(['1 cake']);
  });

  it('are given up to the largest amount of Money', () => {
    const [products, benefits] = [
      [product('cake', 6_000), product('tea', 4_000)],
      [gift('cake'), gift('tea')],
    ];
    const givenBeside = (unitPrice: number) => given([coffee(unitPrice)], benefits, products);
    expect(givenBeside(MAX_MONEY - 10_000)).toEqual(['1 cake', '1 tea']);
    expect(givenBeside(MAX_MONEY - 9_999)).toEqual(['1 cake']);
    expect(givenBeside(MAX_MONEY - 5_999)).toEqual(['1 tea']);
  });

  it('that share a limit are the dearest of those that can be given', () => {
    const limit = { quantity: 2, period: 'day', counts: 'items', limitId: 'treats' } as const;
    const products = [product('cake', 300), product('paper', 400, NO_DISCOUNT), product('tea', 200)];
    const benefits = ['cake', 'none', 'paper', 'tea', 'water'].map((productId) => gift(productId, { limit }));
    const two = [gift('cake', { limit, quantity: 3 }), gift('tea', { limit })];
    expect(given([coffee()], benefits, products)).toEqual(['1 cake', '1 tea']);
    expect(given([coffee()], [...benefits, percent('tenth', 10)], products)).toEqual(['1 cake', '1 tea']);
    expect(given([coffee()], two, products)).toEqual(['2 cake']);
  });

  it('are what is left of a limit by items, on a line whose ID collides with nothing', () => {
    const limit = { quantity: 5, period: 'year', counts: 'items' } as const;
    const bun = product('bun', 500, { noPercentageDiscount: true });
    const more = { left: { 'free-bun#items': 2 } };
    expect(price([line('added-1', 1, 1_000)], [gift('bun', { quantity: 3, limit })], [bun], more)).toMatchObject({
      lines: [{}, { lineId: 'added-1~', quantity: 2, lineDiscountType: 'amount' }],
      uses: [{ units: 2 }],
    });
  });

  it('are found among many lines, each on its own', () => {
    const lines = Array.from({ length: 40 }, (_, at) => line(`p${at}`, 1, 100 + at));
    const products = lines.map(({ productId, unitPrice }) => product(productId, unitPrice));
    for (const pair of [
      ['p3', 'p35'],
      ['p3', 'p5'],
      ['p33', 'p39'],
    ]) {
      const benefits = pair.map((productId) => gift(productId, { inBasketFirst: true }));
      expect(given(lines, benefits, products)).toEqual(pair.map((productId) => `1 ${productId}`));
    }
  });
});

describe('a product that the guest has rung up already (`inBasketFirst`)', () => {
  const products = [product('cake', 4_900)];
  const first = (more: object = {}) => gift('cake', { benefitId: 'gift', inBasketFirst: true, ...more });
  const cakes = (quantity: number, more: Partial<BasketLine> = {}) =>
    line('cakes', quantity, 4_900, { productId: 'cake', ...more });
  const rows = (benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances) => {
    const decision = price(lines, benefits, products, more);
    if (decision.status !== 'applied') return decision.reason;
    return decision.lines.map(({ lineId, quantity, orderLinePrice }) => `${quantity} ${lineId} ${orderLinePrice}`);
  };

  it('is parted from two, and shows its price as an amount', () => {
    expect(price([cakes(2)], [first({ text: 'Happy birthday' })], products, { trace: true })).toMatchObject({
      lines: [
        { quantity: 1, orderLinePrice: 4_900 },
        { quantity: 1, lineDiscountType: 'amount', lineDiscountAmount: 4_900, lineDiscountText: 'Happy birthday' },
      ],
      trace: { benefits: [{ benefitId: 'gift', applied: true, saved: 4_900 }] },
    });
  });

  it('spends one basket of its limit and one grant, however it is given', () => {
    const limit = { quantity: 5, period: 'day', counts: 'baskets' } as const;
    const member = { grants: [{ benefitId: 'gift', grantId: 'card', quantity: 2 }] };
    const granted = first({ quantity: 2, limit, audience: 'granted' });
    expect(price([cakes(1)], [granted], products, { member })).toMatchObject({ uses: [{ units: 1 }, { units: 1 }] });
  });

  it('is kept for another day where the staff gave it for nothing', () => {
    expect(price([coffee(), cakes(1, staff(4_900))], [first()], products, { trace: true })).toMatchObject({
      status: 'unchanged',
      reason: 'all_lines_excluded',
      trace: { benefits: [{ applied: false, reason: 'nothing_to_save' }] },
    });
  });

  it('is one member of its group, and is compared with its whole worth', () => {
    const policies = { groups: { one: { atMost: 1 } } };
    const half = { benefitId: 'half', kind: 'order_percent', percent: 50, group: 'one' } as BenefitDefinition;
    const rowsOf = (more: object) => rows([first({ group: 'one', ...more }), half], [coffee(), cakes(1)], { policies });
    expect(rowsOf({ quantity: 2 })).toEqual(['1 coffee 3900', '1 cakes 0', '1 added-1 0']);
    expect(rowsOf({ minimumSaving: 9_900 })).toEqual(['1 coffee 1950', '1 cakes 2450']);
  });

  it('reaches its minimum saving with what it gives and adds together', () => {
    expect(rows([first({ quantity: 2, minimumSaving: 9_800 })], [cakes(1)])).toEqual(['1 cakes 0', '1 added-1 0']);
    expect(rows([first({ quantity: 2, minimumSaving: 9_801 })], [cakes(1)])).toBe('basket_too_small');
  });
});
