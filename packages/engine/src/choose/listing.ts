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
export function pricedGain({ saving, cut, slots, amounts }: Way, onLine: readonly number[]): number {
  let gain = saving;
  for (const { sums, effect, worth } of cut) {
    let left = worth;
    for (const slot of sums) left -= onLine[slot]!;
    if (left > 0) gain += effect * left;
  }
  for (let k = 0; k < slots.length; k++) gain -= onLine[slots[k]!]! * amounts[k]!;
  return gain;
}

/** Writes by role what no unit gains more than. */
export function priceRoles({ roles, worth }: Place, onLine: readonly number[], priced: number[]): void {
  priced.length = roles.length;
  for (let at = 0; at < roles.length; at++) {
    const { gain, slots, sums } = roles[at]!;
    let own = gain;
    if (sums.length > 0) {
      let share = worth;
      for (const slot of sums) share -= onLine[slot]!;
      own = worth > 0 ? (gain * Math.max(0, share)) / worth : 0;
    }
    for (const slot of slots) own -= onLine[slot]!;
    priced[at] = own;
  }
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
  const priced: number[] = [];
  priceRoles(place, onLine, priced);
  // The best of the roles that follow: for a unit that no set or bundle has, for one that they have, and beside others.
  const rest = place.restAt(onLine);
  const free = new Array<number>(roles.length + 1).fill(rest.perUnit);
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
    const once = place.savedByDrawn + (left > 0 ? rest.once : 0);
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
  for (const [at, own] of found.entries()) {
    if (work.left === 0 && at > 0) {
      mostLeftOut = Math.max(mostLeftOut, own.most);
      break;
    }
    const made = place.ways(own.counts);
    work.count((made.length - 1) * COST.listedWay);
    for (const way of made) {
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
