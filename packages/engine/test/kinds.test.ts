import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import type { AppliedDecision } from '../src/price.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** What the worked examples do not show: edges of each kind. Every applied decision is checked for every identity. */

function apply(benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances): AppliedDecision {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, more));
}

function prices({ lines }: AppliedDecision): number[] {
  return lines.map((line) => line.orderLinePrice);
}

const coffee = { productIds: ['coffee'] };
const line = (lineId: string, productId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId, productId, quantity, unitPrice, ...more });

describe('unit_price', () => {
  const cheap: BenefitDefinition = { benefitId: 'cheap', kind: 'unit_price', unitPrice: 1_000 };

  it('is exact on weighed goods', () => {
    const decision = apply([cheap], [line('a', 'p', 0.345, 1_999)]);
    expect(decision.lines[0]).toMatchObject({ overrideUnitPrice: 1_000, originalLinePrice: 690, orderLinePrice: 345 });
  });

  it('is an amount where a cap or a staff discount leaves only a part of it', () => {
    const coffee: BenefitDefinition = { ...cheap, unitPrice: 2_900, maximumDiscount: 1_500 };
    const { lines: capped } = apply([coffee], [line('a', 'p', 2, 3_900)]);
    expect(capped).toMatchObject([
      { quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 1_500, orderLinePrice: 6_300 },
    ]);
    expect(capped[0]?.overrideUnitPrice).toBeUndefined();

    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 1_500 }];
    const basket = buildBasket([line('a', 'p', 1, 2_000, { orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 1_500 }],
    });
    expect(expectApplied(basket, priceFully(basket, [cheap])).lines).toMatchObject([
      { lineDiscountType: 'amount', lineDiscountAmount: 500, orderLinePrice: 0 },
    ]);
  });

  it('takes the units that a limit by items allows', () => {
    const limit = { quantity: 2, period: 'day', counts: 'items' } as const;
    const decision = apply([{ ...cheap, limit }], [line('a', 'p', 3, 1_500)]);
    expect(decision.lines.map((part) => [part.quantity, part.overrideUnitPrice])).toEqual([
      [1, undefined],
      [2, 1_000],
    ]);
    expect(decision.uses).toMatchObject([{ benefitId: 'cheap', units: 2 }]);
  });
});

describe('line_amount', () => {
  it('never takes more than the line costs, per unit, per line and per kilogram', () => {
    const off = (per: 'unit' | 'line', amount: number): BenefitDefinition[] => [
      { benefitId: 'off', kind: 'line_amount', amount, per },
    ];
    const lines = [line('a', 'p', 3, 400), line('b', 'p', 0.5, 3_001)];
    expect(prices(apply(off('unit', 500), lines))).toEqual([0, 1_251]);
    expect(prices(apply(off('line', 500), lines))).toEqual([700, 1_001]);
  });
});

describe('maximumDiscount', () => {
  const capped: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumDiscount: 1_200 };

  it('is shared in proportion, and turns the lines that it cuts into amounts', () => {
    const { lines } = apply([capped], [line('a', 'p', 1, 2_000), line('b', 'p', 1, 2_000), line('c', 'p', 1, 2_000)]);
    expect(lines.map((out) => [out.lineDiscountType, out.lineDiscountAmount])).toEqual([
      ['amount', 400],
      ['amount', 400],
      ['amount', 400],
    ]);
  });

  it('leaves lines to other benefits where that saves more', () => {
    const other: BenefitDefinition = { benefitId: 'other', kind: 'line_percent', percent: 40 };
    const decision = apply([capped, other], [line('a', 'p', 1, 2_400), line('b', 'p', 1, 2_400)]);
    expect(decision.totals.total).toBe(4_800 - 1_200 - 960);
  });
});

