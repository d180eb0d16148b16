/** What is left of lines goes to benefits that a sum of money limits: nothing gets dearer by it, and nothing is paid twice. */
import { expect, test } from 'vitest';
import { Random } from '../../simulator/src/random.ts';
import { withCapped, withoutUnpaid } from '../src/choose/spent-sums.ts';
import type { Way } from '../src/choose/way.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { line } from './support/choices.ts';
import { drawMaximums } from './support/maximums.ts';
import { modelsOf, type Posed } from './support/models.ts';

/** Ways that take some units of some lines, and of others what is left. */
function drawWays({ model }: Posed, random: Random): Way[] {
  return model.places.map((place) => {
    const counts = place.roles.map(({ most }) => (random.chance(0.2) ? random.between(0, Math.min(2, most)) : 0));
    return random.pick(place.ways(counts)) ?? place.alone;
  });
}

test('of drawn choices none gets dearer, and what was permitted stays so', () => {
  let better = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const { basket, benefits } = drawMaximums(seed);
    for (const posed of modelsOf(basket, benefits))
      for (let draw = 0; draw < 5; draw++) {
        const ways = drawWays(posed, random);
        const saved = posed.savedBy(ways);
        if (saved === undefined) continue;
        const capped = withCapped(posed.model, ways, posed.work);
        const found = posed.savedBy(withoutUnpaid(posed.model, capped) ?? capped);
        expect(found, `${seed}`).toBeGreaterThanOrEqual(saved);
        if (found! > saved) better++;
      }
  }
  expect(better).toBeGreaterThan(10);
});

test('a sum is spent where it gains most beyond what the line gets without it', () => {
  const benefits = [
    { benefitId: 'all', kind: 'line_percent', percent: 50, maximumDiscount: 1_000 },
    { benefitId: 'cake', kind: 'line_percent', percent: 40, appliesTo: { productIds: ['cake'] } },
  ] as BenefitDefinition[];
  const [posed] = modelsOf(buildBasket([line('cake', 1, 2_000), line('tea', 1, 1_900)]), benefits);
  const alone = posed!.model.places.map((place) => place.alone);
  const ways = withCapped(posed!.model, alone, posed!.work);
  // Half off the tea gains all that it takes of the sum; half off the cake 200 for 1,000.
  expect([posed!.savedBy(alone), posed!.savedBy(ways)]).toEqual([800, 800 + 950]);
});
