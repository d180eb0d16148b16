import { type BundleOffer, isAt, type LineOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import { COST, type Work } from '../work.ts';
import { assignUnits } from './assignment.ts';
import type { Couplings } from './couplings.ts';
import type { Model } from './model.ts';
import type { Place } from './place.ts';
import type { Way } from './way.ts';

/** Units of a component that are dealt out to the offers limited by items. */
export interface Assigned {
  readonly ways: readonly Way[];
  /** What a unit of each limit is worth, by the numbers of the state. */
  readonly ofSlot: readonly number[];
}

/** Gains in fractions of a minor unit are kept to this part of one. */
const PARTS_OF_A_MINOR_UNIT = 1_000;
/** What a unit of a line gains more in each of the limited offers, by what it takes otherwise. */
export type KnownGains = Map<Way, Float64Array>;

/** The first dealing has this part of the work at most. */
const PART_OF_WORK = 1 / 2;
const NO_BUNDLES: BundleCounts = new Map();

/** Of the offers that form bundles, how many bundles each of them forms. */
export type BundleCounts = ReadonlyMap<BundleOffer, number>;

/** Who takes units: an offer limited by items, or an item of a bundle. */
interface Taker {
  readonly offer: LineOffer | BundleOffer;
  readonly item: number | undefined;
  readonly most: number;
}

/**
 * Deals units out to the offers that are limited by items, and to so many bundles, so that they gain as much as can be. Units
 * that `base` gives to other roles stay theirs; these offers have none in it.
 */
export function assignLimited(
  { couplings, places }: Model,
  base: readonly Way[],
  known: KnownGains,
  work: Work,
  part = PART_OF_WORK,
  bundles: BundleCounts = NO_BUNDLES,
): Assigned | undefined {
  const limited = [...couplings.limitsOf.keys()].filter(
    (offer): offer is LineOffer => isAt(offer, 'line') && couplings.limitsOf.get(offer)!.length > 0,
  );
  const takers: Taker[] = limited.map((offer) => ({
    offer,
    item: undefined,
    most: mostUnits(offer, couplings, places),
  }));
  for (const [offer, count] of bundles)
    for (const [item, quantity] of offer.benefit.rule.quantities.entries())
      takers.push({ offer, item, most: quantity * count });
  if (takers.length === 0) return undefined;
  const units = places.map((place, at) => Math.max(0, place.units - unitsTaken(place, base[at]!)));
  const gains = gainsOf(places, base, units, takers, couplings, known, work);
  const pools: Pool[] = [];
  const poolOf = takers.map(({ offer: { pool } }) => {
    if (pool?.counts !== 'items') return undefined;
    if (!pools.includes(pool)) pools.push(pool);
    return pools.indexOf(pool);
  });
  const perUse = 1 + takers.length * units.reduce((sum, own) => sum + own, 0);
  let left = (work.left * part) / COST.assignedCell;
  const taken = takenOfPools(places, base, pools);
  const { amounts, offerPrices, poolPrices } = assignUnits(
    {
      units: units.map((own) => Math.max(1, own)),
      capacities: takers.map(({ most }) => most),
      poolOf,
      poolCapacities: pools.map((pool, at) => Math.max(0, pool.left - taken[at]!)),
      gains: gains.perUnit,
      tieCosts: takers.map(({ offer }, rank) => (offer.uses.length > 0 ? perUse : 0) + rank),
    },
    (more) => {
      left -= more;
      if (left < 0) return false;
      work.count(more * COST.assignedCell);
      return true;
    },
  );
  const ofSlot = couplings.capacities.map(() => 0);
  limited.forEach((offer, at) => {
    const [own, ...shared] = couplings.limitsOf.get(offer)! as [number, ...number[]];
    const price = finite(offerPrices[at]!) / gains.scale;
    const [sum] = couplings.sumsOf.get(offer)!;
    // Where a sum of money ends before the units do, it is the money that has a price.
    if (sum !== undefined && takers[at]!.most < offer.items)
      ofSlot[sum] = Math.min(1, (price * takers[at]!.most) / Math.max(1, couplings.capacities[sum]!));
    else ofSlot[own] = price;
    for (const slot of shared) ofSlot[slot] = finite(poolPrices[poolOf[at]!]!) / gains.scale;
  });
  const ways = places.map((place, at) => {
    const own = base[at]!;
    const wanted = new Map<number, number>();
    takers.forEach((taker, number) => {
      const dealt = amounts[at * takers.length + number]!;
      const role = dealt > 0 ? place.roleOf(taker.offer, taker.item) : -1;
      if (role >= 0) wanted.set(role, dealt);
    });
    if (wanted.size === 0) return own;
    return withUnits(place, own, wanted) ?? withUnits(place, own, largest(wanted)) ?? own;
  });
  return { ways, ofSlot };
}

/** Units that the way has given away, and that no other benefit takes. */
function unitsTaken({ roles }: Place, { counts }: Way): number {
  return counts.reduce((sum, units, role) => sum + (roles[role]!.isExclusive ? units : 0), 0);
}

/** The way of the line with these units beside what sets and bundles have of it. */
function withUnits(place: Place, { counts }: Way, wanted: ReadonlyMap<number, number>): Way | undefined {
  return place.best(counts.map((units, role) => wanted.get(role) ?? units));
}

/** Of a line that takes one benefit only, the offer that takes most of its units. */
function largest(wanted: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...wanted].sort((a, b) => b[1] - a[1]).slice(0, 1));
}

