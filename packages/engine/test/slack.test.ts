/**
 * What a bundle takes off is rounded once, and not for each of its units: a choice is proven to be the best only if no other saves
 * more by rounding. Where nothing can be rounded nothing is added, or no choice would be proven.
 */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { findCouplings } from '../src/choose/couplings.ts';
import { movable, slackOf } from '../src/choose/slack.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, posedBy, staff } from './support/choices.ts';

type Policies = Partial<ProgrammeDefinition>;

function searched(own: BasketLine[], benefits: BenefitDefinition[], policies: Policies = {}) {
  const { problem, lines, sets } = posedBy(buildBasket(own), benefits, policies);
  const offers = [...problem.budgeted, ...problem.bundles, ...problem.buyGets];
  const couplings = findCouplings(offers, problem.buyGets.flatMap(sets), lines);
  return { slack: slackOf(lines, offers, problem), movable: movable(couplings, lines) };
}

const items = [{ quantity: 2 }];
const percent = (off: number, benefitId = 'b'): BenefitDefinition => ({
  ...{ benefitId, kind: 'bundle_price', items, percent: off },
});
const slackOfBundle = (own: BasketLine[], benefit = percent(10), policies?: Policies) =>
  searched(own, [benefit], policies).slack;

test('a tenth of 1.05 ends in half a minor unit, a tenth of 1.00 does not', () => {
  expect(slackOfBundle([line('1', 2, 105)])).toBe(0.5);
  expect(slackOfBundle([line('1', 2, 100)])).toBe(0);
  // One line that may be rounded is enough.
  expect(slackOfBundle([line('1', 2, 100), line('2', 1, 105)])).toBe(0.5);
});

test('a percentage has two decimals', () => {
  expect(slackOfBundle([line('1', 2, 10_000)], percent(12.34))).toBe(0);
  expect(slackOfBundle([line('1', 2, 1_000)], percent(12.34))).toBe(0.5);
});

test('a price, an amount and the whole price are never rounded', () => {
  expect(slackOfBundle([line('1', 2, 105)], { benefitId: 'b', kind: 'bundle_price', items, bundlePrice: 99 })).toBe(0);
  expect(slackOfBundle([line('1', 2, 105)], { benefitId: 'b', kind: 'bundle_price', items, amount: 33 })).toBe(0);
  expect(slackOfBundle([line('1', 2, 105)], percent(100))).toBe(0);
});

test('each bundle is rounded by itself, and nothing else is', () => {
  expect(searched([line('1', 4, 105)], [percent(10), percent(20, 'c'), percent(30, 'd')]).slack).toBe(1);
  const coupon: BenefitDefinition = { benefitId: 'a', kind: 'line_percent', percent: 10, maximumUnits: 1 };
  expect(searched([line('1', 4, 105)], [coupon]).slack).toBe(0);
});

test('what the staff took off leaves prices of units that may be rounded', () => {
  const stacked = { existingLineDiscounts: 'stack' } as const;
  expect(slackOfBundle([line('1', 2, 100, staff(10))], percent(10), stacked)).toBe(0.5);
  expect(slackOfBundle([line('1', 2, 100, allocated(10))], percent(10), stacked)).toBe(0.5);
  // Of weighed goods the price of the line counts too.
  expect(slackOfBundle([line('1', 2, 100), line('2', 1.25, 100)])).toBe(0.5);
});

test('lines below a line are in its price', () => {
  const below = [line('1', 2, 100), line('2', 2, 100, { parentLineId: '1' })];
  expect(slackOfBundle(below, percent(10), { modifiers: 'together' })).toBe(0.5);
  expect(slackOfBundle(below, percent(10), { modifiers: 'apart' })).toBe(0);
});

test('where the larger discount counts, a part may keep what the staff took off it', () => {
  const policies = { existingLineDiscounts: 'replace_if_larger' } as const;
  expect(slackOfBundle([line('1', 2, 100, staff(30))], percent(10), policies)).toBe(30.5);
  expect(slackOfBundle([line('1', 2, 100, staff(30))], percent(100), policies)).toBe(30);
  expect(slackOfBundle([line('1', 2, 100, staff(30)), line('2', 1, 100, staff(7))], percent(100), policies)).toBe(37);
  const below = [line('1', 2, 100, staff(30)), line('2', 2, 100, { parentLineId: '1', ...staff(5) })];
  expect(slackOfBundle(below, percent(100), { ...policies, modifiers: 'together' })).toBeGreaterThanOrEqual(35);
});

const BUDGET = (quantity: number) => ({ limit: { quantity, period: 'lifetime', counts: 'money' } }) as const;
const coupon = (benefitId: string, more: object): BenefitDefinition => ({
  ...{ benefitId, kind: 'line_percent', percent: 50, ...more },
});
const LINES = [line('1', 2, 100), line('2', 1, 300)];

test('a sum of money may come off one line or off another, up to what they cost', () => {
  expect(searched(LINES, [coupon('a', BUDGET(40))]).movable).toBe(40);
  expect(searched(LINES, [coupon('a', BUDGET(40)), coupon('b', BUDGET(25))]).movable).toBe(65);
  expect(searched(LINES, [coupon('a', BUDGET(4_000))]).movable).toBe(500);
  expect(searched(LINES, [coupon('a', { maximumUnits: 1 })]).movable).toBe(0);
});

test('so may all that bundles cost, and what sets share out', () => {
  const sets = (spread: boolean): BenefitDefinition => ({
    ...{ benefitId: 's', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 }, spread },
  });
  expect(searched(LINES, [percent(10)]).movable).toBe(500);
  expect(searched(LINES, [sets(true)]).movable).toBe(500);
  expect(searched(LINES, [sets(false)]).movable).toBe(0);
  // One set that shares out is enough.
  expect(searched(LINES, [sets(false), { ...sets(true), benefitId: 't' }, coupon('a', BUDGET(40))]).movable).toBe(500);
});
