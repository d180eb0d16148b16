import { COST, type Work } from '../work.ts';
import type { Place } from './place.ts';
import { FEW_UNITS } from './roles.ts';
import type { Way } from './way.ts';

/** Which ways of a line are worth a look, at the prices of all that lines share. */

/** A way with what it gains when all that it shares with other lines is paid for. */
export interface PricedWay {
  readonly way: Way;
  readonly gain: number;
}

/** The ways of a line that gain most, the best first. */
export interface Listed {
  readonly ways: readonly PricedWay[];
  /** The most that a way may gain that is not listed. */
  readonly mostLeftOut: number;
}

/** What a way gains when all that it shares with other lines is paid for. */
function pricedGain({ saving, cut, slots, amounts }: Way, onLine: readonly number[]): number {
  let gain = saving;
  for (const { sums, effect, worth } of cut) {
    let left = worth;
    for (const slot of sums) left -= onLine[slot]!;
    if (left > 0) gain += effect * left;
  }
  for (let k = 0; k < slots.length; k++) gain -= onLine[slots[k]!]! * amounts[k]!;
  return gain;
}

/** No unit gains more in each of the roles. */
function pricedRoles({ roles, worth }: Place, onLine: readonly number[]): number[] {
  return roles.map(({ gain, slots, sums }) => {
    let own = gain;
    if (sums.length > 0) {
      let share = worth;
      for (const slot of sums) share -= onLine[slot]!;
      own = worth > 0 ? (gain * Math.max(0, share)) / worth : 0;
    }
    for (const slot of slots) own -= onLine[slot]!;
    return own;
  });
}

/** The most that any way of a line gains, with the units by role of a way that would. */
export interface Most {
  readonly most: number;
  readonly counts: readonly number[];
  /** The way itself, where no role has units. */
  readonly way: Way | undefined;
}

export function mostOn(place: Place, onLine: readonly number[]): Most {
  const { roles, exclusive, line } = place;
  const priced = pricedRoles(place, onLine);
  const counts = new Array<number>(roles.length).fill(0);
  let [most, way]: [number, Way | undefined] = [Number.NEGATIVE_INFINITY, undefined];
  for (const own of place.withoutRoles) {
    const gain = pricedGain(own, onLine);
    if (gain > most) [most, way] = [gain, own];
  }
  const { beside, last } = besideOthers(place, priced, counts);
  most += beside;
  if (exclusive.length === 0 || place.units <= 0) return { most, counts, way };
  for (const at of exclusive) if (roles[at]!.isOfGroup) priced[at]! -= last;
  if (!line.isSplittable && place.units > 1) return mostOfOneOffer(place, priced, beside, { most, counts, way });
  let [left, ofGroups] = [place.units, place.unitsOfGroups];
  let gain = beside + place.savedByDrawn;
  let cheapest: number | undefined;
  const taken = [...counts];
  while (left > 0) {
    // At least one unit is taken: what takes none is known to the unit.
    const at = bestOf(place, priced, taken, ofGroups);
    if (at < 0 || (cheapest !== undefined && priced[at]! <= place.restPerUnit)) break;
    const { isOfGroup, most: ofRole } = roles[at]!;
    const room = Math.min(ofRole, left, isOfGroup ? ofGroups : left);
    const units = priced[at]! <= place.restPerUnit ? 1 : room;
    taken[at] = units;
    gain += units * priced[at]!;
    left -= units;
    if (isOfGroup) ofGroups -= units;
    cheapest = priced[at]!;
  }
  if (cheapest === undefined) return { most, counts, way };
  if (left > 0) gain += left * place.restPerUnit + place.restOnce;
  // What comes once for the rest of the line may be worth more than its last unit.
  else if (line.isSplittable) gain += Math.max(0, place.restPerUnit + place.restOnce - cheapest);
  if (gain <= most) return { most, counts, way };
  giveWay(place, taken, ofGroups);
  return { most: gain, counts: taken, way: undefined };
}

/**
 * What units gain that are bought for sets beside other benefits, each of them for one set. `last` is what the last of them gains
 * if all units are bought: each unit that a set or a bundle has to itself loses that.
 */
function besideOthers({ roles, shared, unitsOfGroups }: Place, priced: readonly number[], counts: number[]) {
  let [beside, left, last] = [0, unitsOfGroups, 0];
  const order = shared.length < 2 ? shared : shared.toSorted((a, b) => priced[b]! - priced[a]!);
  for (const at of order) {
    const units = Math.min(roles[at]!.most, left);
    if (units <= 0 || priced[at]! <= 0) break;
    counts[at] = units;
    beside += units * priced[at]!;
    left -= units;
    last = priced[at]!;
  }
  return { beside, last: left > 0 ? 0 : last };
}

