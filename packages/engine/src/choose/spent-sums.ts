import { COST, type Work } from '../work.ts';
import type { Model } from './model.ts';
import type { CutEffect, Way } from './way.ts';

/** Choices that spend sums of money well on which several lines draw. */

/** What the ways of some lines leave of the sums. */
class LeftOfSums {
  readonly #left: number[];

  constructor({ couplings }: Pick<Model, 'couplings'>) {
    this.#left = [...couplings.capacities];
  }

  /** The part of an effect that is paid. */
  paid({ sums, effect }: CutEffect): number {
    return sums.reduce((most, slot) => Math.max(0, Math.min(most, this.#left[slot]!)), effect);
  }

  savingOf({ saving, cut }: Way): number {
    return cut.reduce((sum, own) => sum + this.paid(own) * own.worth, saving);
  }

  /** True where nothing is paid of what has to have an effect (README.md, rule 18). */
  isUnpaid(own: CutEffect): boolean {
    return !own.mayBeNothing && this.paid(own) === 0;
  }

  spend({ cut }: Way): void {
    for (const own of cut) {
      const paid = this.paid(own);
      for (const slot of own.sums) this.#left[slot]! -= paid;
    }
  }
}

/**
 * A walk spends sums in its own order, and the basket in the order of its lines. Where a sum is spent before the last line that draws on it,
 * that line does without: the basket costs no more. Undefined where every benefit is paid.
 */
export function withoutUnpaid(model: Pick<Model, 'places' | 'couplings'>, ways: readonly Way[]): Way[] | undefined {
  const { places, couplings } = model;
  if (couplings.sums.length === 0) return undefined;
  const left = new LeftOfSums(model);
  const isUnpaid = (own: CutEffect): boolean => left.isUnpaid(own);
  const chosen = [...ways];
  let isChanged = false;
  for (const at of [...places.keys()].sort((a, b) => places[a]!.line.index - places[b]!.line.index)) {
    const place = places[at]!;
    const way = chosen[at]!;
    if (way.cut.some(isUnpaid)) {
      const unpaid = new Set(way.cut.filter(isUnpaid).map(({ offer }) => offer));
      const counts = way.counts.map((units, role) => (unpaid.has(place.roles[role]!.offer) ? 0 : units));
      const paid = place.ways(counts).filter(({ cut }) => !cut.some(isUnpaid));
      chosen[at] = paid.reduce((best, own) => (left.savingOf(own) > left.savingOf(best) ? own : best), paid[0] ?? way);
      isChanged = true;
    }
    left.spend(chosen[at]!);
  }
  return isChanged ? chosen : undefined;
}

/**
 * The same units for each role, and of what is left of each line so much at benefits that a sum of money limits as gains most for what they
 * spend of it.
 */
export function withCapped(model: Model, ways: readonly Way[], work: Work): readonly Way[] {
  const { places } = model;
  if (ways.length === 0 || places.every(({ cappedSums }) => cappedSums.length === 0)) return ways;
  work.count(places.length * COST.comparedOffer);
  const left = new LeftOfSums(model);
  const chosen = ways.map((way, at) => (places[at]!.isCapped(way) ? (places[at]!.best(way.counts) ?? way) : way));
  for (const way of chosen) left.spend(way);
  const capped = chosen.flatMap((way, at) =>
    places[at]!.ways(way.counts)
      .filter((own) => places[at]!.isCapped(own))
      .map((own) => ({ at, way: own, rate: rateOf(left.savingOf(own) - left.savingOf(way), own) })),
  );
  capped.sort((a, b) => b.rate - a.rate);
  for (const { at, way } of capped) {
    if (places[at]!.isCapped(chosen[at]!) || left.savingOf(way) <= left.savingOf(chosen[at]!)) continue;
    chosen[at] = way;
    left.spend(way);
  }
  return chosen;
}

/** What is gained for each minor unit that is spent. */
function rateOf(gain: number, { cut }: Way): number {
  return gain / cut.reduce((sum, { effect }) => sum + effect, 0);
}
