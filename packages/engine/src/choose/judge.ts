import type { LineFacts } from '../lines/lines.ts';
import type { BundleOffer, BuyGetOffer, Offer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { settleParts } from '../settle/settle.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import { type LineTakes, splitLines } from '../settle/split.ts';
import type { Problem } from './problem.ts';
import { areSets, type SetsOf, type SetUnits } from './sets.ts';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The judge of what line-level benefits take of some lines, of which all offers that share anything are complete: prices it to the
 * minor unit. Undefined where it is not permitted. Nothing else in this room decides that; all others only propose.
 */
export function judgeTakes(
  { lines, policy, lists }: Problem,
  sets: SetsOf,
  indices: readonly number[],
  takes: readonly LineTakes[],
): readonly SettledPart[] | undefined {
  const units = new Map<Offer, number>();
  const ofPools = new Map<Pool, number>();
  const ofSets = new Map<BuyGetOffer, Writable<SetUnits>[]>();
  const ofBundles = new Map<BundleOffer, SetUnits[]>();
  const unitsOf = (offer: BuyGetOffer, line: number): Writable<SetUnits> => {
    const own = ofSets.get(offer) ?? [];
    ofSets.set(offer, own);
    if (own.at(-1)?.line !== line) own.push({ line, bought: 0, given: 0 });
    return own.at(-1)!;
  };
  for (const i of indices) {
    const { taken, bought, combinable } = takes[i]!;
    if (!hasUnitsFor(lines[i]!, takes[i]!)) return undefined;
    for (const own of taken) {
      const { offer } = own;
      units.set(offer, (units.get(offer) ?? 0) + own.units);
      if (offer.pool?.counts === 'items') ofPools.set(offer.pool, (ofPools.get(offer.pool) ?? 0) + own.units);
      if (isAt(offer, 'buyGet')) unitsOf(offer, i).given += own.units;
      else if (isAt(offer, 'bundle')) {
        const known = ofBundles.get(offer) ?? [];
        known.push({ line: i, bought: 0, given: own.units });
        ofBundles.set(offer, known);
      }
    }
    for (const own of bought) unitsOf(own.offer, i).bought += own.units;
    for (const own of combinable ?? []) unitsOf(own.offer, i).bought += own.units;
  }
  for (const [offer, count] of units) if (count > offer.items) return undefined;
  for (const [pool, count] of ofPools) if (count > pool.left) return undefined;
  for (const [offer, own] of ofSets) if (!areSets(sets(offer), own)) return undefined;
  for (const [offer, own] of ofBundles) {
    const items = offer.benefit.selectors.map((_, item) => new Set(lists.discountable(offer, item)));
    if (!areBundles(offer, own, items)) return undefined;
  }
  return settleParts(splitLines(lines, indices, takes), policy);
}

/** True where the line has as many units as are taken of it; one that cannot be split is taken by one benefit. */
function hasUnitsFor({ units, isSplittable }: LineFacts, { taken, bought, combinable = [], rest }: LineTakes): boolean {
  let [left, ofGroups] = [units, units];
  for (const own of taken) {
    left -= own.units;
    if (!isAt(own.offer, 'line')) ofGroups -= own.units;
  }
  for (const own of bought) [left, ofGroups] = [left - own.units, ofGroups - own.units];
  for (const own of combinable) ofGroups -= own.units;
  if (left < 0 || ofGroups < 0) return false;
  return isSplittable || new Set([...taken, ...bought].map(({ offer }) => offer)).size + (rest ? 1 : 0) < 2;
}

/** True where the units can be dealt to the items of full bundles. */
function areBundles(
  { benefit }: BundleOffer,
  units: readonly SetUnits[],
  items: readonly ReadonlySet<number>[],
): boolean {
  const { quantities } = benefit.rule;
  const size = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const all = units.reduce((sum, { given }) => sum + given, 0);
  if (all % size !== 0) return false;
  const bundles = all / size;
  // As in any dealing, no group of items may need more units than the lines have that fit them.
  for (let bits = 1; bits < 2 ** quantities.length; bits++) {
    let needed = 0;
    quantities.forEach((quantity, item) => {
      if (bits & (1 << item)) needed += quantity * bundles;
    });
    let fitting = 0;
    for (const { line, given } of units)
      if (items.some((own, item) => (bits & (1 << item)) !== 0 && own.has(line))) fitting += given;
    if (fitting < needed) return false;
  }
  return true;
}
