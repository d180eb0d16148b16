import { COST, type Work } from '../work.ts';
import type { Couplings, SetCoupling } from './couplings.ts';
import { mostOn } from './listing.ts';
import type { Model } from './model.ts';

/**
 * Prices for all that lines share, so that each line may choose for itself: a unit of a limit costs something, a given unit
 * pays for the bought ones. What all lines then gain together, and what the limits are worth, no choice exceeds (a Lagrangian
 * relaxation). The prices are found by raising those of what is asked for too much.
 */
export interface Prices {
  /** By the numbers of the state. */
  readonly ofSlot: readonly number[];
  /** Per set and line of the walk: the price of a given unit for each bought one; falls along the row. */
  readonly ofSets: readonly (readonly number[])[];
  /** Per line the most that one of its ways gains. */
  readonly best: readonly number[];
  /** No choice saves more. */
  readonly most: number;
}

const ROUNDS = 40;
/** So many rounds without a better bound halve the step. */
const PATIENCE = 4;
const LEAST_SCALE = 0.02;

export function findPrices(model: Model, known: number, work: Work, dealt: readonly number[]): Prices {
  const { couplings, places } = model;
  const slots = couplings.capacities.length;
  // The prices of a dealing prove it where units of limits are all that lines share; otherwise nothing is dear at first.
  const ofSlot = dealt.length === slots ? [...dealt] : new Array<number>(slots).fill(0);
  const flat = couplings.sets.map(() => 0);
  const along = couplings.sets.map((set) => pricesAlongRow(model, set));
  let best: Prices | undefined;
  let scale = 1;
  let waited = 0;
  const perRound = places.reduce((sum, { roles }) => sum + 4 + roles.length, 0) * COST.pricedOption;
  for (let round = 0; round < (slots === 0 ? 1 : ROUNDS); round++) {
    if (round > 0 && !work.spend(perRound)) break;
    const ofSets = couplings.sets.map((_set, s) => along[s] ?? places.map(() => flat[s]!));
    const { prices, excess, setExcess } = priceLines(model, ofSlot, ofSets);
    if (!best || prices.most < best.most - 1e-9) {
      best = prices;
      waited = 0;
    } else if (++waited >= PATIENCE) {
      scale /= 2;
      waited = 0;
    }
    const gap = prices.most - known;
    if (gap < 0.5) break;
    if (round === 0 && ofSlot.some((price) => price > 0)) {
      ofSlot.fill(0);
      continue;
    }
    let norm = 0;
    const { sums, capacities } = couplings;
    // What is spent of a sum of money counts as a part of it, so that money and units weigh the same.
    for (const slot of sums) excess[slot]! /= Math.max(1, capacities[slot]!);
    for (const own of excess) norm += own * own;
    for (const own of setExcess) norm += own * own;
    if (norm === 0) break;
    const step = (scale * gap) / norm;
    for (const slot of couplings.limits) ofSlot[slot] = Math.max(0, ofSlot[slot]! + step * excess[slot]!);
    for (const slot of sums)
      ofSlot[slot] = Math.max(0, ofSlot[slot]! + (step * excess[slot]!) / Math.max(1, capacities[slot]!));
    for (const { at, quantities } of couplings.bundles)
      for (let item = 0; item < quantities.length; item++) ofSlot[at + item]! += step * excess[at + item]!;
    couplings.sets.forEach((_, s) => {
      if (!along[s]) flat[s]! += step * setExcess[s]!;
    });
    if (scale < LEAST_SCALE) break;
  }
  return best!;
}

/**
 * Along the row what a given unit pays falls with the price of the unit: each unit of a set then gains its part of what the set
 * gives. Where the halves are different goods, one price holds for all.
 */
function pricesAlongRow({ places }: Model, { set, isOrdered }: SetCoupling): number[] | undefined {
  if (!isOrdered || set.row.length === 0) return undefined;
  const { buyQuantity, getQuantity } = set.offer.benefit.rule;
  const prices = places.map(({ line }) => {
    if (set.placeOf[line.index] === undefined) return -1;
    const off = line.unit ? line.unitPrice : set.offer.benefit.rule.extent(line).perUnit;
    return off / (buyQuantity + getQuantity);
  });
  let next = 0;
  for (let at = prices.length - 1; at >= 0; at--) {
    if (prices[at]! < next) prices[at] = next;
    next = prices[at]!;
  }
  return prices;
}

interface Priced {
  readonly prices: Prices;
  readonly excess: number[];
  readonly setExcess: readonly number[];
}

function priceLines(
  { places, couplings }: Model,
  ofSlot: readonly number[],
  ofSets: readonly (readonly number[])[],
): Priced {
  const best: number[] = [];
  const excess = new Array<number>(ofSlot.length).fill(0);
  const setExcess = couplings.sets.map(() => 0);
  for (const [at, place] of places.entries()) {
    const { most, counts, way } = mostOn(place, pricesOnLine(couplings, at, ofSlot, ofSets));
    best.push(most);
    for (let role = 0; role < counts.length; role++) {
      const units = counts[role]!;
      if (units === 0) continue;
      const { slots, sums, gain } = place.roles[role]!;
      for (const slot of slots) excess[slot]! += units;
      for (const slot of sums) excess[slot]! += units * gain;
    }
    for (const { sums, effect } of way?.cut ?? []) for (const slot of sums) excess[slot]! += effect;
  }
  couplings.sets.forEach(({ at, set }, s) => {
    const { buyQuantity, getQuantity } = set.offer.benefit.rule;
    setExcess[s] = buyQuantity * excess[at + 1]! - getQuantity * excess[at]!;
    excess[at] = 0;
    excess[at + 1] = 0;
  });
  let most = best.reduce((sum, gain) => sum + gain, 0);
  for (const slot of [...couplings.limits, ...couplings.sums]) {
    const capacity = couplings.capacities[slot]!;
    most += ofSlot[slot]! * capacity;
    excess[slot]! -= capacity;
    if (ofSlot[slot] === 0 && excess[slot]! < 0) excess[slot] = 0;
  }
  // The prices of the items of a bundle sum to nothing over each bundle, however many there are.
  for (const { at, quantities } of couplings.bundles) {
    let [dot, norm] = [0, 0];
    quantities.forEach((quantity, item) => {
      dot += quantity * excess[at + item]!;
      norm += quantity * quantity;
    });
    quantities.forEach((quantity, item) => {
      excess[at + item]! -= (dot / norm) * quantity;
    });
  }
  return { prices: { ofSlot: [...ofSlot], ofSets, best, most }, excess, setExcess };
}

/**
 * What each number of the state costs on one line of the walk: a unit of a limit its price, and a unit bought or given what the
 * prices of its set say there.
 */
export function pricesOnLine(
  { sets }: Couplings,
  at: number,
  ofSlot: readonly number[],
  ofSets: readonly (readonly number[])[],
): readonly number[] {
  if (sets.length === 0) return ofSlot;
  const own = [...ofSlot];
  for (const { at: slot, set, number } of sets) {
    const price = ofSets[number]![at]!;
    const { buyQuantity, getQuantity } = set.offer.benefit.rule;
    own[slot] = -price * getQuantity;
    own[slot + 1] = price * buyQuantity;
  }
  return own;
}
