/** Why a benefit of units with modifiers does not apply: a unit costs what is on it too (packages/engine/README.md, Units with modifiers). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';
import { beyondReason } from './support/told.ts';

const bowls = { productIds: ['bowl'] } as const;
const twoForOne: BenefitDefinition = {
  benefitId: 'two-for-one',
  kind: 'buy_x_get_y',
  buy: { appliesTo: bowls, quantity: 1 },
  get: { appliesTo: bowls, quantity: 1, percent: 10 },
};
const alone: BenefitDefinition = {
  benefitId: 'alone',
  kind: 'line_percent',
  percent: 90,
  exclusive: true,
  appliesTo: bowls,
};

/** A bowl that costs so little, with a topping of 50.00. */
function bowl(id: string, unitPrice: number, topping: Partial<BasketLine> = {}): BasketLine[] {
  return [
    buildLine({ lineId: id, productId: 'bowl', unitPrice }),
    buildLine({ lineId: `${id}-topping`, productId: 'topping', parentLineId: id, unitPrice: 5_000, ...topping }),
  ];
}

/** The reason of the answer, and why the two-for-one does not apply. */
function look(lines: BasketLine[], benefits = [twoForOne]) {
  const decision = priceFully(buildBasket(lines), benefits, { policies: { modifiers: 'together' }, trace: true });
  const { benefitId: _id, applied: _applied, saved: _saved, ...own } = decision.trace!.benefits.at(-1)!;
  return { reason: decision.status === 'unchanged' ? decision.reason : undefined, own: beyondReason(own) };
}

describe.each([0, 1, 4, 100])('bowls of %i minor units with a dear topping', (price) => {
  it('lack a unit where there is one', () => {
    const own = { reason: 'too_few_units', change: '1 more of bowl', explanation: 'Missing: 1 bowl.' };
    expect(look(bowl('a', price))).toEqual({ reason: 'basket_too_small', own });
  });

  it('are enough where there are two, beside an exclusive benefit that saves more', () => {
    const own = { reason: 'not_combinable', instead: ['alone'] };
    expect(look([...bowl('a', price), ...bowl('b', price)], [alone, twoForOne])).toEqual({ reason: undefined, own });
  });
});

it.each([0, 1])('bowls of %i minor units save nothing where the staff took more off their toppings', (price) => {
  const staff = { existingLineDiscountAmount: 4_000 };
  expect(look([...bowl('a', price, staff), ...bowl('b', price, staff)])).toEqual({
    reason: 'all_lines_excluded',
    own: { reason: 'nothing_to_save' },
  });
});
