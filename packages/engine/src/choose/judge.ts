import type { LineFacts } from '../lines/lines.ts';
import type { BundleOffer, BuyGetOffer, Offer } from '../offers/offers.ts';
import { isAt } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { settleParts } from '../settle/settle.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import { type LineTakes, splitLines } from '../settle/split.ts';
import type { Problem } from './problem.ts';
import { areSets, type SetsOf, type SetUnits } from './sets.ts';

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
  const tally = new Tally();
  for (const i of indices) {
    if (!hasUnitsFor(lines[i]!, takes[i]!)) return undefined;
    tally.add(takes[i]!);
  }
  for (const [offer, count] of tally.units) if (count > offer.items) return undefined;
  for (const [pool, count] of tally.ofPools) if (count > pool.left) return undefined;
  for (const [offer, units] of tally.ofSets) if (!areSets(sets(offer), units)) return undefined;
  for (const [offer, units] of tally.ofBundles) {
    const items = offer.benefit.selectors.map((_, item) => new Set(lists.discountable(offer, item)));
    if (!areBundles(offer, units, items)) return undefined;
  }
  return settleParts(splitLines(lines, indices, takes), policy);
}

/** What is taken of all lines, by offer, and by shared limit that counts items. */
class Tally {
  readonly units = new Map<Offer, number>();
  readonly ofPools = new Map<Pool, number>();
  readonly ofSets = new Map<BuyGetOffer, SetUnits[]>();
  readonly ofBundles = new Map<BundleOffer, SetUnits[]>();

  add({ taken, bought, combinable = [] }: LineTakes): void {
    for (const { offer, line, units } of taken) {
      this.units.set(offer, (this.units.get(offer) ?? 0) + units);
      if (offer.pool?.counts === 'items') this.ofPools.set(offer.pool, (this.ofPools.get(offer.pool) ?? 0) + units);
      if (isAt(offer, 'buyGet')) addUnits(this.ofSets, offer, { line, bought: 0, given: units });
      else if (isAt(offer, 'bundle')) addUnits(this.ofBundles, offer, { line, bought: 0, given: units });
    }
    for (const takes of [bought, combinable])
      for (const { offer, line, units } of takes) addUnits(this.ofSets, offer, { line, bought: units, given: 0 });
  }
}

/** Adds units of a line to those of an offer; a line has one entry. */
function addUnits<Own extends Offer>(known: Map<Own, SetUnits[]>, offer: Own, units: SetUnits): void {
  const entries = known.get(offer);
  const last = entries?.at(-1);
  if (!entries) known.set(offer, [units]);
  else if (last!.line !== units.line) entries.push(units);
  else {
    const { line, bought, given } = last!;
    entries[entries.length - 1] = { line, bought: bought + units.bought, given: given + units.given };
  }
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
