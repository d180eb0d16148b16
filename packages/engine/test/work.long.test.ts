import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { type BasketToPrice, type Decided, decideBasket, priceBasket } from '../src/price.ts';
import type { Decision } from '../src/types.ts';
import { DEFAULT_MAXIMUM_STEPS, OverBudget } from '../src/work.ts';
import { checkAnswer, drawInput } from './drawn/input.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { looksOf } from './support/looks.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

/**
 * Pricing is bounded in work. No time is looked at: how often pricing looks at the programme is counted from outside, so
 * that work which pricing forgets to count itself is seen as well.
 */

/** Ten units each by three percentages and three for two: lines of many units can be dealt out in thousands of ways. */
const manyDeals = (combinable: boolean): BenefitDefinition[] => [
  ...[10, 20, 30].map((percent) => ({
    benefitId: `percent-${percent}`,
    kind: 'line_percent' as const,
    percent,
    limit: { quantity: 10, period: 'week' as const, counts: 'items' as const },
  })),
  { benefitId: 'three-for-two', kind: 'buy_x_get_y', buy: { quantity: 2, combinable }, get: { quantity: 1 } },
];
const PRICES = [3000, 3500, 4100];

function manyUnits(quantity: number, combinable = true): BasketToPrice {
  const basket = buildBasket(
    PRICES.map((unitPrice, i) => buildLine({ lineId: `line-${i}`, productId: `p${i}`, quantity, unitPrice })),
  );
  const venue = buildVenue(manyDeals(combinable));
  const available = new Map(limitedUses(venue, basket.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  return { basket, venue, member: buildMember(), available };
}

/** A look at the programme is a few nanoseconds of work; usual baskets take some thousand. */
const MOST_LOOKS_OF_FEW_BENEFITS = 400_000;

describe('three lines of many units with limits by items and a group', () => {
  /** What was found in hundreds of milliseconds before the work was bounded; and where bought units are shared with none. */
  const KNOWN: readonly (readonly [units: number, total: number, combinable: boolean])[] = [
    [20, 131_150, true],
    [100, 735_400, true],
    [200, 1_495_400, true],
    [10_000, 105_375_400, true],
    [20, 141_900, false],
    [100, 707_200, false],
    [200, 1_413_900, false],
    [10_000, 70_667_200, false],
  ];

  it.each(KNOWN)('of %i units are priced for %i at most, with few looks', (units, total, combinable) => {
    const input = manyUnits(units, combinable);
    const decision = priceBasket({ ...input, trace: true });
    if (decision.status !== 'applied') throw new Error(decision.reason);
    expect(faultsOfDecision(input.basket, decision)).toEqual([]);
    expect(decision.totals.total).toBeLessThanOrEqual(total);
    expect(Number.isInteger(decision.trace!.gap)).toBe(true);
    expect(looksOf(input)).toBeLessThan(MOST_LOOKS_OF_FEW_BENEFITS);
  });
});

describe('baskets and programmes drawn at random, up to every limit', () => {
  /** 500 benefits on 200 lines are 100,000 pairs, and each is looked at a few times before anything is chosen. */
  const MOST_LOOKS = 6_000_000;
  /** Choosing leaves out what is beyond its steps; reading, matching, settling and rendering grow with lines and benefits. */
  const mostSteps = ({ basket, venue }: BasketToPrice) =>
    2 * DEFAULT_MAXIMUM_STEPS + (basket.lines.length * venue.programme.benefits.length) / 2;

  it('are priced right in no more work than may be, the same again, with a trace, and by whoever has a budget that suffices', () => {
    const random = new Random(11);
    const kinds = new Set<string>();
    for (let draw = 0; draw < timesCases(20); draw += 1) {
      const input = drawInput(random);
      if (!input) continue;
      const text = JSON.stringify(checkAnswer(input));
      expect(JSON.stringify(priceBasket(input))).toBe(text);
      const { trace, ...traced } = priceBasket({ ...input, trace: true }) as Decision;
      expect(JSON.stringify(traced)).toBe(text);
      expect(trace!.steps).toBeLessThan(mostSteps(input));
      expect(looksOf(input)).toBeLessThan(MOST_LOOKS);
      const cheap = decideWithin(input, 400);
      const counted = (decided: Decided) => ({ ...decided, given: decided.given() });
      if (cheap) expect(counted(cheap)).toEqual(counted(decideBasket(input)));
      kinds.add(cheap ? 'cheap' : 'dear');
    }
    // Both kinds have to be met, or nothing was shown.
    expect(kinds).toEqual(new Set(['cheap', 'dear']));
  }, 240_000);
});

describe('sets where they cost most', () => {
  const sets = (benefitId: string, buy: number, get: number, most?: number): BenefitDefinition => ({
    benefitId,
    kind: 'buy_x_get_y',
    buy: { quantity: buy },
    get: { quantity: get },
    ...(most !== undefined && { limit: { quantity: most, period: 'day', counts: 'items' } }),
  });
  const hundred = Array.from({ length: 100 }, (_, at) =>
    sets(`sets-${at}`, 1 + (at % 5), 1 + (Math.floor(at / 5) % 5)),
  );
  const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
  const linesOf = (count: number, quantity: number, more: (at: number) => Partial<BasketLine> = () => ({})) =>
    Array.from({ length: count }, (_, at) =>
      buildLine({ lineId: `line-${at}`, quantity, unitPrice: 1_000 + ((at * 7_919) % 5_000), ...more(at) }),
    );

  it.each([
    ['a hundred offers on 200 lines of 10,000 units', hundred, linesOf(200, 10_000)],
    ['two offers with limits near half the units', [sets('a', 1, 2, 100), sets('b', 1, 2, 90), ten], linesOf(200, 2)],
    ['small sets with small limits', [1, 2, 3, 4, 5].map((most) => sets(`s${most}`, 1, 1, most)), linesOf(200, 1)],
    ['sets of 2,000 units', [sets('large', 1_000, 1_000), ten], linesOf(200, 1_000)],
    [
      'equal prices with alternating staff discounts',
      [sets('a', 2, 1), ten],
      linesOf(200, 5, (at) => ({ unitPrice: 2_000, existingLineDiscountAmount: at % 2 === 0 ? 3_500 : 0 })),
    ],
  ])('are bounded in work: %s', (_about, benefits, lines) => {
    const basket = buildBasket(lines);
    const decision = priceFully(basket, benefits, { trace: true });
    expectApplied(basket, decision);
    expect(decision.trace!.steps).toBeLessThan(2 * DEFAULT_MAXIMUM_STEPS);
  });

  it('count a million units of each line that may only be bought, and do not walk them', () => {
    const benefit = {
      ...sets('sets', 3, 10),
      get: { quantity: 10, appliesTo: { productIds: ['given'] } },
      maximumUnits: 5,
    } as BenefitDefinition;
    const stepsOf = (units: number) => {
      const lines = linesOf(200, units, (at) => ({ productId: at === 0 ? 'given' : 'bought', unitPrice: 1_000 + at }));
      return priceFully(buildBasket(lines), [benefit], { trace: true }).trace!.steps;
    };
    expect(stepsOf(1_000_000)).toBe(stepsOf(1_000));
  });

  it('cost the same of one line of 200 units as of 200 lines of one', () => {
    const totalOf = (count: number, quantity: number): number => {
      const basket = buildBasket(linesOf(count, quantity, () => ({ unitPrice: 2_000 })));
      return netCostOf(basket, priceFully(basket, [sets('a', 2, 1, 7), ten]));
    };
    expect(totalOf(1, 200)).toBe(totalOf(200, 1));
  });
});

/** Undefined where it takes more. */
function decideWithin(input: BasketToPrice, budget: number): Decided | undefined {
  try {
    return decideBasket({ ...input, budget });
  } catch (error) {
    if (error instanceof OverBudget) return undefined;
    throw error;
  }
}
