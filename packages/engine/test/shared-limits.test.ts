import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Limits that several benefits share; the basket is of 2026-11-21, in NOK. */

const lines = [
  buildLine({ lineId: 'a', productId: 'coffee', quantity: 3, unitPrice: 4_000 }),
  buildLine({ lineId: 'b', productId: 'bun', quantity: 2, unitPrice: 3_000 }),
  buildLine({ lineId: 'c', productId: 'cake', unitPrice: 9_000 }),
];
const of = (...productIds: string[]) => ({ appliesTo: { productIds } });

/** The saving, the counters with what is taken of them, and the benefits that applied. */
function look(benefits: readonly BenefitDefinition[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { ...more, trace: true });
  const applied = decision.trace!.benefits.filter((benefit) => benefit.applied).map(({ benefitId }) => benefitId);
  if (decision.status !== 'applied') return { saved: 0, uses: [], applied, trace: decision.trace! };
  const { totals, uses } = expectApplied(basket, decision);
  const counters = uses.map(({ usageKey, units, limit }) => `${usageKey}=${units}/${limit}`);
  return { saved: basket.totals.total - totals.total, uses: counters, applied, trace: decision.trace! };
}

const percentOff = (benefitId: string, percent: number, more: object): BenefitDefinition =>
  ({ benefitId, kind: 'line_percent', percent, ...more }) as BenefitDefinition;

describe('a limit by items that benefits share', () => {
  const limit = { quantity: 3, period: 'week', counts: 'items', limitId: 'treats' } as const;
  const coffee = percentOff('coffee', 50, { ...of('coffee'), limit });
  const bun = percentOff('bun', 100, { ...of('bun'), limit });

  it('is spent where it saves most, and counted once', () => {
    // Two buns at 30.00 each, and one coffee at half of 40.00.
    const { saved, uses, trace } = look([coffee, bun]);
    expect([saved, uses]).toEqual([8_000, ['@treats#items:2026-W47=3/3']]);
    expect(trace.benefits.map(({ left }) => left)).toEqual(['0 left this week', '0 left this week']);
    const two = { left: { '@treats#items': 2 } };
    expect(look([coffee, bun], two)).toMatchObject({
      saved: 6_000,
      applied: ['bun'],
      uses: ['@treats#items:2026-W47=2/3'],
    });
    expect(look([coffee, bun], { left: { '@treats#items': 0 } })).toMatchObject({ saved: 0, uses: [] });
  });

  it('is shared with bundles and sets', () => {
    const pair = {
      benefitId: 'pair',
      kind: 'buy_x_get_y',
      buy: { quantity: 1, ...of('coffee') },
      get: { quantity: 1, ...of('coffee') },
    };
    const both = {
      benefitId: 'both',
      kind: 'bundle_price',
      items: [
        { quantity: 1, ...of('bun') },
        { quantity: 1, ...of('cake') },
      ],
      percent: 50,
    };
    const benefits = [
      { ...pair, limit },
      { ...both, limit },
    ] as BenefitDefinition[];
    expect(look(benefits)).toMatchObject({ saved: 10_000, uses: ['@treats#items:2026-W47=3/3'] });
    expect(look(benefits, { left: { '@treats#items': 2 } })).toMatchObject({ saved: 6_000, applied: ['both'] });
    expect(look(benefits, { left: { '@treats#items': 1 } })).toMatchObject({ saved: 4_000, applied: ['pair'] });
    expect(look([...benefits, bun], { left: { '@treats#items': 2 } })).toMatchObject({
      saved: 7_000,
      applied: ['bun', 'pair'],
    });
  });

  it('gives the dearest products first', () => {
    const gift = (productId: string) =>
      ({ benefitId: productId, kind: 'free_product', productId, limit }) as BenefitDefinition;
    const product = (productId: string, unitPrice: number) => ({
      ...{ productId, name: productId, unitPrice, noDiscount: false, noPercentageDiscount: false },
    });
    const products = [product('a', 100), product('b', 300), product('c', 200)];
    const left = { '@treats#items': 2 };
    expect(look([gift('a'), gift('b'), gift('c')], { products, left })).toMatchObject({
      applied: ['b', 'c'],
      uses: ['@treats#items:2026-W47=2/3'],
    });
  });

  it('may be of one basket, without a counter', () => {
    const inBasket = { ...limit, quantity: 2, period: 'basket' as const };
    const benefits = [coffee, bun].map((benefit) => ({ ...benefit, limit: inBasket }) as BenefitDefinition);
    expect(look(benefits)).toMatchObject({ saved: 6_000, applied: ['bun'], uses: [] });
  });

  it('is decided at once on a hundred lines of a hundred units', () => {
    const many = Array.from({ length: 100 }, (_, at) =>
      buildLine({ lineId: `l${at}`, productId: at % 2 ? 'coffee' : 'bun', quantity: 100, unitPrice: 1_000 + 10 * at }),
    );
    const wide = { ...limit, quantity: 150 };
    const benefits = [coffee, bun].map((benefit) => ({ ...benefit, limit: wide }) as BenefitDefinition);
    const decision = priceFully(buildBasket(many), benefits, { trace: true });
    // The dearest buns at 19.80 and 19.60.
    expect(decision).toMatchObject({ status: 'applied', totals: { loyaltyDiscountTotal: 100 * 1_980 + 50 * 1_960 } });
  });
});