/** What a unit of each line gains more in each offer than in the other benefits of its line. */
function gainsOf(
  places: readonly Place[],
  base: readonly Way[],
  units: readonly number[],
  takers: readonly Taker[],
  couplings: Couplings,
  known: KnownGains,
  work: Work,
): { readonly perUnit: Float64Array; readonly scale: number } {
  const isWhole = places.every(({ line, worth }, at) => line.units === 1 && units[at] === 1 && worth === 1);
  const scale = isWhole ? 1 : PARTS_OF_A_MINOR_UNIT;
  const perUnit = new Float64Array(places.length * takers.length);
  work.count(places.length * takers.length * COST.comparedOffer);
  let largest = 0;
  places.forEach((place, at) => {
    let own = known.get(base[at]!);
    if (own?.length !== takers.length) {
      own = gainsOfUnit(place, base[at]!, units[at]!, takers, couplings);
      known.set(base[at]!, own);
    }
    for (const [number, gain] of own.entries()) {
      const scaled = Math.floor(gain * scale);
      largest = Math.max(largest, Math.abs(scaled));
      perUnit[at * takers.length + number] = takers[number]!.item === undefined ? Math.max(0, scaled) : scaled;
    }
  });
  // Every bundle has to be full, whatever its units would gain elsewhere.
  const full = (largest + 1) * (takers.length + 1);
  for (const [number, taker] of takers.entries())
    if (taker.item !== undefined)
      places.forEach((place, at) => {
        if (units[at]! > 0 && place.roleOf(taker.offer, taker.item) >= 0) perUnit[at * takers.length + number]! += full;
      });
  return { perUnit, scale };
}

/** What a unit of one line gains more in each offer; nothing where no unit is left. */
function gainsOfUnit(
  place: Place,
  base: Way,
  free: number,
  takers: readonly Taker[],
  couplings: Couplings,
): Float64Array {
  const gains = new Float64Array(takers.length);
  if (free === 0) return gains;
  const { line, roles, worth, isBare } = place;
  const units = line.isSplittable ? 1 : free;
  const isFree = place.units === line.units && unitsTaken(place, base) === 0;
  takers.forEach((taker, number) => {
    const { offer } = taker;
    const role = place.roleOf(taker.offer, taker.item);
    if (role < 0) return;
    if (isAt(offer, 'bundle')) {
      gains[number] = offer.benefit.rule.estimate.ofPrice * line.unitPrice * worth - base.saving / line.units;
      return;
    }
    const most = mostOfSums(offer, couplings);
    if (isBare && isFree) {
      // What a unit of the line saves by itself need not be computed for every offer.
      const saving = Math.min(most, offer.benefit.rule.effect(line, units)) * worth;
      gains[number] = saving / units - base.saving / line.units;
      return;
    }
    const taken = Math.min(units, roles[role]!.most);
    const saved = isFree ? place.savingAlone(role, taken) : withUnits(place, base, new Map([[role, taken]]));
    if (!saved) return;
    // What the other units save in the benefits of the line is part of a way, and not of units alone.
    let gain = saved.saving - (isFree ? (base.saving / line.units) * units : base.saving);
    for (const { effect, sums, worth: own } of saved.cut)
      if (sums === couplings.sumsOf.get(offer)) gain += Math.min(most, effect) * own;
    gains[number] = gain / units;
  });
  return gains;
}

function mostOfSums(offer: LineOffer, { sumsOf, capacities }: Couplings): number {
  return sumsOf.get(offer)!.reduce((least, slot) => Math.min(least, capacities[slot]!), Number.POSITIVE_INFINITY);
}

/** The units that an offer may have; of a sum of money no more than leave something for each of them. */
function mostUnits(offer: LineOffer, couplings: Couplings, places: readonly Place[]): number {
  const most = mostOfSums(offer, couplings);
  if (most === Number.POSITIVE_INFINITY) return offer.items;
  let dearest = 1;
  for (const place of places)
    if (place.hasRole(offer)) dearest = Math.max(dearest, offer.benefit.rule.effect(place.line, 1));
  return Math.min(offer.items, Math.max(1, Math.floor(most / dearest)));
}

/** Units of limits that sets and bundles share with others, and have taken. */
function takenOfPools(places: readonly Place[], base: readonly Way[], pools: readonly Pool[]): number[] {
  const taken = pools.map(() => 0);
  for (const [at, { counts }] of base.entries())
    for (const [role, units] of counts.entries()) {
      const { offer, part } = places[at]!.roles[role]!;
      const pool = offer.pool && part !== 'bought' ? pools.indexOf(offer.pool) : -1;
      if (pool >= 0) taken[pool]! += units;
    }
  return taken;
}

function finite(price: number): number {
  return price === Number.POSITIVE_INFINITY ? 0 : price;
}