describe('buy_x_get_y', () => {
  const third: BenefitDefinition = {
    benefitId: 'third',
    kind: 'buy_x_get_y',
    buy: { appliesTo: coffee, quantity: 2 },
    get: { appliesTo: coffee, quantity: 1 },
  };

  const two: BenefitDefinition = { benefitId: 'two', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } };
  const pizzas = [line('a', 'p', 1, 18_000), line('b', 'p', 1, 18_000), line('c', 'p', 1, 8_000)];

  it('cuts sets from the dearest on, so that one more unit costs no more than its price', () => {
    expect(apply([two], pizzas.slice(0, 2)).totals.total).toBe(18_000);
    expect(apply([two], pizzas).totals.total).toBe(26_000);
    expect(apply([two], [...pizzas].reverse()).totals.total).toBe(26_000);
  });

  it('gives the cheapest of all where that is asked for', () => {
    expect(apply([{ ...two, pick: 'cheapest' }], pizzas).totals.total).toBe(36_000);
  });

  it.each(['per_set', 'cheapest'] as const)('gives the unit that saves most of one price, %s', (pick) => {
    const lines = [
      line('a', 'p', 1, 2_000, { existingLineDiscountAmount: 920, orderLinePrice: 1_080 }),
      line('b', 'p', 1, 2_000),
    ];
    expect(apply([{ ...two, pick }], lines).totals.total).toBe(1_080);
    expect(apply([{ ...two, pick }], [...lines].reverse()).totals.total).toBe(1_080);
  });

  it('shares bought units with other benefits only where they are combinable', () => {
    const forty: BenefitDefinition = { benefitId: 'forty', kind: 'line_percent', percent: 40 };
    const lines = [line('a', 'coffee', 3, 10_000)];
    expect(apply([third, forty], lines).totals.total).toBe(18_000);
    const combinable = { ...third, buy: { ...third.buy, combinable: true } };
    expect(apply([combinable, forty], lines).totals.total).toBe(12_000);
  });

  it('leaves units that take no part to other benefits, beside bought ones of the same line', () => {
    const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
    const decision = apply([third, ten], [line('a', 'coffee', 5, 1_000), line('b', 'coffee', 2, 800)]);
    // Two sets of six units give one of each line; the seventh, of the dearer ones, keeps its 10 %.
    expect(decision.totals.total).toBe(5_000 + 1_600 - 1_000 - 800 - 100);
    const { trace } = priceFully(buildBasket([line('a', 'coffee', 4, 1_000)]), [third, ten], { trace: true });
    expect(trace!.bought).toEqual([{ lineId: 'split-1-2', benefitId: 'third', units: 2 }]);
  });

  it('does not take three kilograms for three units', () => {
    const basket = buildBasket([line('a', 'coffee', 3, 1_000)]);
    const weighed = { productIds: ['coffee'] };
    expect(priceFully(basket, [third], { policies: { weighed } })).toMatchObject({ status: 'unchanged' });
    expect(apply([third], [line('a', 'coffee', 3, 1_000)]).totals.total).toBe(2_000);
    // Two lines of fruit are two units, and one of them is given whole.
    const two = { ...third, buy: { quantity: 1 }, get: { quantity: 1 } };
    const lines = [line('a', 'coffee', 3, 1_000), line('b', 'coffee', 2, 1_000)];
    expect(prices(apply([two], lines, { policies: { weighed } }))).toEqual([3_000, 0]);
  });

  it('gives the dearest of other products, where no unit may be bought and given', () => {
    const bun = {
      ...two,
      buy: { ...third.buy, quantity: 1 },
      get: { appliesTo: { productIds: ['bun'] }, quantity: 1 },
    };
    const lines = [line('a', 'coffee', 1, 4_000), line('b', 'bun', 1, 3_000), line('c', 'bun', 1, 5_000)];
    expect(prices(apply([bun], lines))).toEqual([4_000, 3_000, 0]);
  });

  it('gives no unit before one that was bought for it, where selectors overlap in part', () => {
    const bun = { ...two, get: { appliesTo: { productIds: ['bun'] }, quantity: 1 } };
    expect(prices(apply([bun], [line('a', 'tea', 1, 1_000), line('b', 'bun', 1, 3_000)]))).toEqual([1_000, 0]);
    const buns = [line('a', 'bun', 1, 1_000), line('b', 'bun', 1, 3_000)];
    expect(prices(apply([bun], buns))).toEqual([0, 3_000]);
  });

  it('is compared with existing discounts as a whole', () => {
    const half = { ...two, get: { quantity: 2, percent: 50, complete: true } };
    const lines = [
      line('a', 'p', 1, 5_000),
      line('b', 'p', 1, 4_000),
      line('c', 'p', 1, 1_000, { existingLineDiscountAmount: 900, orderLinePrice: 100 }),
    ];
    // 20.00 and 5.00 come off, more than the 9.00 that go.
    expect(apply([half], lines).totals.total).toBe(5_000 + 2_000 + 500);
  });

  it('does not let a zero-priced modifier be the cheapest unit', () => {
    const lines = [
      line('a', 'coffee', 2, 1_000),
      line('b', 'coffee', 1, 900),
      line('c', 'coffee', 1, 0, { parentLineId: 'b' }),
    ];
    expect(prices(apply([third], lines))).toEqual([2_000, 0, 0]);
  });

  it('shows an amount on a line that cannot be split, because other lines hang on it', () => {
    const lines = [line('a', 'coffee', 3, 1_000), line('m', 'oat', 3, 300, { parentLineId: 'a' })];
    const decision = apply([third], lines);
    expect(decision.lines.map(({ lineId }) => lineId)).toEqual(['a', 'm']);
    expect(decision.lines[0]).toMatchObject({ quantity: 3, lineDiscountType: 'amount', lineDiscountAmount: 1_000 });
  });

  it('keeps what has to be bought when the cheapest units are also the ones to buy', () => {
    const offer: BenefitDefinition = {
      benefitId: 'bun',
      kind: 'buy_x_get_y',
      buy: { appliesTo: coffee, quantity: 1 },
      get: { quantity: 1, percent: 50 },
    };
    expect(prices(apply([offer], [line('a', 'coffee', 1, 500), line('b', 'bun', 1, 1_000)]))).toEqual([500, 500]);
  });

  it('counts given items against a limit by items', () => {
    const limit = { quantity: 1, period: 'month', counts: 'items' } as const;
    const decision = apply([{ ...third, limit }], [line('a', 'coffee', 9, 1_000)]);
    expect([decision.totals.total, decision.uses[0]?.units]).toEqual([8_000, 1]);
  });

  it('takes modifiers along where the programme says so', () => {
    const gift: BenefitDefinition = {
      benefitId: 'coffee-free',
      kind: 'line_percent',
      percent: 100,
      appliesTo: coffee,
    };
    const lines = [
      line('a', 'coffee', 1, 1_000),
      line('b', 'oat', 1, 300, { parentLineId: 'a' }),
      line('c', 'vanilla', 1, 200, { parentLineId: 'b' }),
      line('d', 'cup', 1, 100, { parentLineId: 'a' }),
      line('e', 'oat', 1, 300),
    ];
    const policies = { modifiers: 'together', exclude: { productIds: ['cup'] } } as const;
    expect(prices(apply([gift], lines, { policies }))).toEqual([0, 0, 0, 100, 300]);
  });
});

