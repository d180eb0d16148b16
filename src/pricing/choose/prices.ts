import type { Work } from '../work.ts';
import { COST } from '../work.ts';
import type { Couplings, SetCoupling } from './couplings.ts';
import type { PricedUnit } from './line-option.ts';
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
  /** Per line what its best way gains, less what it costs; and from each line on. */
  readonly best: readonly number[];
  readonly restFrom: readonly number[];
  /** No choice saves more. */
  readonly most: number;
}

const ROUNDS = 40;
/** So many rounds without a better bound halve the step. */
const PATIENCE = 4;

export function findPrices(model: Model, known: number, work: Work, start?: readonly number[]): Prices {
  const { couplings, options } = model;
  const slots = couplings.capacities.length;
  const ofSlot = start ? [...start] : new Array<number>(slots).fill(0);
  const flat = couplings.sets.map(() => 0);
  const along = couplings.sets.map((set) => pricesAlongRow(model, set));
  let best: Prices | undefined;
  let scale = 1;
  let waited = 0;
  const rounds = slots === 0 ? 1 : ROUNDS;
  const units = model.beyond.reduce((sum, own) => sum + (own?.ofUnit.length ?? 0), 0);
  const perRound = (units + options.reduce((sum, own) => sum + own.length, 0)) * COST.pricedOption;
  for (let round = 0; round < rounds; round++) {
    if (round > 0 && !work.spend(perRound)) break;
    const ofSets = couplings.sets.map((_set, s) => along[s] ?? flatPrices(model, flat[s]!));
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
    couplings.sets.forEach(({ isOrdered, set }, s) => {
      if (!isOrdered || set.row.length === 0) flat[s]! += step * setExcess[s]!;
    });
    if (scale < 0.02) break;
  }
  return best!;
}

/**
 * Along the row what a given unit pays falls with the price of the unit: each unit of a set then gains its part of what the set
 * gives. Where the halves are different goods, one price holds for all.
 */
function pricesAlongRow({ lines }: Model, { set, isOrdered }: SetCoupling): number[] | undefined {
  if (!isOrdered || set.row.length === 0) return undefined;
  const { buyQuantity, getQuantity } = set.offer.benefit.rule;
  const prices = lines.map((line) => {
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

function flatPrices({ lines }: Model, price: number): number[] {
  return new Array<number>(lines.length).fill(price);
}

interface Priced {
  readonly prices: Prices;
  readonly excess: number[];
  readonly setExcess: readonly number[];
}

function priceLines(
  { options, couplings, beyond }: Model,
  ofSlot: readonly number[],
  ofSets: readonly (readonly number[])[],
): Priced {
  const best: number[] = [];
  const excess = new Array<number>(ofSlot.length).fill(0);
  const setExcess = couplings.sets.map(() => 0);
  options.forEach((own, at) => {
    const onLine = pricesOnLine(couplings, at, ofSlot, ofSets);
    let most = Number.NEGATIVE_INFINITY;
    let chosen: PricedUnit | undefined;
    for (const option of own) {
      const gain = pricedGain(option, onLine);
      if (gain > most) [most, chosen] = [gain, option];
    }
    let count = 1;
    const unlisted = beyond[at];
    if (unlisted) {
      const { units, ofUnit, once } = unlisted;
      let mostOfUnit = Number.NEGATIVE_INFINITY;
      let unit: PricedUnit | undefined;
      for (const option of ofUnit) {
        const gain = pricedGain(option, onLine);
        if (gain > mostOfUnit) [mostOfUnit, unit] = [gain, option];
      }
      if (units * mostOfUnit + once > most) [most, chosen, count] = [units * mostOfUnit + once, unit, units];
    }
    best.push(most);
    const taken = chosen;
    taken?.slots.forEach((slot, k) => {
      excess[slot]! += count * taken.amounts[k]!;
    });
    for (const { sums, effect } of taken?.cut ?? []) for (const slot of sums) excess[slot]! += effect;
  });
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
  const restFrom = new Array<number>(best.length + 1).fill(0);
  for (let at = best.length - 1; at >= 0; at--) restFrom[at] = restFrom[at + 1]! + best[at]!;
  return { prices: { ofSlot: [...ofSlot], ofSets, best, restFrom, most }, excess, setExcess };
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

/** What a way gains when all that it shares with other lines is paid for. */
export function pricedGain({ saving, cut, slots, amounts }: PricedUnit, onLine: readonly number[]): number {
  let gain = saving;
  for (const { sums, effect, worth } of cut) {
    let left = worth;
    for (const slot of sums) left -= onLine[slot]!;
    if (left > 0) gain += effect * left;
  }
  for (let k = 0; k < slots.length; k++) gain -= onLine[slots[k]!]! * amounts[k]!;
  return gain;
}

/** The same prices where each line has fewer ways. */
export function withOptions(prices: Prices, { options, couplings }: Pick<Model, 'options' | 'couplings'>): Prices {
  const best = options.map((own, at) => {
    const onLine = pricesOnLine(couplings, at, prices.ofSlot, prices.ofSets);
    return own.reduce((most, option) => Math.max(most, pricedGain(option, onLine)), Number.NEGATIVE_INFINITY);
  });
  const restFrom = new Array<number>(best.length + 1).fill(0);
  for (let at = best.length - 1; at >= 0; at--) restFrom[at] = restFrom[at + 1]! + best[at]!;
  return { ...prices, best, restFrom, most: prices.most - prices.restFrom[0]! + restFrom[0]! };
}
