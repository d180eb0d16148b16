import { pricedGain, priceRoles } from './listing.ts';
import type { Place, Rest } from './place.ts';
import type { Way } from './way.ts';

/**
 * The most that any way of a line gains at some prices, with the units by role of a way that would. It is asked for every line
 * whenever prices move, so one object serves all of them: what it says holds until it is asked again.
 */
export class MostOnLine {
  most = 0;
  /** Units by role. */
  counts: number[] = [];
  /** The way itself, where the line has no units of its own in any role. */
  way: Way | undefined;
  /** By role: no unit gains more. */
  readonly #priced: number[] = [];
  #taken: number[] = [];

  find(place: Place, onLine: readonly number[]): void {
    const { roles, exclusive, line } = place;
    const priced = this.#priced;
    priceRoles(place, onLine, priced);
    this.counts.length = roles.length;
    this.counts.fill(0);
    this.most = Number.NEGATIVE_INFINITY;
    for (const own of place.withoutRoles) {
      const gain = pricedGain(own, onLine);
      if (gain > this.most) [this.most, this.way] = [gain, own];
    }
    const beside = this.#buyBeside(place);
    this.most += beside;
    if (exclusive.length === 0 || place.units <= 0) return;
    if (line.isSplittable || place.units === 1) this.#takeGreedily(place, place.restAt(onLine), beside);
    else this.#takeForOne(place, beside);
  }

  /**
   * What units gain that are bought for sets beside other benefits, each of them for one set. Each unit that a set or a bundle has
   * to itself loses what the last of them gains if all units are bought.
   */
  #buyBeside({ roles, shared, exclusive, unitsOfGroups }: Place): number {
    const priced = this.#priced;
    let [beside, left, last] = [0, unitsOfGroups, 0];
    const order = shared.length < 2 ? shared : shared.toSorted((a, b) => priced[b]! - priced[a]!);
    for (const at of order) {
      const units = Math.min(roles[at]!.most, left);
      if (priced[at]! <= 0) break;
      // Nothing is left, or the set can never be formed.
      if (units <= 0) continue;
      this.counts[at] = units;
      beside += units * priced[at]!;
      left -= units;
      last = priced[at]!;
    }
    if (left <= 0) for (const at of exclusive) if (roles[at]!.isOfGroup) priced[at]! -= last;
    return beside;
  }

  /** Units go to the roles in which they gain most. */
  #takeGreedily(place: Place, rest: Rest, beside: number): void {
    const { roles, shared, line } = place;
    const [priced, taken] = [this.#priced, this.#taken];
    taken.length = 0;
    for (const units of this.counts) taken.push(units);
    let [left, ofGroups] = [place.units, place.unitsOfGroups];
    let gain = beside + place.savedByDrawn;
    let [isTaken, cheapest] = [false, 0];
    while (left > 0) {
      // At least one unit is taken: what takes none is known to the unit.
      const at = bestOf(place, priced, taken, ofGroups);
      if (at < 0 || (isTaken && priced[at]! <= rest.perUnit)) break;
      const { isOfGroup, most: ofRole } = roles[at]!;
      const room = Math.min(ofRole, left, isOfGroup ? ofGroups : left);
      const units = priced[at]! <= rest.perUnit ? 1 : room;
      taken[at] = units;
      gain += units * priced[at]!;
      left -= units;
      if (isOfGroup) ofGroups -= units;
      [isTaken, cheapest] = [true, priced[at]!];
    }
    if (!isTaken) return;
    if (left > 0) gain += left * rest.perUnit + rest.once;
    // What comes once for the rest of the line may be worth more than its last unit.
    else if (line.isSplittable) gain += Math.max(0, rest.perUnit + rest.once - cheapest);
    if (gain <= this.most) return;
    // Units that are bought beside others give way where sets and bundles leave fewer than those.
    for (const at of shared) {
      taken[at] = Math.min(taken[at]!, ofGroups);
      ofGroups -= taken[at]!;
    }
    this.most = gain;
    [this.counts, this.#taken] = [taken, this.counts];
    this.way = undefined;
  }

  /** The same on a line that cannot be split: one offer has all that is taken of it. */
  #takeForOne({ roles, exclusive, units: all }: Place, beside: number): void {
    const priced = this.#priced;
    const before = [...this.counts];
    for (const offer of new Set(exclusive.map((at) => roles[at]!.offer))) {
      const own = exclusive.filter((at) => roles[at]!.offer === offer).sort((a, b) => priced[b]! - priced[a]!);
      const counts = [...before];
      let [gain, left] = [beside, all];
      for (const [n, at] of own.entries()) {
        const units = Math.min(roles[at]!.most, priced[at]! > 0 ? left : n === 0 ? 1 : 0);
        counts[at] = units;
        gain += units * priced[at]!;
        left -= units;
      }
      if (gain > this.most) [this.most, this.counts, this.way] = [gain, counts, undefined];
    }
  }
}

/** The role that has no units yet and gains most; −1 where none may have any. */
function bestOf(
  { roles, exclusive }: Place,
  priced: readonly number[],
  taken: readonly number[],
  ofGroups: number,
): number {
  let best = -1;
  for (const at of exclusive) {
    const { isOfGroup, most } = roles[at]!;
    if (taken[at]! > 0 || most <= 0 || (isOfGroup && ofGroups <= 0)) continue;
    if (best < 0 || priced[at]! > priced[best]!) best = at;
  }
  return best;
}
