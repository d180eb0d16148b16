/** A maximum discount is shared over all lines that a benefit may have, in proportion. */
import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied, priceFully } from './support/price.ts';

function apply(benefits: BenefitDefinition[], lines: BasketLine[]) {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits));
}

const line = (lineId: string, productId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId, productId, quantity, unitPrice, ...more });
const capped: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumDiscount: 1_200 };

describe('a maximum discount', () => {
  it('leaves no line out by its place in the basket', () => {
    const fifteen: BenefitDefinition = { ...capped, percent: 15, maximumDiscount: 5_000 };
    const sold = [line('a', 'p', 1, 12_000), line('b', 'p', 1, 23_000), line('c', 'p', 1, 30_000)];
    const off = (lines: typeof sold) =>
      Object.fromEntries(apply([fifteen], lines).lines.map((out) => [out.lineId, out.lineDiscountAmount]));
    expect(off(sold)).toEqual({ a: 923, b: 1_769, c: 2_308 });
    expect(off(sold.toReversed())).toEqual(off(sold));
  });

  it('takes part on no line that another benefit has, or whose staff discount would go for nothing', () => {
    const own: BenefitDefinition = {
      benefitId: 'other',
      kind: 'line_percent',
      percent: 60,
      appliesTo: { productIds: ['q'] },
    };
    const staffed = line('c', 'p', 1, 2_000, { existingLineDiscountAmount: 100 });
    const sold = [line('a', 'p', 1, 2_000), line('b', 'p', 1, 2_000), line('d', 'q', 1, 2_000), staffed];
    const { lines } = apply([capped, own], sold);
    expect(lines.map((out) => [out.lineId, out.lineDiscountAmount, out.existingLineDiscountAmount])).toEqual([
      ['a', 600, 0],
      ['b', 600, 0],
      ['d', 1_200, 0],
      ['c', 0, 100],
    ]);
  });

  it('is shared with every line where it is a minor unit for each, and with fewer where it is less', () => {
    const sold = [line('a', 'p', 1, 2_000), line('b', 'p', 1, 2_000)];
    const off = (maximumDiscount: number) =>
      apply([{ ...capped, maximumDiscount }], sold).lines.map((out) => out.lineDiscountAmount);
    expect(off(3)).toEqual([2, 1]);
    expect(off(2)).toEqual([1, 1]);
    expect(off(1).toSorted()).toEqual([0, 1]);
  });
});
