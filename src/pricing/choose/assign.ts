import { assignUnits } from '../assignment.ts';
import type { LineFacts } from '../lines/lines.ts';
import { isAt, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import type { Pool } from '../pools.ts';
import { COST, type Work } from '../work.ts';
import type { LineOption, OptionInput } from './line-option.ts';
import { optionWith, unitsDrawn } from './line-options.ts';
import type { Model } from './model.ts';

/** Units of a component that are dealt out to the offers limited by items. */
export interface Assigned {
  readonly options: readonly LineOption[];
  /** What a unit of each limit is worth, by the numbers of the state. */
  readonly ofSlot: readonly number[];
}

/** Gains in fractions of a minor unit are kept to this part of one. */
const PARTS_OF_A_MINOR_UNIT = 1_000;
/** What a unit of a line gains more in each of the limited offers, by what it takes otherwise. */
export type KnownGains = Map<LineOption, Float64Array>;

/** The first dealing has this part of the work at most. */
const PART_OF_WORK = 1 / 2;
const NOTHING_WANTED: ReadonlyMap<UnitOffer, number> = new Map();

/**
 * Deals units out to the offers that are limited by items, so that they gain as much as can be. Units that sets and bundles
 * have in `base` stay theirs; no other offers that lines share have any in it.
 */
export function assignLimited(
  model: Model,
  inputs: readonly OptionInput[],
  base: readonly LineOption[],
  known: KnownGains,
  work: Work,
  part = PART_OF_WORK,
): Assigned | undefined {
  const { couplings } = model;
  const offers = [...couplings.limitsOf.keys()].filter(
    (offer): offer is LineOffer => isAt(offer, 'line') && couplings.limitsOf.get(offer)!.length > 0,
  );
  if (offers.length === 0) return undefined;
  const places = model.lines.map((line, at) => placeOf(line, inputs[at]!, base[at]!));
  const gains = gainsOf(model, places, offers, known, work);
  const pools: Pool[] = [];
  const poolOf = offers.map(({ pool }) => {
    if (pool?.counts !== 'items') return undefined;
    if (!pools.includes(pool)) pools.push(pool);
    return pools.indexOf(pool);
  });
  const perUse = 1 + offers.length * places.reduce((sum, { units }) => sum + units, 0);
  let left = (work.left * part) / COST.assignedCell;
  const taken = takenOfPools(places, pools);
  const capacities = offers.map((offer) => mostUnits(offer, couplings, places));
  const { amounts, offerPrices, poolPrices } = assignUnits(
    {
      units: places.map(({ units }) => units),
      capacities,
      poolOf,
      poolCapacities: pools.map((pool, at) => Math.max(0, pool.left - taken[at]!)),
      gains: gains.perUnit,
      tieCosts: offers.map(({ uses }, rank) => (uses.length > 0 ? perUse : 0) + rank),
    },
    (more) => {
      left -= more;
      if (left < 0) return false;
      work.count(more * COST.assignedCell);
      return true;
    },
  );
  const ofSlot = couplings.capacities.map(() => 0);
  offers.forEach((offer, at) => {
    const [own, ...shared] = couplings.limitsOf.get(offer)! as [number, ...number[]];
    const price = finite(offerPrices[at]!) / gains.scale;
    const [sum] = couplings.sumsOf.get(offer)!;
    // Where a sum of money ends before the units do, it is the money that has a price.
    if (sum !== undefined && capacities[at]! < offer.items)
      ofSlot[sum] = Math.min(1, (price * capacities[at]!) / Math.max(1, couplings.capacities[sum]!));
    else ofSlot[own] = price;
    for (const slot of shared) ofSlot[slot] = finite(poolPrices[poolOf[at]!]!) / gains.scale;
  });
  const options = places.map((place, at) => {
    const wanted = new Map<UnitOffer, number>();
    offers.forEach((offer, number) => {
      const units = amounts[at * offers.length + number]!;
      if (units > 0) wanted.set(offer, units);
    });
    if (wanted.size === 0) return place.base;
    return beside(place, wanted) ?? mostOf(place, wanted) ?? place.base;
  });
  return { options, ofSlot };
}

/** A line with the units that sets and bundles leave of it. */
interface Place {
  readonly line: LineFacts;
  readonly input: OptionInput;
  readonly base: LineOption;
  readonly units: number;
  /** Nothing has any of its units. */
  readonly isFree: boolean;
}

function placeOf(line: LineFacts, input: OptionInput, base: LineOption): Place {
  const { taken, bought, combinable = [] } = base.takes;
  const isFree = taken.length + bought.length + combinable.length === 0;
  if (isFree) return { line, input, base, units: Math.max(1, line.units), isFree };
  const drawn = { taken, bought, combinable, rest: undefined };
  return { line, input: { ...input, drawn }, base, units: Math.max(0, line.units - unitsDrawn(drawn)), isFree };
}

/** What a unit of each line gains more in each offer than in the other benefits of its line. */
function gainsOf(
  { couplings, lines, options }: Model,
  places: readonly Place[],
  offers: readonly LineOffer[],
  known: KnownGains,
  work: Work,
): { readonly perUnit: Float64Array; readonly scale: number } {
  const isWhole = lines.every(({ units }) => units === 1) && places.every(({ isFree }) => isFree);
  const scale = isWhole && options.flat().every(({ saving }) => Number.isInteger(saving)) ? 1 : PARTS_OF_A_MINOR_UNIT;
  const perUnit = new Float64Array(lines.length * offers.length);
  work.count(lines.length * offers.length * COST.comparedOffer);
  places.forEach((place, at) => {
    const own = known.get(place.base) ?? gainsOfUnit(place, offers, couplings, work);
    known.set(place.base, own);
    for (const [number, gain] of own.entries())
      perUnit[at * offers.length + number] = Math.max(0, Math.floor(gain * scale));
  });
  return { perUnit, scale };
}

/** What a unit of one line gains more in each offer; nothing where no unit is left. */
function gainsOfUnit(
  { line, input, base, units: free, isFree }: Place,
  offers: readonly LineOffer[],
  couplings: Model['couplings'],
  work: Work,
): Float64Array {
  const gains = new Float64Array(offers.length);
  if (free === 0) return gains;
  const isBare = isFree && !line.unit && line.existing === 0 && line.allocated === 0 && !input.drawn;
  const units = line.isSplittable ? 1 : free;
  let [inLine, before] = [base.saving / line.units, 0];
  if (!isFree) {
    work.count(2 * COST.option);
    before = optionWith(line, input, NOTHING_WANTED, true)?.saving ?? 0;
    inLine = ((optionWith(line, input, NOTHING_WANTED)?.saving ?? before) - before) / free;
  }
  offers.forEach((offer, number) => {
    if (!input.isDiscountable(offer, 0, line.index)) return;
    const sums = couplings.sumsOf.get(offer)!;
    const most = sums.reduce((least, slot) => Math.min(least, couplings.capacities[slot]!), Number.POSITIVE_INFINITY);
    let saving = Math.min(most, offer.benefit.rule.effect(line, units)) * input.worth;
    if (!isBare) {
      work.count(COST.option);
      const option = optionWith(line, input, new Map([[offer, units]]), true);
      saving = option ? option.saving - before : 0;
      for (const { effect, worth } of option?.cut ?? []) saving += Math.min(most, effect) * worth;
    }
    gains[number] = saving / units - inLine;
  });
  return gains;
}

/** The units that an offer may have; of a sum of money no more than leave something for each of them. */
function mostUnits(offer: LineOffer, { sumsOf, capacities }: Model['couplings'], places: readonly Place[]): number {
  const sums = sumsOf.get(offer)!;
  if (sums.length === 0) return offer.items;
  const most = sums.reduce((least, slot) => Math.min(least, capacities[slot]!), Number.POSITIVE_INFINITY);
  let dearest = 1;
  for (const { line, input } of places)
    if (input.isDiscountable(offer, 0, line.index)) dearest = Math.max(dearest, offer.benefit.rule.effect(line, 1));
  return Math.min(offer.items, Math.max(1, Math.floor(most / dearest)));
}

/** Units of limits that sets and bundles share with others, and have taken. */
function takenOfPools(places: readonly Place[], pools: readonly Pool[]): number[] {
  const taken = pools.map(() => 0);
  for (const { base, isFree } of places) {
    if (isFree) continue;
    for (const { offer, units } of base.takes.taken) {
      const at = offer.pool ? pools.indexOf(offer.pool) : -1;
      if (at >= 0) taken[at]! += units;
    }
  }
  return taken;
}

/** The way of the line with these units beside what sets and bundles have of it. */
function beside({ line, input, base, isFree }: Place, wanted: ReadonlyMap<UnitOffer, number>): LineOption | undefined {
  const option = optionWith(line, input, wanted);
  if (!option || isFree) return option;
  const alone = optionWith(line, input, NOTHING_WANTED);
  if (!alone) return undefined;
  return {
    ...option,
    // What a bundle costs as a whole is part of its way alone.
    saving: option.saving + base.saving - alone.saving,
    slots: [...base.slots, ...option.slots],
    amounts: [...base.amounts, ...option.amounts],
    flags: base.flags,
    bundles: base.bundles,
    sets: base.sets,
  };
}

/** Of a line that takes one benefit only, the offer that takes most of its units. */
function mostOf(place: Place, wanted: ReadonlyMap<UnitOffer, number>): LineOption | undefined {
  const [first] = [...wanted].sort((a, b) => b[1] - a[1]);
  return first && beside(place, new Map([first]));
}

function finite(price: number): number {
  return price === Number.POSITIVE_INFINITY ? 0 : price;
}
