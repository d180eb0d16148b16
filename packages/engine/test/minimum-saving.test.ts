import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** A benefit is not spent on a smaller saving than it says. */

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const voucher: BenefitDefinition = {
  benefitId: 'voucher',
  kind: 'order_amount',
  amount: 500,
  minimumSaving: 500,
  limit: { quantity: 1, period: 'lifetime', counts: 'baskets' },
};

function tell(benefits: readonly BenefitDefinition[], own = basket, circumstances: Circumstances = {}) {
  const decision = priceFully(own, benefits, { ...circumstances, trace: true });
  return {
    total: decision.status === 'applied' ? decision.totals.total : decision.reason,
    uses: decision.status === 'applied' ? decision.uses.length : 0,
    of: (benefitId: string) => decision.trace!.benefits.find((benefit) => benefit.benefitId === benefitId),
  };
}

describe('a minimum saving', () => {
  it('keeps a voucher from being spent on less, and explanations say so', () => {
    expect(tell([voucher])).toMatchObject({ total: 500, uses: 1 });
    const small = tell([voucher], buildBasket([buildLine({ lineId: 'a', unitPrice: 400 })]));
    expect(small).toMatchObject({ total: 'basket_too_small', uses: 0 });
    expect(small.of('voucher')).toEqual({
      benefitId: 'voucher',
      applied: false,
      saved: 0,
      reason: 'below_minimum_saving',
      change: 'saves 4.00, and 5.00 at least are asked for',
    });
  });

  it('is what the guest saves: less the discount that gives way', () => {
    const discounted = buildBasket([buildLine({ lineId: 'a', existingLineDiscountAmount: 150 })]);
    const twenty: BenefitDefinition = { benefitId: 'b', kind: 'line_percent', percent: 20, minimumSaving: 50 };
    expect(tell([twenty], discounted).total).toBe(800);
    expect(tell([{ ...twenty, minimumSaving: 51 }], discounted).total).toBe('basket_too_small');
    expect(
      tell([{ ...twenty, minimumSaving: 51 }], discounted, { policies: { existingLineDiscounts: 'stack' } }).total,
    ).toBe(680);
  });

  it('is summed over the basket, and holds for gifts, bundles and sets', () => {
    const two = buildBasket([buildLine({ lineId: 'a' }), buildLine({ lineId: 'b' })]);
    const kinds = [
      { kind: 'line_percent', percent: 15 },
      { kind: 'bundle_price', items: [{ quantity: 2 }], percent: 15 },
      { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 30 } },
      { kind: 'free_product', productId: 'p' },
    ];
    const products = [{ productId: 'p', name: 'P', unitPrice: 300, noDiscount: false, noPercentageDiscount: false }];
    for (const kind of kinds) {
      const benefit = { benefitId: 'b', ...kind, minimumSaving: 300 } as BenefitDefinition;
      expect(tell([benefit], two, { products }).of('b')).toMatchObject({ applied: true, saved: 300 });
      expect(tell([{ ...benefit, minimumSaving: 301 }], two, { products }).of('b')).toMatchObject({ applied: false });
    }
  });

  it('leaves the lines to others where it is not reached', () => {
    const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
    const twenty: BenefitDefinition = { ...ten, benefitId: 'twenty', percent: 20, minimumSaving: 300 };
    expect(tell([ten, twenty])).toMatchObject({ total: 900 });
    expect(tell([ten, { ...twenty, exclusive: true }])).toMatchObject({ total: 900 });
  });

  it('that is not reached beside others leaves the benefit out, and the rest is chosen again', () => {
    const lines = buildBasket([buildLine({ lineId: 'a', productId: 'a' }), buildLine({ lineId: 'b', productId: 'b' })]);
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, minimumSaving: 1_000 };
    const more: BenefitDefinition = {
      benefitId: 'more',
      kind: 'line_percent',
      percent: 60,
      appliesTo: { productIds: ['a'] },
    };
    // 600 beside 500 would be most, but the half is not spent on 500. Nothing is given up so that it saves more.
    expect(tell([half, more], lines)).toMatchObject({ total: 1_400 });
  });

  it.each([
    ['the one that lacks most', 440, 400, 'b'],
    ['the one that lacks most', 430, 410, 'a'],
    ['of equals the one with the lower benefitId', 430, 400, 'b'],
  ])('leaves out %s first, and the other may then save enough', (_about, a, b, applied) => {
    // On x 3.00 off is more than 30 %, and on y it is less. Alone either of them saves 6.00.
    const two = buildBasket([buildLine({ lineId: 'x', unitPrice: 900 }), buildLine({ lineId: 'y', unitPrice: 1_100 })]);
    const told = tell(
      [
        { benefitId: 'a', kind: 'line_percent', percent: 30, minimumSaving: a },
        { benefitId: 'b', kind: 'line_amount', amount: 300, per: 'unit', minimumSaving: b },
      ],
      two,
    );
    expect(['a', 'b'].filter((benefitId) => told.of(benefitId)!.applied)).toEqual([applied]);
  });

  it('leaves out so many one after the other, and of more the choice is not proven', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const lines = buildBasket(names.map((name) => buildLine({ lineId: name, productId: name })));
    const low = names.map(
      (name): BenefitDefinition => ({
        ...{ benefitId: name, kind: 'line_percent', percent: 10, minimumSaving: 101 },
        appliesTo: { productIds: [name] },
      }),
    );
    const reached: BenefitDefinition = { benefitId: 'z', kind: 'order_amount', amount: 50, minimumSaving: 50 };
    expect(tell([...low.slice(0, 4), reached], lines)).toMatchObject({ total: 4_950 });
    expect(tell([...low, reached], lines)).toMatchObject({ total: 4_950 });
  });
});
