/**
 * Baskets of up to 30 lines with the words that the season's campaigns use (`support/seasons.ts`): answers are permitted, and more steps and groups that cannot be too full
 * make none of them dearer.
 */
import { expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { expectApplied, netCostOf, priceFully } from './support/price.ts';
import { drawSeason, type Season } from './support/seasons.ts';

const CASES = 40;
const MORE_STEPS = 40_000;
const MOST_DEARER = 1 / 20;

function price({ basket, benefits, policies }: Season, maximumSteps?: number): number {
  const decision = priceFully(basket, benefits, { policies, ...(maximumSteps !== undefined && { maximumSteps }) });
  if (decision.status === 'applied') expectApplied(basket, decision);
  return netCostOf(basket, decision);
}

it('gives answers that are permitted, and more steps seldom save less', { timeout: 120_000 }, () => {
  let dearer = 0;
  const cases = timesCases(CASES);
  for (let seed = 1; seed <= cases; seed++) {
    const season = drawSeason(seed);
    if (price(season, MORE_STEPS) > price(season)) dearer += 1;
  }
  expect(dearer).toBeLessThanOrEqual(cases * MOST_DEARER);
});

it('chooses as without a group where no more of it can apply than may', () => {
  for (let seed = 1; seed <= timesCases(10); seed++) {
    const season = drawSeason(seed);
    const free = season.benefits.map(({ group: _, ...own }): BenefitDefinition => own);
    // At most one of the first group may apply, and two of the second one.
    const groups = ['one', 'two', 'two'];
    const grouped = free.map((own, at) => (at < groups.length ? { ...own, group: groups[at]! } : own));
    expect(price({ ...season, benefits: grouped }), `seed ${seed}`).toBe(price({ ...season, benefits: free }));
  }
});
