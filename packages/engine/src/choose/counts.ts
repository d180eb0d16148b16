import { formsDeals } from '../compile/rule.ts';
import { isAt, type UnitOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import type { Dealing } from './dealing.ts';
import type { Incumbent } from './incumbent.ts';
import type { Model } from './model.ts';
import type { Way } from './way.ts';

/**
 * However many bundles and sets each offer forms, which units they take is an assignment. So only their numbers are searched. It
 * begins with what the lines ask for on `average` at their prices. Then one more, one less, or one in the place of one or two
 * others, as long as that gains something.
 */
export function searchCounts(
  model: Model,
  dealing: Dealing,
  best: Incumbent,
  offset: number,
  average: readonly number[],
  work: Work,
): void {
  const forming = model.offers.filter(({ benefit }) => formsDeals(benefit.level));
  // Where nothing is permitted yet, as beside units that were drawn in vain, there is nothing to count from.
  if (forming.length === 0 || best.ways.length === 0) return;
  for (const part of PARTS_OF_AVERAGE) {
    const counts = new Map(forming.map((offer) => [offer, Math.floor(averageOf(offer, model, average) * part + HALF)]));
    const dealt = work.spend(COST.assignment) ? dealing.deal(counts, 1) : undefined;
    if (!dealt) continue;
    best.consider(dealt);
    break;
  }
  const moves = movesOf(forming);
  let step = 1;
  while (step * FEW < model.places.reduce((sum, { units }) => sum + units, 0)) step *= TIMES_FEWER;
  for (; step >= 1; step /= TIMES_FEWER) {
    let unchanged = 0;
    for (let at = 0; unchanged < moves.length && work.spend(COST.assignment); at = (at + 1) % moves.length) {
      const counts = countsOf(forming, best.ways);
      for (const [offer, times] of moves[at]!) counts.set(offer, counts.get(offer)! + times * step);
      const isPossible = [...counts].every(([offer, count]) => count >= 0 && count * sizeOf(offer) <= offer.items);
      const dealt = isPossible ? dealing.deal(counts, 1) : undefined;
      const mayGain = dealt && mostOf(dealt) + offset + model.slack >= best.value!;
      unchanged = mayGain && best.consider(dealt) ? 0 : unchanged + 1;
    }
  }
}

/** Where not all can be full that lines ask for on average, fewer of each are tried. */
const PARTS_OF_AVERAGE = [1, 0.9, 0.75] as const;
/** Close to a half, but rather one too few than one too many. */
const HALF = 0.3;

/** How many bundles or sets of the offer the lines ask for on average, and no more than there may be. */
function averageOf(offer: UnitOffer, { couplings }: Model, average: readonly number[]): number {
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, own) => sum + own, 0);
  const [at, quantities] = isAt(offer, 'buyGet')
    ? [couplings.setOf.get(offer)!.at, [offer.benefit.rule.buyQuantity, offer.benefit.rule.getQuantity]]
    : [couplings.bundleOf.get(offer)!.at, couplings.bundleOf.get(offer)!.quantities];
  const count = sumOf(average.slice(at, at + quantities.length)) / sumOf(quantities);
  return Math.min(count, Math.floor(offer.items / sizeOf(offer)));
}

/** So many bundles and sets are counted one by one; of more, they are counted in fewer steps first. */
const FEW = 64;
const TIMES_FEWER = 8;

/** Which numbers change, and by how many times the step. */
function movesOf(all: readonly UnitOffer[]): (readonly (readonly [offer: UnitOffer, times: number])[])[] {
  const inPlace = (less: number): ReturnType<typeof movesOf> =>
    all.flatMap((own) => all.flatMap((other) => (other === own ? [] : [[[own, 1] as const, [other, -less] as const]])));
  return [
    ...all.map((own) => [[own, 1] as const]),
    ...inPlace(1),
    ...inPlace(2),
    ...all.map((own) => [[own, -1] as const]),
  ];
}

/** What the ways save, with all that sums of money may cut: no need to judge what saves less than is known. */
function mostOf(ways: readonly Way[]): number {
  const cut = (way: Way): number => way.cut.reduce((sum, { effect, worth }) => sum + effect * worth, 0);
  return ways.reduce((sum, way) => sum + way.saving + cut(way), 0);
}

/** How many bundles or sets of each offer the ways have. */
function countsOf(forming: readonly UnitOffer[], ways: readonly Way[]): Map<UnitOffer, number> {
  const counts = new Map<UnitOffer, number>(forming.map((offer) => [offer, 0]));
  for (const { takes } of ways)
    for (const { offer, units } of takes.taken)
      if (counts.has(offer)) counts.set(offer, counts.get(offer)! + units / sizeOf(offer));
  return new Map([...counts].map(([offer, count]) => [offer, Math.round(count)]));
}

/** The units of a limit that a bundle or a set takes. */
function sizeOf(offer: UnitOffer): number {
  if (isAt(offer, 'buyGet')) return offer.benefit.rule.getQuantity;
  if (!isAt(offer, 'bundle')) return 1;
  return offer.benefit.rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
}
