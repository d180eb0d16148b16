/** The bounds that prove a choice, against every choice of small baskets: none saves more, and the walk finds one that saves as much. */
import { expect, test } from 'vitest';
import {
  draw,
  drawWithCheapest,
  drawWithCoupons,
  drawWithLists,
  drawWithModifiers,
} from '../../../test/oracle/draws.ts';
import { listWays } from '../src/choose/listing.ts';
import type { Model } from '../src/choose/model.ts';
import { findPrices, pricesOnLine } from '../src/choose/prices.ts';
import { walk } from '../src/choose/walk.ts';
import type { Way } from '../src/choose/way.ts';
import { modelsOf } from './support/models.ts';

const SEEDS = 60;
const MOST_CHOICES = 400;
const MANY_STEPS = 100_000;
/** Minor units that computing in fractions may be off. */
const NEARLY = 1e-3;

/** Every way of a line, with every number of units in every role. */
function allWays({ places }: Model): (readonly Way[])[] {
  return places.map((place) => {
    let counts: number[][] = [[]];
    for (const { most } of place.roles)
      counts = counts.flatMap((own) => Array.from({ length: most + 1 }, (_, units) => [...own, units]));
    return counts.flatMap((own) => place.ways(own));
  });
}

function sizeOf({ places }: Model): number {
  return places.reduce((size, { roles }) => roles.reduce((own, { most }) => own * (most + 1), size), 1);
}

test.each(Object.entries({ draw, drawWithCheapest, drawWithCoupons, drawWithLists, drawWithModifiers }))(
  'no choice saves more than the prices of all that is shared say, and the walk finds the best: %s',
  (_, drawCase) => {
    let compared = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { basket, programme } = drawCase(seed);
      for (const { model, work, savedBy, search } of modelsOf(basket, programme.benefits, programme)) {
        if (model.places.length < 2 || sizeOf(model) > MOST_CHOICES) continue;
        const ways = allWays(model);
        let choices: (readonly Way[])[] = [[]];
        for (const own of ways) choices = choices.flatMap((before) => own.map((way) => [...before, way]));
        if (choices.length > MOST_CHOICES) continue;
        compared++;
        const most = Math.max(...choices.flatMap((choice) => savedBy(choice) ?? []));
        for (const steps of [30, 100, 300, MANY_STEPS]) {
          const { saved, mostMissed } = search(steps);
          expect(saved, `${steps} steps, ${seed}`).toBeLessThanOrEqual(most);
          expect(saved + mostMissed, `${steps} steps, ${seed}`).toBeGreaterThanOrEqual(most);
          if (steps === MANY_STEPS) expect([saved, mostMissed], `${seed}`).toEqual([most, 0]);
        }
        if (model.isBundleCut) continue;
        const nothing = model.couplings.capacities.map(() => 0);
        const prices = findPrices(model, 0, work, nothing);
        const bound = prices.most + model.slack + model.leftAside;
        expect(bound, `bound of ${seed}`).toBeGreaterThanOrEqual(most - NEARLY);
        const listed = model.places.map((place, at) => {
          const onLine = pricesOnLine(model.couplings, at, prices.ofSlot, prices.ofSets);
          return listWays(place, onLine, Number.NEGATIVE_INFINITY, prices.best[at]!, MOST_CHOICES, work);
        });
        const known = most - model.slack;
        const walked = (margin: number) => walk({ model, prices, listed, known, margin, times: 1, work });
        const { ends, mostLeftOut } = walked(0);
        expect(mostLeftOut, `walk of ${seed}`).toBe(Number.NEGATIVE_INFINITY);
        expect(ends[0]!.value, `end of ${seed}`).toBeGreaterThanOrEqual(known - NEARLY);
        // Of bundles and sums of money the judge may permit less than ways say, so that another one of all is the best.
        const others = walked(Number.POSITIVE_INFINITY).ends.flatMap((end) => savedBy(end.ways()) ?? []);
        expect(Math.max(...others), `ends of ${seed}`).toBe(most);
      }
    }
    expect(compared).toBeGreaterThan(5);
  },
);
