import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

/** Groups, of whose benefits at most so many apply in one basket. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);

describe('a group of benefits', () => {
  const groups = { welcome: { atMost: 1 } };
  const group = 'welcome';
  const steps: BenefitDefinition[] = [
    { benefitId: 'fifty', kind: 'order_amount', amount: 50, minimumSpend: 500, group },
    { benefitId: 'more', kind: 'order_amount', amount: 120, minimumSpend: 1_000, group },
  ];

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

  it('tells which benefits have its place, and what they gave', () => {
    const { trace } = priceFully(basket, steps, { policies: { groups }, trace: true });
    expect(trace!.benefits.find(({ benefitId }) => benefitId === 'fifty')).toEqual({
      benefitId: 'fifty',
      applied: false,
      saved: 0,
      reason: 'group_used_up',
      explanation: 'Its group already has the maximum number of benefits.',
      change: 'the group `welcome` gave 1.20 already',
      instead: ['more'],
    });
  });
});

describe('of members of a group on different lines', () => {
  const off = (benefitId: string, amount: number, more: object = {}): BenefitDefinition =>
    ({
      benefitId,
      kind: 'line_amount',
      amount,
      per: 'unit',
      group: 'two',
      appliesTo: { productIds: [benefitId] },
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
        policies: { groups: { two: { atMost: 2 } } },
        trace: true,
        ...(maximumSteps !== undefined && { maximumSteps }),
      });
      const own = trace!.benefits.filter((benefit) => benefit.applied).map(({ benefitId }) => benefitId);
      expect(own, `${maximumSteps} steps`).toEqual(applied);
    }
  });

  it('of equals the lower benefitIds apply, in whichever order the lines stand', () => {
    const { trace } = priceFully(buildBasket(lines.toReversed()), [off('a', 10), off('b', 10), off('c', 10)], {
      policies: { groups: { two: { atMost: 2 } } },
      trace: true,
    });
    expect(trace!.benefits.filter((own) => own.applied).map(({ benefitId }) => benefitId)).toEqual(['a', 'b']);
  });
});
