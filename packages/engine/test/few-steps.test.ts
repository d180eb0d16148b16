/** However few steps there are, what is said to be missed at most is not less than what more steps find. */
import { expect, test } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { netCostOf, priceFully } from './support/price.ts';
import { drawMeals, drawSeason, type Season } from './support/seasons.ts';

const FEW = [1, 4, 16, 64, 256];
const MANY = 4_000;

test.each([
  ['plain goods', drawSeason],
  ['goods with modifiers', drawMeals],
])('of drawn baskets of %s', { timeout: 60_000 }, (_, draw) => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = draw(seed);
    const found = [...FEW, MANY].map((steps) => priceWithin(season, steps));
    const best = Math.min(...found.map(({ cost }) => cost));
    for (const [at, { cost, mostMissed }] of found.entries())
      expect(cost - mostMissed, `seed ${seed}, ${FEW[at] ?? MANY} steps`).toBeLessThanOrEqual(best);
  }
});

function priceWithin({ basket, benefits, policies }: Season, maximumSteps: number) {
  const decision = priceFully(basket, benefits, { policies, trace: true, maximumSteps });
  return { cost: netCostOf(basket, decision), mostMissed: decision.trace!.mostMissed };
}
