import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

/** Groups, of whose benefits at most so many apply in one basket. */

describe('a group of benefits', () => {
  const groups = { welcome: { atMost: 1 } };
  const group = 'welcome';
  it('leaves the place to one that saves less where that saves more beside others', () => {
    // The half takes the line that the tenth would share with it.
    const lines = [line('a', 1, 1_000), line('b', 1, 600)];
    const benefits = [
      percent('forty', 40, { ...on('a'), group }),
      percent('half', 50, { ...on('b'), group }),
      percent('other', 35, on('a')),
    ];
    const decision = priceFully(buildBasket(lines), benefits, { policies: { groups } });
    expect(decision).toMatchObject({ totals: { total: 1_600 - 350 - 300 } });
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
      ...on(benefitId),
      ...more,
    }) as BenefitDefinition;
  const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
  const lines = ['a', 'b', 'c', 'd', 'e'].map((name) => line(name, 1, 1_000));

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
});
