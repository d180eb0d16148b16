import { COST, type Work } from '../work.ts';
import type { Couplings, SetCoupling } from './couplings.ts';
import type { Model } from './model.ts';
import { MostOnLine } from './most-on-line.ts';
import type { Place } from './place.ts';

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
  /** By the numbers of the state, the units that lines took on the way to these prices; the last rounds weigh most. */
  readonly average: readonly number[];
}

const ROUNDS = 160;
/** So many rounds without a better bound halve the step, and begin again where the bound was best. */
const PATIENCE = 8;
const LEAST_SCALE = 0.005;
/** So many rounds seek the prices of limits alone, because what sets pay is known well from the beginning. */
const ROUNDS_OF_LIMITS = 10;
/** What lines take in a round weighs so much in the average. */
const WEIGHT = 0.1;

export function findPrices(model: Model, known: number, work: Work, dealt: readonly number[]): Prices {
  const { couplings, places } = model;
  const slots = couplings.capacities.length;
  const [ofSlot, ...others] = startsOf(model, dealt) as [number[], ...number[][]];
  const ofSets = couplings.sets.map((set) => firstPricesOf(model, set));
  const average = new Array<number>(slots).fill(0);
  const lines = new PricedLines(model);
  let best: Omit<Prices, 'average'> | undefined;
  let scale = 1;
  let waited = 0;
  const perRound =
    places.reduce((sum, { roles, withoutRoles }) => sum + 3 + roles.length + withoutRoles.length, 0) *
    COST.pricedOption;
  for (let round = 0; round < ROUNDS && scale >= LEAST_SCALE; round++) {
    if (round > 0 && !work.spend(perRound)) break;
    if (round === ROUNDS_OF_LIMITS) scale = 1;
    const most = lines.price(ofSlot, ofSets);
    const { taken, excess } = lines;
    for (let slot = 0; slot < slots; slot++) average[slot]! += WEIGHT * (taken[slot]! - average[slot]!);
    if (!best || most < best.most - 1e-9) {
      best = { ofSlot: [...ofSlot], ofSets: ofSets.map((own) => [...own]), best: [...lines.best], most };
      waited = 0;
    } else if (++waited >= PATIENCE) {
      scale /= 2;
      waited = 0;
      takeOver(best, ofSlot, ofSets);
      continue;
    }
    const gap = most - known;
    if (gap < 0.5) break;
    const other = others.shift();
    if (other) {
      for (const [slot, price] of other.entries()) ofSlot[slot] = price;
      continue;
    }
    // The limits and each of the sets move their prices in turn, since a step that is right for one is wrong for another.
    const norms = excess.map((own) => own.reduce((sum, one) => sum + one * one, 0));
    const open = norms.flatMap((norm, at) => (norm > 0 ? at : []));
    if (open.length === 0) break;
    const moving = open[0] === 0 && round < ROUNDS_OF_LIMITS ? 0 : open[round % open.length]!;
    const step = (scale * gap) / norms[moving]!;
    if (moving === 0) moveLimits(couplings, ofSlot, excess[0]!, step);
    else moveSet(couplings.sets[moving - 1]!, ofSets[moving - 1]!, excess[moving]!, step);
  }
  return { ...best!, average };
}

/**
 * The prices of limits that are tried first. Those of a dealing prove it where units of limits are all that lines share, and a sum of money
 * that is spent whole is worth as much as there is of it. Then nothing is dear at first.
 */
function startsOf({ couplings, places }: Model, dealt: readonly number[]): number[][] {
  const none = couplings.capacities.map(() => 0);
  const spent = [...none];
  for (const slot of couplings.sums) spent[slot] = Math.max(...places.map(({ worth }) => worth));
  return [[...dealt], spent, none].filter((own) => own === none || own.some((price) => price > 0));
}

function takeOver(best: Omit<Prices, 'average'>, ofSlot: number[], ofSets: readonly number[][]): void {
  for (const [slot, price] of best.ofSlot.entries()) ofSlot[slot] = price;
  for (const [s, own] of best.ofSets.entries()) for (const [at, price] of own.entries()) ofSets[s]![at] = price;
}

function moveLimits(couplings: Couplings, ofSlot: number[], excess: readonly number[], step: number): void {
  const { limits, sums, capacities, bundles } = couplings;
  for (const slot of limits) ofSlot[slot] = Math.max(0, ofSlot[slot]! + step * excess[slot]!);
  for (const slot of sums)
    ofSlot[slot] = Math.max(0, ofSlot[slot]! + (step * excess[slot]!) / Math.max(1, capacities[slot]!));
  for (const { at, quantities } of bundles)
    for (let item = 0; item < quantities.length; item++) ofSlot[at + item]! += step * excess[at + item]!;
}

/** Where a set is cut from a row its prices fall along the row; otherwise one price holds for all. */
function moveSet(set: SetCoupling, prices: number[], excess: readonly number[], step: number): void {
  if (!hasRow(set)) prices.fill(prices[0]! + step * excess[0]!);
  else {
    for (let at = 0; at < prices.length; at++) prices[at]! += step * excess[at]!;
    makeFalling(prices);
  }
}

