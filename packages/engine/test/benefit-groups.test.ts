import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Groups, of whose benefits at most so many apply in one basket. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20 };

describe('a group of benefits', () => {
  const groups = { welcome: { atMost: 1 } };
  const group = 'welcome';
  const steps: BenefitDefinition[] = [
    { benefitId: 'fifty', kind: 'order_amount', amount: 50, minimumSpend: 500, group },
    { benefitId: 'more', kind: 'order_amount', amount: 120, minimumSpend: 1_000, group },
  ];
  const totalOf = (benefits: readonly BenefitDefinition[], policies: Circumstances['policies'] = { groups }) => {
    const decision = priceFully(basket, benefits, { policies, trace: true });
    return decision.status === 'applied' ? decision.totals.total : decision.reason;
  };

  it('gives the best of its benefits, at most so many', () => {
    expect(totalOf(steps)).toBe(880);
    expect(totalOf(steps, { groups: { welcome: { atMost: 2 } } })).toBe(830);
    expect(totalOf([...steps, ten])).toBe(1_000 - 100 - 120);
  });

  it('leaves the place to one that saves less where that saves more beside others', () => {
    // The half takes the line that the tenth would share with it.
    const lines = [
      buildLine({ lineId: 'a', productId: 'a' }),
      buildLine({ lineId: 'b', productId: 'b', unitPrice: 600 }),
    ];
    const a = { appliesTo: { productIds: ['a'] } };
    const benefits = [
      { benefitId: 'forty', kind: 'line_percent', percent: 40, ...a, group },
      { benefitId: 'half', kind: 'line_percent', percent: 50, appliesTo: { productIds: ['b'] }, group },
      { benefitId: 'other', kind: 'line_percent', percent: 35, ...a },
    ] as BenefitDefinition[];
    const decision = priceFully(buildBasket(lines), benefits, { policies: { groups } });
    expect(decision).toMatchObject({ totals: { total: 1_600 - 350 - 300 } });
  });

  it('leaves the place to those that save less in two groups at once', () => {
    // Beside the half of b, two fifths of b and of c save 1.50; without it 5.50. The same holds in the other group.
    const lines = ['a', 'b', 'd', 'e'].map((name) => buildLine({ lineId: name, productId: name }));
    const small = ['c', 'f'].map((name) => buildLine({ lineId: name, productId: name, unitPrice: 375 }));
    const off = (benefitId: string, percent: number, own: string, ...productIds: string[]): BenefitDefinition =>
      ({ benefitId, kind: 'line_percent', percent, group: own, appliesTo: { productIds } }) as BenefitDefinition;
    const benefits = [
      ...[off('a', 30, 'one', 'a'), off('b', 50, 'one', 'b'), off('c', 40, 'one', 'b', 'c')],
      ...[off('d', 30, 'two', 'd'), off('e', 50, 'two', 'e'), off('f', 40, 'two', 'e', 'f')],
    ];
    const policies = { groups: { one: { atMost: 2 }, two: { atMost: 2 } } };
    const decision = priceFully(buildBasket([...lines, ...small]), benefits, { policies });
    expect(decision).toMatchObject({ totals: { total: 4_750 - 2 * (300 + 550) } });
  });

  it('gives way to an exclusive benefit that saves more than all of its own', () => {
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, exclusive: true };
    expect(totalOf([{ ...ten, group }, { ...twenty, group }, half])).toBe(500);
  });

  it('tells which benefits have its place, and what they gave', () => {
    const { trace } = priceFully(basket, steps, { policies: { groups }, trace: true });
    expect(trace!.benefits.find(({ benefitId }) => benefitId === 'fifty')).toEqual({
      benefitId: 'fifty',
      applied: false,
      saved: 0,
      reason: 'group_used_up',
      change: 'the group `welcome` gave 1.20 already',
      instead: ['more'],
    });
  });

  it('takes gifts, bundles and lines alike', () => {
    const products = [{ productId: 'p', name: 'P', unitPrice: 300, noDiscount: false, noPercentageDiscount: false }];
    const members = [
      { benefitId: 'gift', kind: 'free_product', productId: 'p', group },
      { benefitId: 'bundle', kind: 'bundle_price', items: [{ quantity: 1 }], amount: 200, group },
      { ...twenty, percent: 25, group },
      { ...ten, group },
    ] as BenefitDefinition[];
    const applied = (benefits: readonly BenefitDefinition[]) =>
      priceFully(basket, benefits, { policies: { groups }, products, trace: true })
        .trace!.benefits.filter((benefit) => benefit.applied)
        .map(({ benefitId }) => benefitId);
    expect(applied(members)).toEqual(['gift']);
    expect(applied(members.slice(1))).toEqual(['twenty']);
    expect(applied(members.filter(({ benefitId }) => benefitId !== 'twenty' && benefitId !== 'gift'))).toEqual([
      'bundle',
    ]);
  });

  it('asks whether the discounts that apply are larger than those of the staff', () => {
    const staffed = buildBasket(
      [
        buildLine({
          lineId: 'a',
          orderDiscountAllocation: [{ orderDiscountId: 's', orderDiscountAllocationAmount: 130 }],
        }),
      ],
      { orderDiscounts: [{ orderDiscountId: 's', type: 'amount', amount: 130 }] },
    );
    const policies = { groups, existingOrderDiscounts: 'replace_if_larger' } as const;
    const low = steps.map((step) => ({ ...step, minimumSpend: 500 }));
    expect(priceFully(staffed, low, { policies })).toMatchObject({ status: 'unchanged' });
    const both = { ...policies, groups: { welcome: { atMost: 2 } } };
    expect(priceFully(staffed, low, { policies: both })).toMatchObject({ totals: { total: 830 } });
  });

  it('gives no discount on the order that alone is smaller than those of the staff, also where it would be cheaper', () => {
    // The staff took 350 off z. On x the two vouchers take 400 together, and one of them 300.
    const orderDiscountAllocation = [{ orderDiscountId: 's', orderDiscountAllocationAmount: 350 }];
    const lines = [
      buildLine({ lineId: 'x', productId: 'x', unitPrice: 400 }),
      buildLine({ lineId: 'z', productId: 'z', unitPrice: 400, orderDiscountAllocation }),
    ];
    const staffed = buildBasket(lines, { orderDiscounts: [{ orderDiscountId: 's', type: 'amount', amount: 350 }] });
    const vouchers = [300, 200].map((amount) => ({
      ...{ benefitId: `v${amount}`, kind: 'order_amount', amount, appliesTo: { productIds: ['x'] }, group },
    })) as BenefitDefinition[];
    const half = { ...twenty, percent: 50, appliesTo: { productIds: ['z'] } } as BenefitDefinition;
    const policies = { groups, existingOrderDiscounts: 'replace_if_larger' } as const;
    expect(priceFully(staffed, [...vouchers, half], { policies })).toMatchObject({ totals: { total: 400 } });
    const both = { ...policies, groups: { welcome: { atMost: 2 } } };
    expect(priceFully(staffed, [...vouchers, half], { policies: both })).toMatchObject({ totals: { total: 200 } });
  });
});

