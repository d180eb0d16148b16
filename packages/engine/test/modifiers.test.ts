/** Units with their modifiers, worked out by hand (packages/engine/README.md, Units with modifiers). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import type { AppliedDecision } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

const burgers = { productIds: ['burger'] } as const;
const TOGETHER = { policies: { modifiers: 'together' } } as const;

const twoForOne: BenefitDefinition = {
  benefitId: 'two-for-one',
  kind: 'buy_x_get_y',
  buy: { appliesTo: burgers, quantity: 1 },
  get: { appliesTo: burgers, quantity: 1 },
};

function burger(lineId: string, quantity = 1, more: Partial<BasketLine> = {}): BasketLine {
  return buildLine({ lineId, productId: 'burger', quantity, unitPrice: 10_000, ...more });
}

function extra(lineId: string, parentLineId: string, more: Partial<BasketLine> = {}): BasketLine {
  return buildLine({ lineId, productId: 'cheese', parentLineId, unitPrice: 1_500, ...more });
}

function apply(benefits: readonly BenefitDefinition[], lines: BasketLine[], more?: Circumstances): AppliedDecision {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, { ...TOGETHER, ...more }));
}

/** What each line of the answer costs. */
function costs({ lines }: AppliedDecision): number[] {
  return lines.map(({ orderLinePrice }) => orderLinePrice);
}

describe('two for one', () => {
  it('gives one of two burgers on a line, with its cheese, as amounts on lines that are not split', () => {
    const decision = apply([twoForOne], [burger('b', 2), extra('c', 'b', { quantity: 2 })]);
    expect(decision.lines).toMatchObject([
      { lineId: 'b', quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 10_000 },
      { lineId: 'c', quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 1_500 },
    ]);
  });
});

describe('benefits of a line', () => {
  it('counts a unit once for limits, whatever is on it', () => {
    const limit = { quantity: 1, period: 'day', counts: 'items' } as const;
    const half: BenefitDefinition = { benefitId: 'x', kind: 'line_percent', percent: 50, appliesTo: burgers, limit };
    const lines = [burger('b1'), extra('c1', 'b1'), burger('b2'), extra('c2', 'b2', { unitPrice: 2_000 })];
    const decision = apply([half], lines);
    expect(costs(decision)).toEqual([10_000, 1_500, 5_000, 1_000]);
    expect(decision.uses).toMatchObject([{ units: 1 }]);
  });
});
