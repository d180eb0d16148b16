/**
 * Baskets of up to 30 lines with the words that the season's campaigns use (`support/seasons.ts`): what is said of a choice holds
 * against the one that several times the steps find.
 */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawSeason, type Season } from './support/seasons.ts';

const CASES = 40;
const MORE_STEPS = 40_000;
/** Of the first forty baskets 26 are proven, of two hundred 127. The choice has no clock, so as many are on every machine. */
const LEAST_EXACT = 0.6;

function price({ basket, benefits, policies }: Season, maximumSteps?: number) {
  const decision = priceFully(basket, benefits, {
    ...{ policies, trace: true },
    ...(maximumSteps !== undefined && { maximumSteps }),
  });
  if (decision.status === 'applied') expectApplied(basket, decision);
  return { decision, cost: netCostOf(basket, decision), mostMissed: decision.trace!.mostMissed };
}

it('saves all but what it says may be missed, and more steps save no less than it was sure of', {
  timeout: 120_000,
}, () => {
  let exact = 0;
  const cases = timesCases(CASES);
  for (let seed = 1; seed <= cases; seed++) {
    const season = drawSeason(seed);
    const found = price(season);
    const further = price(season, MORE_STEPS);
    expect(found.cost - found.mostMissed, `seed ${seed}`).toBeLessThanOrEqual(further.cost);
    expect(further.cost - further.mostMissed, `seed ${seed}`).toBeLessThanOrEqual(found.cost);
    if (found.mostMissed === 0) exact += 1;
  }
  expect(exact).toBeGreaterThanOrEqual(Math.floor(cases * LEAST_EXACT));
});

it('chooses as without a group where no more of it can apply than may', () => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = drawSeason(seed);
    const free = season.benefits.map(({ group: _, ...own }): BenefitDefinition => own);
    // At most one of the first group may apply, and two of the second one.
    const groups = ['one', 'two', 'two'];
    const grouped = free.map((own, at) => (at < groups.length ? { ...own, group: groups[at]! } : own));
    const { cost, mostMissed } = price({ ...season, benefits: free });
    expect(price({ ...season, benefits: grouped }), `seed ${seed}`).toMatchObject({ cost, mostMissed });
  }
});
