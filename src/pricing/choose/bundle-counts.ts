import type { BundleOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import { assignLimited, type KnownGains } from './assign.ts';
import type { Consider } from './deals.ts';
import type { Model } from './model.ts';
import type { Way } from './way.ts';

/**
 * However many bundles of each offer are formed, which units they take is an assignment, with those of the limited offers
 * beside them. So only the numbers of bundles are searched: one more, one less, or one in the place of another, as long as that
 * gains something. Sets keep what they have.
 */
export function countBundles(
  model: Model,
  best: { readonly ways: readonly Way[] },
  gains: KnownGains,
  consider: Consider,
  work: Work,
): void {
  const bundles = [...model.couplings.bundleOf.values()].map(({ offer }) => offer);
  // Where nothing is permitted yet, as beside units that were drawn in vain, there is nothing to count from.
  if (bundles.length === 0 || best.ways.length === 0) return;
  const moves = movesOf(bundles.length);
  let step = 1;
  while (step * FEW_BUNDLES < model.places.reduce((sum, { units }) => sum + units, 0)) step *= TIMES_FEWER;
  for (; step >= 1; step /= TIMES_FEWER) {
    let unchanged = 0;
    for (let at = 0; unchanged < moves.length && work.spend(COST.assignment); at = (at + 1) % moves.length) {
      const counts = new Map(bundles.map((offer) => [offer, bundlesIn(best.ways, offer)]));
      for (const [bundle, sign] of moves[at]!) {
        const offer = bundles[bundle]!;
        counts.set(offer, counts.get(offer)! + sign * step);
      }
      const isPossible = [...counts].every(([offer, count]) => count >= 0 && count * sizeOf(offer) <= offer.items);
      const dealt = isPossible && assignLimited(model, withoutAssigned(model, best.ways), gains, work, 1, counts);
      unchanged = dealt && consider(dealt.ways) ? 0 : unchanged + 1;
    }
  }
}

/** So many bundles are counted one by one; of more, they are counted in fewer steps first. */
const FEW_BUNDLES = 64;
const TIMES_FEWER = 8;

/** Which numbers change, and in which direction. */
function movesOf(count: number): (readonly (readonly [bundle: number, sign: number])[])[] {
  const all = Array.from({ length: count }, (_, bundle) => bundle);
  const others = (own: number): number[] => all.filter((other) => other !== own);
  return [
    ...all.map((own) => [[own, 1] as const]),
    ...all.flatMap((own) => others(own).map((other) => [[own, 1] as const, [other, -1] as const])),
    ...all.map((own) => [[own, -1] as const]),
  ];
}

/** The ways with what sets have alone. */
function withoutAssigned({ places }: Model, ways: readonly Way[]): Way[] {
  return ways.map((way, at) => {
    const place = places[at]!;
    return place.best(way.counts.map((units, role) => (place.roles[role]!.set ? units : 0))) ?? place.alone;
  });
}

function bundlesIn(ways: readonly Way[], offer: BundleOffer): number {
  let units = 0;
  for (const { takes } of ways) for (const taken of takes.taken) if (taken.offer === offer) units += taken.units;
  return Math.round(units / sizeOf(offer));
}

function sizeOf({ benefit }: BundleOffer): number {
  return benefit.rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
}
