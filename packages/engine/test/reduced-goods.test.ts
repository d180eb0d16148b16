/** Selectors that leave out lines with an existing discount (`excludeDiscounted`). */
import { expect, it } from 'vitest';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line, staff } from './support/choices.ts';
import { priceFully } from './support/price.ts';
import { told } from './support/told.ts';

const fullPrice = { excludeDiscounted: true };
const benefitOf = (more: object) => ({ benefitId: 'b', ...more }) as BenefitDefinition;
const lines = [line('a', 2, 1_000), line('r', 2, 2_000, staff(400))];
const set = (buy: object, get: object) =>
  benefitOf({ kind: 'buy_x_get_y', buy: { quantity: 1, appliesTo: buy }, get: { quantity: 1, appliesTo: get } });

it.each(['replace_if_larger', 'keep', 'stack'] as const)(
  'leave out reduced lines under %s',
  (existingLineDiscounts) => {
    const policies: Partial<ProgrammeDefinition> = { existingLineDiscounts };
    const savedBy = (benefit: BenefitDefinition) => told([benefit], { policies }, lines);
    expect(savedBy(benefitOf({ kind: 'line_percent', percent: 50, appliesTo: fullPrice }))).toEqual({ saved: 1_000 });
    expect(savedBy(benefitOf({ kind: 'order_percent', percent: 50, appliesTo: fullPrice }))).toEqual({ saved: 1_000 });
    expect(savedBy(set(fullPrice, fullPrice))).toEqual({ saved: 1_000 });
    const items = [{ quantity: 2, appliesTo: fullPrice }];
    expect(savedBy(benefitOf({ kind: 'bundle_price', items, bundlePrice: 1_500 }))).toEqual({ saved: 500 });
  },
);

it('count nothing of them for a minimum, and buy them where only what is given is at full price', () => {
  const order = { kind: 'order_amount', amount: 100, appliesTo: fullPrice };
  expect(told([benefitOf({ ...order, minimumSpend: 2_000 })], {}, lines)).toEqual({ saved: 100 });
  expect(told([benefitOf({ ...order, minimumSpend: 2_001 })], {}, lines)).toMatchObject({
    reason: 'below_minimum_spend',
  });
  expect(told([set({}, fullPrice)], {}, lines)).toEqual({ saved: 2_000 });
});

it('say that the lines are reduced where no other line qualifies', () => {
  const benefit = benefitOf({ kind: 'order_percent', percent: 10, appliesTo: { productIds: ['r'], ...fullPrice } });
  expect(told([benefit], {}, lines)).toEqual({ reason: 'lines_discounted' });
  expect(told([benefit], {}, lines.slice(0, 1))).toEqual({
    reason: 'no_matching_line',
    change: '1 more of r without a staff discount',
  });
  expect(priceFully(buildBasket(lines), [benefit])).toMatchObject({ reason: 'no_applicable_benefits' });
});

it('leave out only reduced lines of what the programme excludes', () => {
  const policies = { exclude: { productIds: ['a', 'r'], ...fullPrice } };
  const benefit = benefitOf({ kind: 'order_percent', percent: 50 });
  expect(told([benefit], { policies }, lines)).toEqual({ saved: 1_800 });
});
