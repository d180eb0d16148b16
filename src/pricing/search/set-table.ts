import type { BuyGetRule } from '../rule.ts';
import type { UnitCount } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { byGain, inTwoHeaps } from './set-heaps.ts';
import {
  type BestSets,
  mayBuy,
  mayGive,
  type SetTable,
  type SetTask,
  type SetUnits,
  type SetUnitsTaken,
} from './set-task.ts';

/**
 * The best way to form the sets of one offer, counted in units of lines and never unit by unit. A unit that takes part has
 * a gain by its role: what is taken off it, less what another benefit would have taken off. Where every unit may be bought
 * and given, the units stand in a row, the dearest first, and are cut into sets, so a dynamic programme over the lines
 * suffices, whose state is the place in the open set. Elsewhere the best units of each role are taken.
 */

/** Counts steps; false when too few are left. */
type Spend = (steps: number) => boolean;

/** A table of so many cells at most is computed; a larger set is cut off the row without one. */
const MAX_CELLS = 20_000;
/** The price of a set is halved into place so often. */
const PRICE_ROUNDS = 8;

/** The steps of a table over all of these units. */
function stepsOfTable(units: readonly SetUnits[], size: number): number {
  let cells = 0;
  for (const own of units) cells += size * (1 + Math.min(own.units, size - 1));
  return cells * COST.setCell;
}

export function findBestSets(task: SetTask, spend: Spend): BestSets | undefined {
  const { rule, units } = task;
  if (!spend(COST.group + units.length * COST.groupedLine)) return undefined;
  const onlyBought = units.filter(({ gives }) => gives === Number.NEGATIVE_INFINITY);
  const onlyGiven = units.filter(({ buys }) => buys === Number.NEGATIVE_INFINITY);
  const both = units.filter((own) => mayBuy(own) && mayGive(own));
  const isRow = onlyBought.length + onlyGiven.length === 0;
  if (!isRow && !spend((both.length === 0 ? 1 : 3) * units.length * COST.heapedLine)) return undefined;
  if (both.length === 0) return inTwoHeaps(task, onlyBought, onlyGiven);
  const row = [...byGain(onlyBought, 'buys'), ...both];
  const size = rule.buyQuantity + rule.getQuantity;
  const steps = stepsOfTable(row, size);
  const isAffordable = size * (row.length + 1) <= MAX_CELLS && spend(steps);
  const inRow = isAffordable ? inOneRow(task, row, spend, steps) : cutOff(task, row);
  if (isRow) return inRow;
  // Units of one role beside units of both: the bound lets the latter have both roles at once.
  const { bound } = inTwoHeaps(task, [...onlyBought, ...both], [...onlyGiven, ...both]);
  let best = inRow.best;
  for (const heaps of [
    inTwoHeaps(task, onlyBought, [...onlyGiven, ...both]),
    inTwoHeaps(task, [...onlyBought, ...both], onlyGiven),
  ]) {
    if (heaps.best && (!best || heaps.best.gain > best.gain)) best = heaps.best;
  }
  return { bound, best, table: undefined };
}

/** The best sets of a row with at most so many of them, by a table; with a price on each set where there are too many. */
function inOneRow(task: SetTask, row: readonly SetUnits[], spend: Spend, steps: number): BestSets {
  const { rule, mostSets, mostEffect } = task;
  let table = fillTable(rule, row, 0);
  let bound = table.gains[0]!;
  let chunks = followTable(rule, table);
  let best = bestOfChunks(task, chunks);
  let [low, high] = [0, Math.max(0, ...row.map(({ gives }) => gives)) * rule.getQuantity];
  for (let round = 0; countSets(chunks) > mostSets && round < PRICE_ROUNDS && high > low; round++) {
    if (!spend(steps)) break;
    const price = (low + high) / 2;
    const priced = fillTable(rule, row, price);
    const pricedBound = priced.gains[0]! + price * mostSets;
    const pricedChunks = followTable(rule, priced);
    const candidate = bestOfChunks(task, pricedChunks);
    if (candidate && (!best || candidate.gain > best.gain)) best = candidate;
    if (pricedBound < bound) [bound, table] = [pricedBound, priced];
    if (countSets(pricedChunks) > mostSets) {
      low = price;
      chunks = pricedChunks;
    } else high = price;
  }
  return { bound: Math.min(bound, mostEffect), best, table };
}

