/**
 * Whatever the search finds is permitted. Fewer steps never save more than very many, the order of lines changes nothing, and neither do groups
 * that cannot be too full. How much of the optimum is saved, other tests say: the oracle's, optimum.test.ts and integer-programme.long.test.ts.
 */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawMeals, drawSeason, type Season } from './support/seasons.ts';
import { drawShape } from './support/shapes.ts';

const FEW = [1, 4, 16, 64, 256];
const MANY = 40_000;

type Drawn = Pick<Season, 'basket' | 'benefits'> & Partial<Season>;

function costOf({ basket, benefits, policies }: Drawn, maximumSteps?: number): number {
  const decision = priceFully(basket, benefits, {
    ...(policies && { policies }),
    ...(maximumSteps !== undefined && { maximumSteps }),
  });
  if (decision.status === 'applied') expectApplied(basket, decision);
  return netCostOf(basket, decision);
}

it.each([
  ['plain goods', drawSeason],
  ['goods with modifiers', drawMeals],
])('few steps save no more than many on %s', { timeout: 60_000 }, (_, draw) => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = draw(seed);
    const best = costOf(season, MANY);
    for (const steps of FEW) expect(costOf(season, steps), `seed ${seed}, ${steps} steps`).toBeGreaterThanOrEqual(best);
  }
});

it('the order of the lines changes nothing', () => {
  for (let seed = 1; seed <= timesCases(20); seed++) {
    const drawn = drawShape(seed);
    const random = new Random(seed);
    const keyed = drawn.basket.lines.map((line) => ({ line, at: random.below(1_000_000) }));
    const turned = buildBasket(keyed.sort((a, b) => a.at - b.at).map(({ line }) => line));
    expect(costOf({ ...drawn, basket: turned }), `seed ${seed}`).toBe(costOf(drawn));
  }
});

it('groups change nothing where no more of them can apply than may', () => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = drawSeason(seed);
    const free = season.benefits.map(({ group: _, ...own }): BenefitDefinition => own);
    // At most one of the first group may apply, and two of the second one.
    const groups = ['one', 'two', 'two'];
    const grouped = free.map((own, at) => (at < groups.length ? { ...own, group: groups[at]! } : own));
    expect(costOf({ ...season, benefits: grouped }), `seed ${seed}`).toBe(costOf({ ...season, benefits: free }));
  }
});
