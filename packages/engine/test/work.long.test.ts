import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { type BasketToPrice, type Decided, decideBasket, priceBasket } from '../src/price.ts';
import type { Decision } from '../src/types.ts';
import { DEFAULT_MAXIMUM_STEPS, OverBudget } from '../src/work.ts';
import { drawGenome, expressGenome } from './drawn/genome.ts';
import { checkAnswer, searchDearest } from './drawn/search.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { looksOf } from './support/looks.ts';
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

describe('the dearest of baskets drawn at random, up to every limit', () => {
  /** 500 benefits on 200 lines are 100,000 pairs, and each is looked at a few times before anything is chosen. */
  const MOST_LOOKS = 6_000_000;
  /** Beside what may be left out: reading, matching, settling and rendering. */
  const MOST_STEPS = 4 * DEFAULT_MAXIMUM_STEPS;
  const DRAWS = timesCases(30);

  it('is right, says what it took, and takes no more than it may', () => {
    const { worst } = searchDearest(7, ({ drawn }) => drawn >= DRAWS, looksOf);
    expect(worst.length).toBeGreaterThan(10);
    for (const { genome, cost } of worst) {
      expect(cost).toBeLessThan(MOST_LOOKS);
      const input = expressGenome(genome)!;
      const { steps } = priceBasket({ ...input, trace: true }).trace!;
      expect(steps).toBeLessThan(MOST_STEPS);
    }
  }, 240_000);

  it('is decided the same again, with a trace, and by whoever has a budget that suffices', () => {
    const random = new Random(11);
    const kinds = new Set<string>();
    for (let draw = 0; draw < timesCases(30); draw += 1) {
      const input = expressGenome(drawGenome(random));
      if (!input) continue;
      const decision = checkAnswer(input);
      const text = JSON.stringify(decision);
      expect(JSON.stringify(priceBasket(input))).toBe(text);
      const { trace: _trace, ...traced } = priceBasket({ ...input, trace: true }) as Decision;
      expect(JSON.stringify(traced)).toBe(text);
      const cheap = decideWithin(input, 400);
      const counted = (decided: Decided) => ({ ...decided, given: decided.given() });
      if (cheap) expect(counted(cheap)).toEqual(counted(decideBasket(input)));
      kinds.add(cheap ? 'cheap' : 'dear');
    }
    // Both kinds have to be met, or nothing was shown.
    expect(kinds).toEqual(new Set(['cheap', 'dear']));
  }, 240_000);
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
