/** No saving is worth more at the till than its bound says, however the lines are divided and however shares are rounded. */
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { poseProblem } from '../../src/pricing/choose/problem.ts';
import { worthOfLines } from '../../src/pricing/choose/worth.ts';
import { localTime } from '../../src/pricing/compile/calendar.ts';
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import { readLines } from '../../src/pricing/lines/lines.ts';
import { findOffers } from '../../src/pricing/offers/offers.ts';
import { applyOrderOffers } from '../../src/pricing/settle/order-discounts.ts';
import { Work } from '../../src/pricing/work.ts';
import { timesCases } from '../support/effort.ts';
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
  const venue = buildVenue([...coupons, ...orders]);
  const basket = buildBasket(basketLines);
  const lines = readLines(basket.lines, 'keep', undefined);
  const time = localTime(basket.requestedAt, venue.timeZone);
  const work = new Work(1_000_000);
  const offers = findOffers({ basket, member: buildMember(), venue, time, isClockOff: false }, new Map(), work);
  const asked = { withLoyaltyOrderDiscounts: true, netMinimums: 'heeded' } as const;
  const problem = poseProblem(offers, lines, lines, 'keep', asked, work);
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
