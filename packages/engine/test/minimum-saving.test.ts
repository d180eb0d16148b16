import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { line } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

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
      explanation: 'The saving is below its minimum.',
      change: 'saves 4.00, and 5.00 at least are asked for',
    });
  });

  it('leaves out so many one after the other, and of more the choice is not proven', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const lines = buildBasket(names.map((name) => line(name, 1, 1_000)));
    const low = names.map((name) => percent(name, 10, { minimumSaving: 101, ...on(name) }));
    const reached: BenefitDefinition = { benefitId: 'z', kind: 'order_amount', amount: 50, minimumSaving: 50 };
    expect(tell([...low.slice(0, 4), reached], lines)).toMatchObject({ total: 4_950 });
    expect(tell([...low, reached], lines)).toMatchObject({ total: 4_950 });
  });
});