describe('bundle_price', () => {
  const meal: BenefitDefinition = {
    benefitId: 'meal',
    kind: 'bundle_price',
    items: [
      { appliesTo: { productIds: ['burger'] }, quantity: 1 },
      { appliesTo: { productIds: ['soda', 'beer'] }, quantity: 1 },
    ],
    bundlePrice: 10_000,
  };

  it('sums exactly to the price for every bundle that saves', () => {
    const lines = [line('a', 'burger', 3, 9_000), line('b', 'soda', 1, 3_333), line('c', 'beer', 1, 6_667)];
    const decision = apply([meal], lines);
    // Two bundles of two burgers, a soda and a beer for 200.00, and one burger more.
    expect(decision.totals.total).toBe(20_000 + 9_000);
  });

  it('is left alone where it saves nothing', () => {
    const basket = buildBasket([line('a', 'burger', 1, 5_000), line('b', 'soda', 1, 4_000)]);
    expect(priceFully(basket, [meal])).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
  });

  it('gives way where other benefits on its units save more', () => {
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50 };
    expect(apply([meal, half], [line('a', 'burger', 1, 9_000), line('b', 'beer', 1, 6_000)]).totals.total).toBe(7_500);
  });
});

describe('free_product', () => {
  const product = { productId: 'bun', name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: true };
  const gift: BenefitDefinition = { benefitId: 'gift', kind: 'free_product', productId: 'bun', quantity: 3 };

  it('adds what is left of a limit by items, in a line whose ID collides with nothing', () => {
    const limit = { quantity: 5, period: 'year', counts: 'items' } as const;
    const more = { products: [product], left: { 'gift#items': 2 } };
    const decision = apply([{ ...gift, limit }], [line('added-1', 'p', 1, 1_000)], more);
    expect(decision.lines[1]).toMatchObject({ lineId: 'added-1~', quantity: 2, lineDiscountType: 'amount' });
    expect(decision.uses).toMatchObject([{ units: 2 }]);
  });

  it('adds nothing that the venue does not sell or may not discount', () => {
    const basket = buildBasket([line('a', 'p', 1, 1_000)]);
    for (const products of [[], [{ ...product, noDiscount: true }], [{ ...product, unitPrice: 0 }]]) {
      expect(priceFully(basket, [gift], { products })).toMatchObject({ status: 'unchanged' });
    }
  });
});

describe('order-level benefits', () => {
  it('come one by one, the higher priority first, each on what is left', () => {
    const percent: BenefitDefinition = { benefitId: 'a', kind: 'order_percent', percent: 10 };
    const amount: BenefitDefinition = { benefitId: 'b', kind: 'order_amount', amount: 1_000 };
    const lines = [line('a', 'p', 1, 10_000)];
    expect(apply([percent, amount], lines).totals.total).toBe(8_000);
    expect(apply([percent, { ...amount, priority: 1 }], lines).totals.total).toBe(8_100);
  });

  it('show a cut percentage as an amount, and skip protected lines', () => {
    const capped: BenefitDefinition = { benefitId: 'c', kind: 'order_percent', percent: 50, maximumDiscount: 300 };
    const lines = [
      line('a', 'p', 1, 1_000),
      line('b', 'p', 1, 1_000, { noDiscount: true }),
      line('c', 'p', 1, 1_000, { noPercentageDiscount: true }),
    ];
    const decision = apply([capped], lines);
    expect(decision.orderDiscounts).toMatchObject([{ type: 'amount', amount: 300 }]);
    expect(prices(decision)).toEqual([700, 1_000, 1_000]);
  });
});
