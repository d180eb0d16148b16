/** Where the most that can be saved is known, by an algorithm of another kind or by a formula, the engine saves it to the minor unit, on many lines too. */
import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { largestAssignment } from './support/hungarian.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';

type Line = ReturnType<typeof buildLine>;

function costOf(lines: readonly Line[], benefits: readonly object[]): number {
  const basket = buildBasket([...lines]);
  const decision = priceFully(basket, benefits as readonly BenefitDefinition[]);
  if (decision.status === 'applied') expectApplied(basket, decision);
  return netCostOf(basket, decision);
}

function savedOn(lines: readonly Line[], benefits: readonly object[]): number {
  return lines.reduce((sum, { originalLinePrice }) => sum + originalLinePrice, 0) - costOf(lines, benefits);
}

/** Products of their own, some of them several times, at 3.00 to 60.00. */
function drawLines(random: Random, count: number): Line[] {
  return Array.from({ length: count }, (_, at) =>
    buildLine({
      lineId: `${at}`,
      productId: `${at}`,
      quantity: random.between(1, 3),
      unitPrice: random.between(3, 60) * 100,
    }),
  );
}

/** The prices of the units, the dearest first. */
function unitPrices(lines: readonly Line[]): number[] {
  return lines.flatMap(({ quantity, unitPrice }) => new Array<number>(quantity).fill(unitPrice)).sort((a, b) => b - a);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, own) => sum + own, 0);
const ofBasket = (quantity: number) => ({ limit: { quantity, period: 'basket', counts: 'items' } });

/** Coupons by `maximumUnits` and by a daily limit of items, on single units; every fourth draw names some of the products only. */
function drawCoupons(seed: number, coupons: number, count: number) {
  const random = new Random(seed);
  const isPicky = seed % 4 === 0;
  const lines = Array.from({ length: count }, (_, n) =>
    buildLine({ lineId: `l${n}`, productId: `p${random.below(6)}`, unitPrice: random.between(100, 3_000) }),
  );
  const drawn = Array.from({ length: coupons }, (_, n) => {
    const percent = random.between(5, 60);
    const units = random.between(1, 3);
    const productIds = isPicky ? Array.from({ length: 3 }, () => `p${random.below(6)}`) : undefined;
    const benefit = {
      benefitId: `c${n}`,
      kind: 'line_percent',
      percent,
      ...(productIds && { appliesTo: { productIds: [...new Set(productIds)] } }),
      ...(random.chance(0.5)
        ? { maximumUnits: units }
        : { limit: { quantity: units, period: 'day', counts: 'items' } }),
    };
    const gains = lines.map(({ unitPrice, productId }) =>
      !productIds || productIds.includes(productId) ? Math.floor((unitPrice * percent + 50) / 100) : 0,
    );
    return { benefit, gains: new Array<number[]>(units).fill(gains) };
  });
  const optimum = largestAssignment(drawn.flatMap(({ gains }) => gains));
  return { lines, benefits: drawn.map(({ benefit }) => benefit), optimum };
}

describe('coupons on single units save what the Hungarian algorithm finds, in any order of the lines', () => {
  it.each([
    [5, 10, 40],
    [8, 15, 40],
    [8, 20, 40],
    [12, 60, 10],
    [12, 200, 4],
  ])('%i coupons on %i lines', (coupons, count, cases) => {
    for (let seed = 1; seed <= timesCases(cases); seed++) {
      const { lines, benefits, optimum } = drawCoupons(seed, coupons, count);
      expect(savedOn(lines, benefits), `seed ${seed}`).toBe(optimum);
      if (seed % 4 === 1) expect(savedOn(lines.toReversed(), benefits), `seed ${seed}`).toBe(optimum);
    }
  });
});

it('a coupon with a maximum takes off as much as the dearest things permit', () => {
  for (let seed = 1; seed <= timesCases(40); seed++) {
    const random = new Random(seed);
    const lines = drawLines(random, random.between(3, 25));
    const [count, maximumDiscount] = [random.between(1, 9), random.between(3, 60) * 100];
    const coupon = { benefitId: 'half', kind: 'line_percent', percent: 50, maximumDiscount, ...ofBasket(count) };
    const most = sumOf(unitPrices(lines).slice(0, count)) / 2;
    expect(savedOn(lines, [coupon]), `seed ${seed}`).toBe(Math.min(most, maximumDiscount));
  }
});

