/** No saving is worth more at the till than its bound says, however the lines are divided and however shares are rounded. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, test } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import { poseProblem } from '../src/choose/problem.ts';
import { worthOfLines } from '../src/choose/worth.ts';
import { localTime } from '../src/compile/calendar.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { readLines } from '../src/lines/lines.ts';
import { findOffers } from '../src/offers/offers.ts';
import { applyOrderOffers } from '../src/settle/order-discounts.ts';
import { Work } from '../src/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const GROUPS = ['a', 'b', 'c', 'd'];

function drawOrder(random: Random, at: number): BenefitDefinition {
  const chosen = GROUPS.filter(() => random.chance(0.5));
  const productGroupIds = chosen.length > 0 ? chosen : [random.pick(GROUPS)];
  const named = { benefitId: `order-${at}`, appliesTo: { productGroupIds }, priority: random.below(3) };
  if (random.chance(0.25)) return { ...named, kind: 'order_amount', amount: random.between(1, 2_000) };
  const cap = random.chance(0.3) ? { maximumDiscount: random.between(10, 3_000) } : {};
  return { ...named, kind: 'order_percent', percent: random.between(1, 90), ...cap };
}

/** The problem of a basket with discounts on the order. */
function poseWithOrders(basketLines: BasketLine[], benefits: BenefitDefinition[]) {
  const venue = buildVenue(benefits);
  const basket = buildBasket(basketLines);
  const lines = readLines(basket.lines, 'keep', undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const work = new Work(1_000_000);
  const offers = findOffers({ basket, member: buildMember(), venue, time, isClockOff: false }, new Map(), work);
  const asked = { withLoyaltyOrderDiscounts: true, netMinimums: 'heeded' } as const;
  return { problem: poseProblem(offers, lines, lines, 'keep', asked, work), lines };
}

/** The bound of what a basket may cost, and what it costs, where its lines are divided at random. */
function drawBasket(seed: number) {
  const random = new Random(seed);
  // Products of one price are all rounded the same way, so that a discount takes too much or too little of a whole group.
  const prices = GROUPS.map(() => random.between(1, 60));
  const isAlike = random.chance(0.7);
  const basketLines = Array.from({ length: random.between(1, 60) }, (_, at) => {
    const group = random.below(GROUPS.length);
    return buildLine({
      ...{ lineId: `l${at}`, productId: `p${at}`, productGroupId: GROUPS[group]! },
      quantity: isAlike ? 1 : random.between(1, 4),
      unitPrice: isAlike ? prices[group]! : random.between(1, 400),
    });
  });
  const orders = Array.from({ length: random.between(1, 5) }, (_, at) => drawOrder(random, at));
  const coupons = Array.from(
    { length: random.between(1, 4) },
    (_, at): BenefitDefinition => ({
      ...{ benefitId: `coupon-${at}`, kind: 'line_percent', percent: 10 + at, maximumUnits: 1 },
    }),
  );
  const { problem, lines } = poseWithOrders(basketLines, [...coupons, ...orders]);
  const [rests, lineOf]: [number[], number[]] = [[], []];
  const saved = lines.map(() => 0);
  for (const { index, units, unitPrice } of lines) {
    const parts = random.between(1, Math.min(units, coupons.length + 2));
    for (let part = 0; part < parts; part++) {
      const price = unitPrice * (part === 0 ? units - parts + 1 : 1);
      const saving = isAlike || random.chance(0.5) ? 0 : random.between(0, price);
      rests.push(price - saving);
      lineOf.push(index);
      saved[index]! += saving;
    }
  }
  let total = rests.reduce((sum, rest) => sum + rest, 0);
  for (const { amount } of applyOrderOffers(problem.orders, rests, lineOf)) total -= amount;
  // What the lines choose by themselves decides only which of two bounds a cap has.
  const worth = worthOfLines(problem, random.chance(0.5) ? saved : lines.map(() => 0));
  let most = worth.fixed + worth.slack;
  for (const { index, incoming } of lines) most += worth.ofLine[index]! * saved[index]! - incoming;
  return { most, total, isRough: problem.isRough };
}

test('what is saved on lines, and what discounts on the order take of them', () => {
  let rough = 0;
  for (let seed = 1; seed <= timesCases(2_000); seed++) {
    const { most, total, isRough } = drawBasket(seed);
    if (isRough) rough++;
    expect(-total, `seed ${seed}`).toBeLessThanOrEqual(most + 1e-6);
  }
  expect(rough).toBeGreaterThan(timesCases(700));
});

describe('a minor unit saved on a line, and what is sure to come off', () => {
  const line = (productGroupId: string, quantity: number, unitPrice: number): BasketLine =>
    buildLine({ lineId: productGroupId, productId: productGroupId, productGroupId, quantity, unitPrice });
  const LINES = [line('a', 2, 300), line('b', 1, 400)];
  const OF_A = { productGroupIds: ['a'] };
  const percent = (percent: number, more: Partial<BenefitDefinition> = {}) =>
    ({ benefitId: `p${percent}`, kind: 'order_percent', percent, ...more }) as BenefitDefinition;
  const worthOf = (benefits: BenefitDefinition[], saved = [0, 0], lines = LINES) =>
    worthOfLines(poseWithOrders(lines, benefits).problem, saved);

  test.each<[string, BenefitDefinition[], number[], { ofLine: number[]; fixed: number }]>([
    ['a percentage', [percent(10)], [0, 0], { ofLine: [0.9, 0.9], fixed: 100 }],
    ['of some products', [percent(10, { appliesTo: OF_A })], [0, 0], { ofLine: [0.9, 1], fixed: 60 }],
    ['one after the other', [percent(50), percent(10)], [0, 0], { ofLine: [0.45, 0.45], fixed: 550 }],
    ['with a maximum that is reached', [percent(10, { maximumDiscount: 60 })], [0, 0], { ofLine: [1, 1], fixed: 60 }],
    ['just reached', [percent(10, { maximumDiscount: 60 })], [400, 0], { ofLine: [1, 1], fixed: 60 }],
    ['not reached', [percent(10, { maximumDiscount: 60 })], [401, 0], { ofLine: [0.9, 0.9], fixed: 100 }],
    [
      'reached by some products only',
      [percent(10, { maximumDiscount: 60, appliesTo: OF_A })],
      [1, 0],
      { ofLine: [0.9, 1], fixed: 60 },
    ],
    [
      'after a maximum that is not reached',
      [percent(50, { maximumDiscount: 900, priority: 1 }), percent(10)],
      [0, 0],
      { ofLine: [0.4, 0.4], fixed: 600 },
    ],
  ])('%s', (_, benefits, saved, { ofLine, fixed }) => {
    const worth = worthOf(benefits, saved);
    expect(worth.fixed).toBeCloseTo(fixed);
    expect([...worth.ofLine]).toEqual(ofLine.map((own) => expect.closeTo(own)));
    // Each discount is rounded to a minor unit.
    expect(worth.slack).toBe(benefits.length);
  });

  /** Two units of `a`, and one part of `b`, which is one unit. */
  const half = percent(50, { appliesTo: OF_A });
  const coupon = (benefitId: string): BenefitDefinition => ({
    ...{ benefitId, kind: 'line_percent', percent: 20, maximumUnits: 1 },
  });
  const set: BenefitDefinition = {
    ...{ benefitId: 's', kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } },
  };
  const pair: BenefitDefinition = {
    ...{ benefitId: 'b', kind: 'bundle_price', percent: 10, items: [{ quantity: 2, appliesTo: {} }] },
  };
  test.each<[string, BenefitDefinition[], BasketLine[], number]>([
    // One unit that the first shares out may lie on the wrong side, and one more by rounding itself.
    ['the same lines after some', [{ ...half, priority: 1 }, percent(10)], LINES, 2 + 0.1],
    ['some lines after all: as many as fewer parts', [percent(10, { priority: 1 }), half], LINES, 2 + 0.5 * 2],
    [
      'with more units than parts: what is bought, what is left',
      [percent(10, { priority: 1 }), half],
      [line('a', 9, 100), line('b', 9, 100)],
      2 + 0.5 * 3,
    ],
    [
      'a part more for each benefit that takes units',
      [percent(10, { priority: 1 }), half, coupon('x'), coupon('y'), set, pair],
      [line('a', 9, 100), line('b', 9, 100)],
      2 + 0.5 * 7,
    ],
    [
      'not only the next one: with what comes between there may be too many on all of them',
      [percent(20, { priority: 2 }), percent(10, { priority: 1 }), half],
      [line('a', 9, 100), line('b', 9, 100)],
      3 + 0.1 + 0.5 * 3 + 0.5 * 3,
    ],
  ])('how far shares in whole minor units may be off: %s', (_, benefits, lines, slack) => {
    expect(worthOf(benefits, undefined, lines).slack).toBeCloseTo(slack);
  });
});