/** The gain of each place of a set, summed up from its first one. */
function gainsOfPlaces({ buyQuantity, getQuantity }: BuyGetRule, { buys, gives }: SetUnits, price: number): number[] {
  const gains = [0];
  for (let place = 0; place < buyQuantity; place++) gains.push(gains[place]! + buys);
  // A unit that may not be given never comes so far.
  for (let place = 0; place < getQuantity; place++) gains.push(gains[buyQuantity + place]! + gives);
  gains[buyQuantity + getQuantity]! -= price;
  return gains;
}

function fillTable(rule: BuyGetRule, row: readonly SetUnits[], price: number): SetTable {
  const size = rule.buyQuantity + rule.getQuantity;
  const gains = new Array<number>((row.length + 1) * size).fill(Number.NEGATIVE_INFINITY);
  gains[row.length * size] = 0;
  for (let at = row.length - 1; at >= 0; at--) {
    const own = row[at]!;
    const places = gainsOfPlaces(rule, own, price);
    const whole = Math.max(0, places[size]!);
    const isGiven = mayGive(own);
    const last = isGiven ? size : rule.buyQuantity;
    for (let place = 0; place < size; place++) {
      let most = Number.NEGATIVE_INFINITY;
      const mostUnits = Math.min(own.units, size - 1, isGiven ? size : last - place);
      for (let units = 0; units <= Math.max(0, mostUnits); units++) {
        const to = place + units;
        const after = gains[(at + 1) * size + (to < size ? to : to - size)]!;
        const gain = to < size ? places[to]! - places[place]! : places[size]! - places[place]! + places[to - size]!;
        const sets = whole > 0 ? Math.floor((own.units - units) / size) : 0;
        const sum = (units === 0 ? 0 : gain) + sets * whole + after;
        if (sum > most) most = sum;
      }
      gains[at * size + place] = most;
    }
  }
  return { row, size, gains, price };
}

/** Sets that are formed of the same units. */
interface Chunk {
  readonly sets: number;
  /** Of one set. */
  readonly gain: number;
  readonly effect: number;
  readonly bought: readonly UnitCount[];
  readonly given: readonly UnitCount[];
}

function countSets(chunks: readonly Chunk[]): number {
  return chunks.reduce((count, { sets }) => count + sets, 0);
}

/** The sets that the table says are best. */
function followTable(rule: BuyGetRule, { row, size, gains, price }: SetTable): Chunk[] {
  const chunks: Chunk[] = [];
  const open = new OpenSet(rule);
  let place = 0;
  for (const [at, own] of row.entries()) {
    const places = gainsOfPlaces(rule, own, price);
    const whole = Math.max(0, places[size]!);
    const want = gains[at * size + place]!;
    const isGiven = mayGive(own);
    const mostUnits = Math.min(own.units, size - 1, isGiven ? size : rule.buyQuantity - place);
    for (let units = 0; units <= Math.max(0, mostUnits); units++) {
      const to = place + units;
      const next = to < size ? to : to - size;
      const gain = to < size ? places[to]! - places[place]! : places[size]! - places[place]! + places[to - size]!;
      const sets = whole > 0 ? Math.floor((own.units - units) / size) : 0;
      if ((units === 0 ? 0 : gain) + sets * whole + gains[(at + 1) * size + next]! !== want) continue;
      open.add(own, units, chunks);
      if (sets > 0) chunks.push(setsOf(rule, own, sets));
      place = next;
      break;
    }
  }
  return chunks;
}

/** So many sets of the units of one line alone. */
function setsOf(
  { buyQuantity, getQuantity }: BuyGetRule,
  { line, buys, gives, effect }: SetUnits,
  sets: number,
): Chunk {
  return {
    sets,
    gain: buyQuantity * buys + getQuantity * gives,
    effect: getQuantity * effect,
    bought: [{ line, units: buyQuantity }],
    given: [{ line, units: getQuantity }],
  };
}