it('a percentage on all goods with a maximum, beside a coupon with its own: both have all of it where there are goods enough', () => {
  for (let seed = 1; seed <= timesCases(40); seed++) {
    const random = new Random(seed);
    const lines = drawLines(random, random.between(15, 30));
    const prices = unitPrices(lines);
    // Half of the goods are enough for the one, and a single thing for the other.
    const [ofAll, ofCoupon] = [Math.floor(sumOf(prices) / 20), Math.floor(prices[0]! * 0.3)];
    const benefits = [
      { benefitId: 'coupon', kind: 'line_percent', percent: 30, ...ofBasket(3), maximumDiscount: ofCoupon },
      { benefitId: 'all', kind: 'line_percent', percent: 10, maximumDiscount: ofAll },
    ];
    expect(savedOn(lines, benefits), `seed ${seed}`).toBe(ofCoupon + ofAll);
  }
});

it('an amount off bundles of any goods takes off as much as the dearest units permit, not what cheap ones cost', () => {
  for (let seed = 1; seed <= timesCases(60); seed++) {
    const random = new Random(seed);
    const lines = drawLines(random, random.between(3, 20));
    const [units, amount, bundles] = [random.between(1, 3), random.between(10, 90) * 100, random.between(1, 3)];
    const benefit = { benefitId: 'bundle', kind: 'bundle_price', items: [{ quantity: units }], amount };
    const prices = unitPrices(lines);
    const count = Math.min(Math.floor(prices.length / units), bundles);
    const most = Math.min(count * amount, sumOf(prices.slice(0, count * units)));
    expect(savedOn(lines, [{ ...benefit, ...ofBasket(units * bundles) }]), `seed ${seed}`).toBe(most);
  }
});

it.each([4, 9])('%i campaigns that give the cheapest of goods of their own save as much as each alone', (groups) => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const random = new Random(seed);
    const perGroup = Array.from({ length: groups }, (_, group) =>
      Array.from({ length: random.between(2, 4) }, (_own, at) =>
        buildLine({
          lineId: `${group}-${at}`,
          productGroupId: `g${group}`,
          quantity: random.chance(0.7) ? 1 : random.between(2, 4),
          unitPrice: 500 + 100 * random.below(90),
        }),
      ),
    );
    const campaigns = perGroup.map((_, group) => {
      const appliesTo = { productGroupIds: [`g${group}`] };
      return {
        benefitId: `cheapest-${group}`,
        kind: 'buy_x_get_y',
        pick: 'cheapest',
        buy: { quantity: random.between(1, 3), appliesTo },
        get: { quantity: 1, appliesTo, percent: random.pick([50, 100]) },
      };
    });
    const benefits = [...campaigns, { benefitId: 'percent', kind: 'line_percent', percent: random.pick([20, 30]) }];
    const alone = sumOf(perGroup.map((lines) => costOf(lines, benefits)));
    expect(costOf(perGroup.flat(), benefits), `seed ${seed}`).toBe(alone);
  }
});

it('coupons have what a set of the cheapest leaves of a limit that they share', () => {
  const shared = { limit: { quantity: 8, period: 'day', counts: 'items', limitId: 'all' } };
  const on = (group: string) => ({ appliesTo: { productGroupIds: [group] } });
  const units = { quantity: 1, ...on('coffee') };
  const benefits = [
    { benefitId: 'half', kind: 'line_percent', percent: 50, ...on('cake'), ...shared },
    { benefitId: 'set', kind: 'buy_x_get_y', pick: 'cheapest', buy: units, get: units, ...shared },
  ];
  const cakes = Array.from({ length: 6 }, (_, at) =>
    buildLine({ lineId: `cake-${at}`, productGroupId: 'cake', quantity: 3, unitPrice: 400 + 20 * at }),
  );
  const coffees = buildLine({ lineId: 'coffees', productGroupId: 'coffee', quantity: 12, unitPrice: 1_000 });
  expect(savedOn([coffees, ...cakes], benefits)).toBe(6 * 1_000 + 2 * 250);
});