describe('of members of a group on different lines', () => {
  const off = (benefitId: string, amount: number, more: object = {}): BenefitDefinition =>
    ({
      ...{ benefitId, kind: 'line_amount', amount, per: 'unit', group: 'two' },
      ...{ appliesTo: { productIds: [benefitId] } },
      ...more,
    }) as BenefitDefinition;
  const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
  const lines = ['a', 'b', 'c', 'd', 'e'].map((name) => buildLine({ lineId: name, productId: name }));

  it.each([
    ['save most', [off('a', 10), off('b', 30), off('c', 20), off('d', 15)], ['b', 'c']],
    ['save the same and spend no limit', [off('a', 10, { limit }), off('b', 10), off('c', 10)], ['b', 'c']],
    [
      'save the same and have the higher priority',
      [off('a', 10), ...['b', 'c'].map((id) => off(id, 10, { priority: 1 }))],
      ['b', 'c'],
    ],
    ['save the same and have the lower benefitId', [off('c', 10), off('b', 10), off('a', 10)], ['a', 'b']],
    [
      'save most beside one without a group',
      [off('a', 10), off('b', 30), off('c', 20), off('e', 5, { group: undefined })],
      ['b', 'c', 'e'],
    ],
  ])('those that %s apply, also within few steps', (_about, benefits, applied) => {
    for (const maximumSteps of [undefined, 40, 20]) {
      const { trace } = priceFully(buildBasket(lines), JSON.parse(JSON.stringify(benefits)) as BenefitDefinition[], {
        ...{ policies: { groups: { two: { atMost: 2 } } }, trace: true },
        ...(maximumSteps !== undefined && { maximumSteps }),
      });
      const own = trace!.benefits.filter((benefit) => benefit.applied).map(({ benefitId }) => benefitId);
      expect(own, `${maximumSteps} steps`).toEqual(applied);
    }
  });

  it('of equals the lower benefitIds apply, in whichever order the lines stand', () => {
    const { trace } = priceFully(buildBasket(lines.toReversed()), [off('a', 10), off('b', 10), off('c', 10)], {
      ...{ policies: { groups: { two: { atMost: 2 } } }, trace: true },
    });
    expect(trace!.benefits.filter((own) => own.applied).map(({ benefitId }) => benefitId)).toEqual(['a', 'b']);
  });
});