/** Takes back units that are bought beside others, where sets and bundles leave fewer than those. */
function giveWay({ shared }: Place, counts: number[], most: number): void {
  let left = most;
  for (const at of shared) {
    counts[at] = Math.min(counts[at]!, left);
    left -= counts[at]!;
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

/** The same on a line that cannot be split: one offer has all that is taken of it. */
function mostOfOneOffer(place: Place, priced: readonly number[], beside: number, none: Most): Most {
  const { roles, exclusive } = place;
  let best = none;
  for (const offer of new Set(exclusive.map((at) => roles[at]!.offer))) {
    const own = exclusive.filter((at) => roles[at]!.offer === offer).sort((a, b) => priced[b]! - priced[a]!);
    const counts = [...none.counts];
    let [gain, left] = [beside, place.units];
    for (const [n, at] of own.entries()) {
      const units = Math.min(roles[at]!.most, priced[at]! > 0 ? left : n === 0 ? 1 : 0);
      counts[at] = units;
      gain += units * priced[at]!;
      left -= units;
    }
    if (gain > best.most) best = { most: gain, counts, way: undefined };
  }
  return best;
}

/** The ways that gain `least` at least. Of too many, only those that gain most are listed. */
export function listWays(
  place: Place,
  onLine: readonly number[],
  least: number,
  most: number,
  mostWays: number,
  work: Work,
): Listed {
  const { roles } = place;
  const priced = pricedRoles(place, onLine);
  // The best of the roles that follow: for a unit that no set or bundle has, for one that they have, and beside others.
  const free = new Array<number>(roles.length + 1).fill(place.restPerUnit);
  const ofGroup = new Array<number>(roles.length + 1).fill(Number.NEGATIVE_INFINITY);
  const beside = new Array<number>(roles.length + 1).fill(0);
  for (let at = roles.length - 1; at >= 0; at--) {
    const { isExclusive, isOfGroup } = roles[at]!;
    for (const best of [free, ofGroup, beside]) best[at] = best[at + 1]!;
    const own = isExclusive ? (isOfGroup ? ofGroup : free) : beside;
    own[at] = Math.max(own[at]!, priced[at]!);
  }
  /** Units by role, with what no way that has them exceeds. */
  const found: { readonly counts: readonly number[]; readonly most: number }[] = [];
  let isCutOff = false;
  let nodes = 0;
  const counts = roles.map(() => 0);
  const visit = (at: number, left: number, ofGroups: number, gain: number): void => {
    if (found.length > mostWays || nodes > mostNodes) {
      isCutOff = true;
      return;
    }
    nodes++;
    const both = Math.min(left, ofGroups);
    const ofBoth = both * Math.max(free[at]! + beside[at]!, ofGroup[at]!);
    const once = place.savedByDrawn + (left > 0 ? place.restOnce : 0);
    const ofAll = gain + ofBoth + (left - both) * free[at]! + (ofGroups - both) * beside[at]! + once;
    if (ofAll < least) return;
    if (at === roles.length) {
      found.push({ counts: [...counts], most: ofAll });
      return;
    }
    const { isExclusive, isOfGroup, most: ofRole } = roles[at]!;
    const room = Math.min(ofRole, isExclusive ? left : ofGroups, isOfGroup ? ofGroups : left);
    for (const units of triesUpTo(room)) {
      counts[at] = units;
      visit(
        at + 1,
        isExclusive ? left - units : left,
        isOfGroup ? ofGroups - units : ofGroups,
        gain + units * priced[at]!,
      );
    }
    counts[at] = 0;
  };
  const mostNodes = Math.min(mostWays * NODES_PER_WAY, work.left / COST.visitedWay);
  visit(0, place.units, place.unitsOfGroups, 0);
  work.count(nodes * COST.visitedWay);
  work.count(found.length * COST.listedWay);
  // Where the work ends before all are made, those that may gain most are.
  found.sort((a, b) => b.most - a.most);
  let mostLeftOut = Number.NEGATIVE_INFINITY;
  const ways: PricedWay[] = [];
  for (const own of found) {
    if (work.left === 0 && ways.length > 0) {
      mostLeftOut = Math.max(mostLeftOut, own.most);
      break;
    }
    for (const way of place.ways(own.counts)) {
      const gain = pricedGain(way, onLine);
      if (gain >= least) ways.push({ way, gain });
    }
  }
  ways.sort((a, b) => b.gain - a.gain);
  return { ways, mostLeftOut: place.hasManyUnits || isCutOff ? most : mostLeftOut };
}

const NODES_PER_WAY = 10;

const FIRST: (readonly number[])[] = Array.from({ length: FEW_UNITS + 1 }, (_, most) =>
  Array.from({ length: most + 1 }, (_own, units) => units),
);

/** The numbers of units that are tried: all of them, or of many those at the edges. */
function triesUpTo(most: number): readonly number[] {
  if (most <= FEW_UNITS) return FIRST[Math.max(0, most)]!;
  const edges = [0, 1, 2, 3, 4, 6, 8, 9, Math.floor(most / 4), Math.floor(most / 3), Math.floor(most / 2)];
  const wholes = [2, 3, 4, 5].flatMap((size) => [most - (most % size), (most - (most % size)) / size]);
  return [...new Set([...edges, ...wholes, most - 1, most])].sort((a, b) => a - b);
}