function hasRow({ isOrdered, set }: SetCoupling): boolean {
  return isOrdered && set.row.length > 0;
}

/** Takes the nearest prices that do not rise: those that do are averaged with the ones before. */
function makeFalling(prices: number[]): void {
  const runs: { price: number; length: number }[] = [];
  for (const own of prices) {
    let run = { price: own, length: 1 };
    for (let last = runs.at(-1); last && last.price < run.price; last = runs.at(-1)) {
      const length = last.length + run.length;
      run = { price: (last.price * last.length + run.price * run.length) / length, length };
      runs.pop();
    }
    runs.push(run);
  }
  let at = 0;
  for (const { price, length } of runs) {
    prices.fill(price, at, at + length);
    at += length;
  }
}

/**
 * Along the row what a given unit pays falls with the price of the unit: each unit of a set gains its part of what the set gives
 * at first. Where the halves are different goods, one price holds for all.
 */
function firstPricesOf({ places }: Model, coupling: SetCoupling): number[] {
  if (!hasRow(coupling)) return places.map(() => 0);
  const { set } = coupling;
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

/** All lines at some prices: what each gains at most, and what they ask for together. It holds until they are priced again. */
class PricedLines {
  readonly best: number[] = [];
  /** Units of each number of the state that the best ways of all lines take. */
  readonly taken: number[];
  /** What is asked for too much: first of all but sets, by the numbers of the state; then of each set, line by line. */
  readonly excess: readonly number[][];
  readonly #model: Model;
  readonly #isRow: readonly boolean[];
  readonly #mostOnLine = new MostOnLine();
  readonly #onLine: number[] = [];

  constructor(model: Model) {
    const { couplings, places } = model;
    this.#model = model;
    this.#isRow = couplings.sets.map(hasRow);
    this.taken = couplings.capacities.map(() => 0);
    this.excess = [couplings.capacities.map(() => 0), ...couplings.sets.map(() => places.map(() => 0))];
  }

  /** What all lines gain together, and what the limits are worth: no choice saves more. */
  price(ofSlot: readonly number[], ofSets: readonly (readonly number[])[]): number {
    const { places, couplings } = this.#model;
    const [own, ...ofLines] = this.excess as readonly [number[], ...number[][]];
    this.taken.fill(0);
    for (const numbers of this.excess) numbers.fill(0);
    let most = 0;
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!;
      this.#mostOnLine.find(place, pricesOnLine(couplings, at, ofSlot, ofSets, this.#onLine));
      this.best[at] = this.#mostOnLine.most;
      most += this.#mostOnLine.most;
      this.#countTaken(place);
      for (const { at: slot, set, number } of couplings.sets) {
        const { buyQuantity, getQuantity } = set.offer.benefit.rule;
        // One price for all lines moves by what all of them ask for together.
        ofLines[number]![this.#isRow[number] ? at : 0]! += buyQuantity * own[slot + 1]! - getQuantity * own[slot]!;
        own[slot] = 0;
        own[slot + 1] = 0;
      }
    }
    for (const slots of [couplings.limits, couplings.sums])
      for (const slot of slots) {
        const capacity = couplings.capacities[slot]!;
        most += ofSlot[slot]! * capacity;
        own[slot]! -= capacity;
        if (ofSlot[slot] === 0 && own[slot]! < 0) own[slot] = 0;
      }
    // What is spent of a sum of money counts as a part of it, so that money and units weigh the same.
    for (const slot of couplings.sums) own[slot]! /= Math.max(1, couplings.capacities[slot]!);
    // The prices of the items of a bundle sum to nothing over each bundle, however many there are.
    for (const { at, quantities } of couplings.bundles) {
      let [dot, norm] = [0, 0];
      quantities.forEach((quantity, item) => {
        dot += quantity * own[at + item]!;
        norm += quantity * quantity;
      });
      quantities.forEach((quantity, item) => {
        own[at + item]! -= (dot / norm) * quantity;
      });
    }
    return most;
  }

  /** Counts what the best way of a line takes. */
  #countTaken(place: Place): void {
    const excess = this.excess[0]!;
    const { counts, way } = this.#mostOnLine;
    for (let role = 0; role < counts.length; role++) {
      const units = counts[role]!;
      if (units === 0) continue;
      const { slots, sums, gain } = place.roles[role]!;
      for (const slot of slots) {
        excess[slot]! += units;
        this.taken[slot]! += units;
      }
      for (const slot of sums) excess[slot]! += units * gain;
    }
    for (const { sums, effect } of way?.cut ?? []) for (const slot of sums) excess[slot]! += effect;
  }
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
  own: number[] = [],
): readonly number[] {
  if (sets.length === 0) return ofSlot;
  own.length = ofSlot.length;
  for (let slot = 0; slot < ofSlot.length; slot++) own[slot] = ofSlot[slot]!;
  for (const { at: slot, set, number } of sets) {
    const price = ofSets[number]![at]!;
    const { buyQuantity, getQuantity } = set.offer.benefit.rule;
    own[slot] = -price * getQuantity;
    own[slot + 1] = price * buyQuantity;
  }
  return own;
}
