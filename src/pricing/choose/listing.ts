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

/** The most that any way of the line gains, and units by role of a way that would. */
export function mostOn(
  place: Place,
  onLine: readonly number[],
): { most: number; counts: number[]; way: Way | undefined } {
  const { roles, line } = place;
  const priced = pricedRoles(place, onLine);
  const counts = roles.map(() => 0);
  let most = Number.NEGATIVE_INFINITY;
  let way: Way | undefined;
  for (const own of place.ways(counts)) {
    const gain = pricedGain(own, onLine);
    if (gain > most) [most, way] = [gain, own];
  }
  let beside = 0;
  let best = -1;
  for (let at = 0; at < roles.length; at++) {
    if (!roles[at]!.isExclusive) {
      const units = Math.min(roles[at]!.most, place.unitsOfGroups);
      if (priced[at]! > 0 && units > 0) {
        beside += priced[at]! * units;
        counts[at] = units;
      }
    } else if (best < 0 || priced[at]! > priced[best]!) best = at;
  }
  if (beside > 0) most += beside;
  if (best < 0 || place.units <= 0) return { most, counts, way };
  if (!line.isSplittable) {
    // One offer has all that is taken of it.
    for (let at = 0; at < roles.length; at++) {
      if (!roles[at]!.isExclusive) continue;
      const units = Math.min(roles[at]!.most, place.units);
      let own = priced[at]! * (priced[at]! > 0 ? units : 1);
      for (let other = 0; other < roles.length; other++)
        if (other !== at && roles[other]!.isExclusive && roles[other]!.offer === roles[at]!.offer && priced[other]! > 0)
          own += priced[other]! * units;
      if (own + beside <= most) continue;
      most = own + beside;
      way = undefined;
      for (let other = 0; other < roles.length; other++) if (roles[other]!.isExclusive) counts[other] = 0;
      counts[at] = priced[at]! > 0 ? units : 1;
    }
    return { most, counts, way };
  }
  let [left, ofGroups] = [place.units, place.unitsOfGroups];
  let gain = beside + place.restOnce;
  const taken: number[] = [];
  const order = [...roles.keys()].filter((at) => roles[at]!.isExclusive).sort((a, b) => priced[b]! - priced[a]!);
  for (const at of order) {
    // At least one unit is taken: what takes none is known to the unit.
    if (priced[at]! <= place.restPerUnit && taken.length > 0) break;
    const { isOfGroup, most: ofRole } = roles[at]!;
    const room = Math.min(ofRole, left, isOfGroup ? ofGroups : left);
    const units = priced[at]! <= place.restPerUnit ? Math.min(1, room) : room;
    if (units <= 0) continue;
    gain += units * priced[at]!;
    left -= units;
    if (isOfGroup) ofGroups -= units;
    counts[at] = units;
    taken.push(at);
  }
  gain += left * place.restPerUnit;
  if (taken.length > 0 && gain > most) return { most: gain, counts, way: undefined };
  for (const at of taken) counts[at] = 0;
  return { most, counts, way };
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
  // The best of what follows, for each unit.
  const after = new Array<number>(roles.length + 1).fill(place.restPerUnit);
  const beside = new Array<number>(roles.length + 1).fill(0);
  for (let at = roles.length - 1; at >= 0; at--) {
    const { isExclusive, most: ofRole } = roles[at]!;
    after[at] = isExclusive ? Math.max(after[at + 1]!, priced[at]!) : after[at + 1]!;
    beside[at] = beside[at + 1]! + (isExclusive ? 0 : Math.max(0, priced[at]!) * Math.min(ofRole, place.unitsOfGroups));
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
    const ofAll = gain + left * after[at]! + beside[at]! + place.restOnce;
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
