/** How the units of sets are cut: the dearest first, of one price those that save less, and never more given than bought. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { netSavingOf } from '../src/choose/sets.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import type { BuyGetOffer } from '../src/offers/offers.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, choosesOn, line, posedBy, staff } from './support/choices.ts';

const setOf = (more: object = {}): BenefitDefinition =>
  ({ benefitId: 'set', kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 }, ...more }) as BenefitDefinition;

type Policy = NonNullable<ProgrammeDefinition['existingLineDiscounts']>;

/** What a given unit of the first line saves, minor units. */
function savedBy(own: BasketLine[], policy: Policy, percent = 50, more: Partial<ProgrammeDefinition> = {}): number {
  const policies = { existingLineDiscounts: policy, ...more };
  const { lines, offers } = posedBy(buildBasket(own), [setOf({ get: { quantity: 1, percent } })], policies);
  return netSavingOf(lines[0]!, (offers[0] as BuyGetOffer).benefit.rule, policy);
}

test('a given unit saves what comes off it, as far as it costs as much, less the discount that gives way', () => {
  expect(savedBy([line('1', 2, 1_000)], 'replace_if_larger')).toBe(500);
  expect(savedBy([line('1', 2, 1_000, staff(300))], 'replace_if_larger')).toBe(500 - 150);
  expect(savedBy([line('1', 2, 1_000, staff(300))], 'stack')).toBe(425);
  expect(savedBy([line('1', 2, 1_000, staff(1_900))], 'stack')).toBe(25);
  expect(savedBy([line('1', 2, 1_000, allocated(1_400))], 'replace_if_larger', 100)).toBe(300);
  const below = [line('1', 2, 1_000), line('2', 2, 300, { parentLineId: '1' })];
  expect(savedBy(below, 'stack', 50, { modifiers: 'together' })).toBe(650);
});

const bought = { bought: { set: 1 } };
const given = { taken: { set: 1 } };
const judged = (own: BasketLine[], benefit: BenefitDefinition, choice: readonly (object | undefined)[]) => {
  const chosen = Object.fromEntries(choice.map((units, at) => [String(at + 1), units ?? {}]));
  const found = choosesOn(buildBasket(own), [benefit])(chosen);
  return found.isPermitted ? 'permitted' : found.rule;
};

test('where all goods are bought or given, the third of every three is given, from the dearest on', () => {
  const own = [6_000, 5_000, 4_000, 3_000, 2_000, 1_000].map((price, at) => line(String(at + 1), 1, price));
  expect(judged(own, setOf(), [bought, bought, given, bought, bought, given])).toBe('permitted');
  // More would be given away at the dear end, or less.
  expect(judged(own, setOf(), [bought, given, bought, bought, bought, given])).toBe('sets');
  expect(judged(own, setOf(), [bought, bought, bought, bought, given, given])).toBe('sets');
  // Units may stay out of it, and what is in it makes sets.
  expect(judged(own, setOf(), [bought, undefined, bought, undefined, undefined, given])).toBe('permitted');
  expect(judged(own, setOf(), [bought, bought, given, bought])).toBe('sets');
});

test('the last set of two given ones may give one, unless sets have to be complete', () => {
  const own = [5_000, 4_000, 3_000, 2_000, 1_000].map((price, at) => line(String(at + 1), 1, price));
  const two = (complete: boolean) => setOf({ buy: { quantity: 2 }, get: { quantity: 2, complete } });
  for (const complete of [true, false]) {
    expect(judged(own, two(complete), [bought, bought, given, given])).toBe('permitted');
    expect(judged(own, two(complete), [bought, undefined, given])).toBe('sets');
    expect(judged(own, two(complete), [bought, bought, bought, given])).toBe('sets');
  }
  const one = [bought, bought, undefined, given];
  expect([true, false].map((complete) => judged(own, two(complete), one))).toEqual(['sets', 'permitted']);
});

test('goods that are bought alone come before those that are given, whatever they cost', () => {
  const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
  const own = [line('1', 1, 2_000), line('2', 1, 5_000), line('3', 1, 4_000)];
  const some = setOf({ buy: { quantity: 1, ...on('1', '2', '3') }, get: { quantity: 1, ...on('2', '3') } });
  expect(judged(own, some, [bought, given])).toBe('permitted');
  // Of goods that are both, the dearer one is bought first.
  expect(judged(own, some, [undefined, bought, given])).toBe('permitted');
  expect(judged(own, some, [undefined, given, bought])).toBe('sets');
});
