/** What a benefit may save alone: as far as one may expect, by which it is kept or left aside, and the most, which a proof counts. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { mostAlone, Promises } from '../src/choose/promises.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import type { UnitOffer } from '../src/offers/offers.ts';
import { buildBasket } from './support/basket.ts';
import { line, posedBy } from './support/choices.ts';

const onlyOffer = (own: BasketLine[], benefit: object) => {
  const { problem, offers, lines } = posedBy(buildBasket(own), [{ benefitId: 'b', ...benefit } as BenefitDefinition]);
  return { problem, lines, offer: offers[0] as UnitOffer };
};

function promised(own: BasketLine[], benefit: object) {
  const { problem, lines, offer } = onlyOffer(own, benefit);
  return new Promises(lines, problem.lists, problem.work).of(offer);
}

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const TENTH = { kind: 'line_percent', percent: 10 };
const GOODS = [line('coffee', 2, 1_000), line('cake', 4, 500)];

test.each<[string, object, number]>([
  ['for every unit', { ...TENTH, maximumUnits: 10 }, 2 * 100 + 4 * 50],
  ['for three units, as if each were the dearest', { ...TENTH, maximumUnits: 3 }, 3 * 100],
  ['up to its maximum', { ...TENTH, maximumDiscount: 250 }, 250],
  ['on the lines that it names', { ...TENTH, ...on('cake'), maximumUnits: 10 }, 4 * 50],
])('a coupon promises a tenth: %s', (_, benefit, saved) => {
  const { expected, most } = promised(GOODS, benefit);
  expect(expected).toBe(saved);
  // Rounding may add less than half a minor unit to each of two units or more.
  expect(most).toBeGreaterThanOrEqual(saved);
  expect(most).toBeLessThanOrEqual(saved + 3);
});

test('two sets of two coffees and a cake at 80.00 save what their units cost beyond it', () => {
  const items = [
    { quantity: 2, ...on('coffee') },
    { quantity: 1, ...on('cake', 'coffee') },
  ];
  const own = [line('coffee', 4, 3_000), line('cake', 2, 5_000)];
  const { expected, most } = promised(own, { kind: 'bundle_price', items, bundlePrice: 8_000 });
  expect(expected).toBeCloseTo(2 * (2 * 3_000 + 5_000 - 8_000));
  expect(most).toBe(expected);
});

test('a bundle that costs as much as its goods promises nothing, and nothing less', () => {
  const items = [{ quantity: 2 }];
  expect(promised(GOODS, { kind: 'bundle_price', items, bundlePrice: 3_000 })).toEqual({ expected: 0, most: 0 });
});

test('of sets each unit is expected to save its part, and each may be the given one', () => {
  const sets = { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } };
  expect(promised([line('coffee', 6, 3_000)], sets)).toEqual({ expected: 2 * 3_000, most: 6 * 3_000 });
  const given = { ...sets, get: { quantity: 1, ...on('cake') } };
  // What is bought alone saves nothing.
  expect(promised(GOODS, given)).toEqual({ expected: (4 * 500) / 3, most: 4 * 500 });
});

const alone = (own: BasketLine[], benefit: object, others?: number): number => {
  const { lines, offer } = onlyOffer(own, benefit);
  return mostAlone(offer, lines, others);
};

test('alone a coupon takes its units of the dearest lines', () => {
  const own = [line('cake', 2, 500), line('coffee', 2, 1_000)];
  const amount = { kind: 'unit_price', unitPrice: 100 };
  expect(alone(own, { ...amount, maximumUnits: 3 })).toBe(2 * 900 + 400);
  expect(alone(own, { ...amount, maximumUnits: 2 })).toBe(2 * 900);
  expect(alone(own, { ...amount, maximumUnits: 9 })).toBe(2 * 900 + 2 * 400);
  expect(alone(own, { ...amount, maximumDiscount: 1_000 })).toBe(1_000);
});

test('a set gives the unit after those that it asks for, and may begin with others', () => {
  const sets = { kind: 'buy_x_get_y', buy: { quantity: 2 }, get: { quantity: 1 } };
  const own = [line('coffee', 1, 1_000), line('tea', 1, 900), line('cake', 4, 500)];
  // As if the dearest one were given as soon as its set has enough units.
  expect(alone(own, sets, 0)).toBe(2 * 500);
  expect(alone(own, sets, 2)).toBe(1_000 + 500);
  expect(alone(own, sets)).toBe(1_000 + 900 + 4 * 500);
});