/** The set that is being filled along the row. */
class OpenSet {
  readonly #rule: BuyGetRule;
  #units = 0;
  #gain = 0;
  #effect = 0;
  #bought: UnitCount[] = [];
  #given: UnitCount[] = [];

  constructor(rule: BuyGetRule) {
    this.#rule = rule;
  }

  /** Adds units of a line; sets that become full go to `chunks`. */
  add({ line, buys, gives, effect }: SetUnits, units: number, chunks: Chunk[]): void {
    const { buyQuantity, getQuantity } = this.#rule;
    let left = units;
    while (left > 0) {
      const isBought = this.#units < buyQuantity;
      const room = (isBought ? buyQuantity : buyQuantity + getQuantity) - this.#units;
      const taken = Math.min(left, room);
      (isBought ? this.#bought : this.#given).push({ line, units: taken });
      this.#gain += taken * (isBought ? buys : gives);
      if (!isBought) this.#effect += taken * effect;
      this.#units += taken;
      left -= taken;
      if (this.#units < buyQuantity + getQuantity) continue;
      chunks.push({ sets: 1, gain: this.#gain, effect: this.#effect, bought: this.#bought, given: this.#given });
      [this.#units, this.#gain, this.#effect] = [0, 0, 0];
      [this.#bought, this.#given] = [[], []];
    }
  }
}

/** The sets cut off the row where no unit is left out; for sets so large that a table takes too long. */
function cutOff(task: SetTask, row: readonly SetUnits[]): BestSets {
  const chunks: Chunk[] = [];
  const open = new OpenSet(task.rule);
  const size = task.rule.buyQuantity + task.rule.getQuantity;
  for (const own of row) {
    // Whole sets of units that may only be bought are none, and leave the open set at the same place.
    const sets = Math.floor(own.units / size);
    open.add(own, own.units - sets * size, chunks);
    if (sets > 0 && mayGive(own)) chunks.push(setsOf(task.rule, own, sets));
  }
  const possible = chunks.filter(({ gain }) => gain > Number.NEGATIVE_INFINITY);
  const effect = row.reduce((sum, own) => sum + own.units * Math.max(0, own.effect), 0);
  return { bound: Math.min(effect, task.mostEffect), best: bestOfChunks(task, possible), table: undefined };
}

/** As many of these sets as gain most within the limit and the cap. */
function bestOfChunks({ mostSets, mostEffect }: SetTask, chunks: readonly Chunk[]): BestSets['best'] {
  const sorted = chunks.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
  let [setsLeft, gain, effect] = [mostSets, 0, 0];
  const taken = new Taken();
  for (const chunk of sorted) {
    if (setsLeft <= 0 || effect >= mostEffect) break;
    const untilFull = chunk.effect > 0 ? Math.ceil((mostEffect - effect) / chunk.effect) : chunk.sets;
    const sets = Math.min(chunk.sets, setsLeft, untilFull);
    const more = effect + sets * chunk.effect;
    const moreGain = sets * chunk.gain - Math.max(0, more - mostEffect);
    if (moreGain <= 0) continue;
    taken.add(chunk, sets);
    setsLeft -= sets;
    gain += moreGain;
    effect = Math.min(more, mostEffect);
  }
  return gain > 0 ? { ...taken.units(), gain } : undefined;
}

/** Adds up units of lines. */
class Taken {
  readonly #bought = new Map<number, number>();
  readonly #given = new Map<number, number>();

  add({ bought, given }: SetUnitsTaken, times: number): void {
    for (const { line, units } of bought) this.#bought.set(line, (this.#bought.get(line) ?? 0) + times * units);
    for (const { line, units } of given) this.#given.set(line, (this.#given.get(line) ?? 0) + times * units);
  }

  units(): SetUnitsTaken {
    return { bought: countsOf(this.#bought), given: countsOf(this.#given) };
  }
}

function countsOf(units: ReadonlyMap<number, number>): UnitCount[] {
  return [...units].map(([line, count]) => ({ line, units: count })).filter((count) => count.units > 0);
}
