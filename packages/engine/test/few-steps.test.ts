/** However few steps there are, an answer is permitted, and more steps save no less. */
import { expect, test } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawMeals, drawSeason, type Season } from './support/seasons.ts';

const FEW = [1, 4, 16, 64, 256];
const MANY = 40_000;

test.each([
  ['plain goods', drawSeason],
  ['goods with modifiers', drawMeals],
])('of drawn baskets of %s', { timeout: 60_000 }, (_, draw) => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = draw(seed);
    const best = costWithin(season, MANY);
    for (const steps of FEW)
      expect(costWithin(season, steps), `seed ${seed}, ${steps} steps`).toBeGreaterThanOrEqual(best);
  }
});

function costWithin({ basket, benefits, policies }: Season, maximumSteps: number): number {
  const decision = priceFully(basket, benefits, { policies, maximumSteps });
  if (decision.status === 'applied') expectApplied(basket, decision);
  return netCostOf(basket, decision);
}
