/** Percentages on lines whose existing discount stays (`existingLineDiscounts: stack`) count from what they cost then. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { judgeTakes } from '../src/choose/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { LineOffer } from '../src/offers/offers.ts';
import { buildBasket } from './support/basket.ts';
import { line, posedBy, staff } from './support/choices.ts';
import { expectApplied, priceFully } from './support/price.ts';

const policies = { existingLineDiscounts: 'stack' } as const;
const benefitOf = (more: object) => ({ benefitId: 'b', ...more }) as BenefitDefinition;
const two = line('a', 2, 10_000, staff(12_000));

function pricedWith(more: object, lines: BasketLine[] = [two], own: object = {}) {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, [benefitOf(more)], { policies: { ...policies, ...own } }));
}

describe('half of what the staff has left of two at 100.00', () => {
  it('is an amount on the line, and a percentage where the staff gave nothing', () => {
    const { lines } = pricedWith({ kind: 'line_percent', percent: 50 }, [two, line('c', 1, 1_000)]);
    expect(lines.map(({ lineDiscountType, lineDiscountAmount }) => [lineDiscountType, lineDiscountAmount])).toEqual([
      ['amount', 4_000],
      ['percent', 500],
    ]);
  });

  it('is what the rule of a kind says, also where it is no plain percentage', () => {
    const { problem, offers, sets } = posedBy(
      buildBasket([two]),
      [benefitOf({ kind: 'line_percent', percent: 50 })],
      policies,
    );
    const [offer] = offers as [LineOffer];
    const above = (_line: unknown, _units: number, cost = 0) => Math.max(0, cost - 5_000) / 2;
    const rest = { ...offer, benefit: { ...offer.benefit, rule: { ...offer.benefit.rule, effect: above } } };
    const parts = judgeTakes(problem, sets, [0], [{ taken: [], bought: [], rest }]);
    expect(parts).toMatchObject([{ effect: 1_500 }]);
  });
});
