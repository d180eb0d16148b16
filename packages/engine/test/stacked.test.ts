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
  it.each<[string, object, number]>([
    ['by a percentage of the line', { kind: 'line_percent', percent: 50 }, 4_000],
    ['by a percentage of the order', { kind: 'order_percent', percent: 50 }, 4_000],
    ['by a bundle', { kind: 'bundle_price', items: [{ quantity: 2 }], percent: 50 }, 4_000],
    ['for one unit alone', { kind: 'line_percent', percent: 50, maximumUnits: 1 }, 6_000],
    ['for the second', { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 50 } }, 6_000],
    [
      'for the second, spread',
      { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 50 }, spread: true },
      6_000,
    ],
  ])('%s', (_, benefit, total) => {
    expect(pricedWith(benefit).totals).toMatchObject({ existingDiscountTotal: 12_000, total });
  });

  it('is an amount on the line, and a percentage where the staff gave nothing', () => {
    const { lines } = pricedWith({ kind: 'line_percent', percent: 50 }, [two, line('c', 1, 1_000)]);
    expect(lines.map(({ lineDiscountType, lineDiscountAmount }) => [lineDiscountType, lineDiscountAmount])).toEqual([
      ['amount', 4_000],
      ['percent', 500],
    ]);
  });

  it('counts the part of the discount that falls to the units, also of lines that stay whole', () => {
    const below = { ...line('x', 1, 100), parentLineId: 'a' };
    const half = { kind: 'line_percent', percent: 50, maximumUnits: 1, appliesTo: { productIds: ['a'] } };
    expect(pricedWith(half, [two, below]).lines[0]).toMatchObject({ lineDiscountAmount: 2_000, orderLinePrice: 6_000 });
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 50 } };
    expect(pricedWith(set, [two, below], { modifiers: 'together' }).lines[0]).toMatchObject({
      lineDiscountAmount: 2_000,
    });
    // Of three units two are in the bundle: 200.00 less two thirds of 100.01.
    const bundle = { kind: 'bundle_price', items: [{ quantity: 2, appliesTo: { productIds: ['a'] } }], percent: 50 };
    const three = line('a', 3, 10_000, staff(10_001));
    expect(pricedWith(bundle, [three, below]).lines[0]).toMatchObject({ lineDiscountAmount: 6_667 });
  });

  it('rounds to the minor unit, part by part', () => {
    // Of 0.10 off three at 0.99 the parts have 0.07 and 0.03: 20 % of 0.96 is 0.19.
    const { lines } = pricedWith({ kind: 'line_percent', percent: 20, maximumUnits: 1 }, [line('a', 3, 99, staff(10))]);
    expect(
      lines.map(({ existingLineDiscountAmount, lineDiscountAmount }) => [
        existingLineDiscountAmount,
        lineDiscountAmount,
      ]),
    ).toEqual([
      [7, 0],
      [3, 19],
    ]);
  });

  it('is nothing where the staff gave all of it', () => {
    const free = buildBasket([line('a', 1, 1_000, staff(1_000))]);
    const half = benefitOf({ kind: 'line_percent', percent: 50 });
    expect(priceFully(free, [half], { policies })).toMatchObject({ status: 'unchanged', reason: 'all_lines_excluded' });
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
    const judged = judgeTakes(problem, sets, [0], [{ taken: [], bought: [], rest }]);
    expect(judged).toMatchObject({ isPermitted: true, parts: [{ effect: 1_500 }] });
  });
});