describe('a limit in money that benefits share', () => {
  const limit = { quantity: 10_000, period: 'month', counts: 'money', limitId: 'purse' } as const;

  it('is one purse for all of them', () => {
    const benefits = [
      percentOff('half', 50, { ...of('coffee'), limit }),
      percentOff('most', 90, { ...of('cake'), limit }),
    ];
    expect(look(benefits)).toMatchObject({ saved: 10_000, uses: ['@purse$NOK:2026-11=10000/10000'] });
    const { trace, ...looked } = look(benefits, { left: { '@purse$NOK': 7_000 } });
    expect(looked).toMatchObject({ saved: 7_000, uses: ['@purse$NOK:2026-11=7000/10000'] });
    expect(trace.benefits[1]!.left).toBe('0.00 left this month');
  });

  it('is left to those that make most of a line', () => {
    // The cake takes 10 % of any purse, so the purse is for the coffee.
    const benefits = [
      percentOff('always', 30, of('cake')),
      percentOff('cake', 50, { ...of('cake'), limit }),
      percentOff('coffee', 50, { ...of('coffee'), limit }),
    ];
    expect(look(benefits, { left: { '@purse$NOK': 6_000 } })).toMatchObject({
      saved: 8_700,
      applied: ['always', 'coffee'],
    });
  });

  it('is shared by discounts on the order, one of which may leave it to another', () => {
    const order = (benefitId: string, percent: number, more: object) =>
      ({ benefitId, kind: 'order_percent', percent, ...more }) as BenefitDefinition;
    const first = order('first', 50, { priority: 2, limit });
    const between = order('between', 10, { priority: 1 });
    const last = { benefitId: 'last', kind: 'order_amount', amount: 20_000, limit } as BenefitDefinition;
    // The order costs 270.00: 27.00 of all of it, then the purse.
    expect(look([first, between, last])).toMatchObject({ saved: 12_700, applied: ['between', 'last'] });
    const uses = ['@purse$NOK:2026-11=10000/10000'];
    expect(look([first, last])).toMatchObject({ saved: 10_000, applied: ['first'], uses });
    // None of them is left out where as much comes off without it.
    const little = {
      benefitId: 'little',
      kind: 'order_amount',
      amount: 4_000,
      priority: 2,
      limit,
    } as BenefitDefinition;
    expect(look([little, last])).toMatchObject({ saved: 10_000, applied: ['last', 'little'], uses });
  });

  it('shows as an amount what another discount on the order has cut', () => {
    const tenth = (benefitId: string) =>
      ({ benefitId, kind: 'order_percent', percent: 10, limit: { ...limit, quantity: 4_000 } }) as BenefitDefinition;
    const basket = buildBasket(lines);
    // 27.00 of 270.00, and of the purse of 40.00 the rest.
    expect(expectApplied(basket, priceFully(basket, [tenth('a'), tenth('b')])).orderDiscounts).toMatchObject([
      { type: 'percent', percent: 10, amount: 2_700 },
      { type: 'amount', amount: 1_300 },
    ]);
  });

  it('is left by the best of four discounts on the order to the others', () => {
    const order = (benefitId: string, priority: number, more: object) =>
      ({ benefitId, kind: 'order_percent', priority, ...more }) as BenefitDefinition;
    const benefits = [
      order('first', 5, { percent: 50, limit }),
      order('between', 4, { percent: 10 }),
      ...['second', 'third', 'fourth'].map((benefitId, at) => order(benefitId, at, { percent: 25, limit })),
    ];
    // Without the first one 10 % come off all of 270.00; three quarters of 243.00 and of the rest use up the purse.
    expect(look(benefits)).toMatchObject({ saved: 12_700, uses: ['@purse$NOK:2026-11=10000/10000'] });
  });

  it('is shared by more discounts on the order than there are ways to try', () => {
    const forty = Array.from({ length: 40 }, (_, at) => {
      return { benefitId: `order-${at}`, kind: 'order_amount', amount: 300, limit } as BenefitDefinition;
    });
    expect(look(forty)).toMatchObject({ saved: 10_000, uses: ['@purse$NOK:2026-11=10000/10000'] });
  });
});

describe('a limit by baskets that benefits share', () => {
  const limit = { quantity: 2, period: 'day', counts: 'baskets', limitId: 'daily' } as const;
  const benefits = [
    percentOff('bun', 50, { ...of('bun'), limit }),
    percentOff('cake', 50, { ...of('cake'), limit }),
    { benefitId: 'order', kind: 'order_amount', amount: 5_000, limit } as BenefitDefinition,
  ];

  it('is drawn on by each benefit for itself', () => {
    expect(look(benefits)).toMatchObject({ saved: 9_500, applied: ['cake', 'order'], uses: ['@daily:2026-11-21=2/2'] });
    const one = look(benefits, { left: { '@daily': 1 } });
    expect(one).toMatchObject({ saved: 5_000, applied: ['order'], uses: ['@daily:2026-11-21=1/2'] });
    expect(one.trace.benefits[0]).toMatchObject({ reason: 'limit_used_up', change: 'tomorrow', instead: ['order'] });
  });

  it('stands beside groups', () => {
    const grouped = benefits.map((benefit, at) => (at === 0 ? benefit : { ...benefit, group: 'one' }));
    const groups = { one: { atMost: 1 } };
    expect(look(grouped, { policies: { groups } })).toMatchObject({ saved: 8_000, applied: ['bun', 'order'] });
  });
});
