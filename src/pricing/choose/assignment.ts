import { AssignmentFlow, type FlowTask } from './assignment-flow.ts';

/**
 * Deals the units of lines out to offers that take a limited number of units each, so that all gains together are as large
 * as they can be: a transportation problem, solved exactly by minimum-cost flow. It knows no rule of a programme. It is given
 * whole numbers, reads no clock and counts its work, so the same task has the same result everywhere.
 */
export interface AssignmentTask extends FlowTask {
  /** Per offer a small whole number of at least 0. Of results with equal gains the one whose units cost least in sum is better. */
  readonly tieCosts: readonly number[];
}

export interface Assignment {
  /** Units at `line * offers + offer`. The units of a line that are in no offer are left over. */
  readonly amounts: ArrayLike<number>;
  /** The sum of the gains of all units that offers take. */
  readonly gain: number;
  /** No other way to deal the units out gains more. False where the work ran out; the amounts are permitted all the same. */
  readonly isOptimal: boolean;
  /**
   * What one more unit of an offer, or of a pool, would gain; 0 where some are left, and `Infinity` where there never were
   * any. With these prices the lines can be bounded
   * one by one: the best gain of each line less the prices, and the prices of all capacities, are together less than 1 above
   * the gain of an optimal assignment.
   */
  readonly offerPrices: readonly number[];
  readonly poolPrices: readonly number[];
}

/**
 * The best assignment as far as the work reaches. `spend` is asked before work is done, with a number of elementary
 * operations, and answers false when there is no room for them.
 */
export function assignUnits(task: AssignmentTask, spend: (operations: number) => boolean): Assignment {
  const lines = task.units.length;
  const offers = task.capacities.length;
  // Every gain is weighed, compared twice and summed.
  let isOptimal = spend(4 * lines * offers);
  const { scale, costs } = weighTies(task);
  const weighed = new Float64Array(lines * offers);
  for (let line = 0; line < lines; line++) {
    for (let offer = 0; offer < offers; offer++) {
      const gain = task.gains[line * offers + offer]!;
      weighed[line * offers + offer] = gain > 0 ? gain * scale - costs[offer]! : 0;
    }
  }
  const flow = new AssignmentFlow({ ...task, gains: weighed }, spend);
  for (const line of mostPromising(weighed, lines, offers)) isOptimal &&= flow.insert(line);
  isOptimal = isOptimal && flow.price();
  let gain = 0;
  for (let at = 0; at < weighed.length; at++) {
    if (flow.amounts[at]! > 0) gain += flow.amounts[at]! * task.gains[at]!;
  }
  const priceAt = (node: number): number => (isOptimal ? flow.prices[node]! / scale : 0);
  const poolPrices = task.poolCapacities.map((_, pool) => priceAt(offers + pool));
  return {
    amounts: flow.amounts,
    gain,
    isOptimal,
    offerPrices: task.poolOf.map((pool, offer) => {
      const inPool = pool === undefined ? 0 : poolPrices[pool]!;
      return inPool === Number.POSITIVE_INFINITY ? 0 : Math.max(0, priceAt(offer) - inPool);
    }),
    poolPrices,
  };
}

/** Lines that gain most are dealt out first: those that come later then move fewer units of others. Of equals the first line. */
function mostPromising(gains: Float64Array, lines: number, offers: number): number[] {
  const most = new Float64Array(lines);
  for (let line = 0; line < lines; line++) {
    for (let offer = 0; offer < offers; offer++) most[line] = Math.max(most[line]!, gains[line * offers + offer]!);
  }
  return Array.from(most, (_, line) => line).sort((a, b) => most[b]! - most[a]! || a - b);
}

/**
 * Makes one number of a gain and of what breaks ties, so that the gain decides first. Where the numbers would be too large to
 * be exact, ties are broken by the order of lines and offers alone.
 */
function weighTies({ units, gains, tieCosts }: AssignmentTask): { scale: number; costs: readonly number[] } {
  let total = 0;
  for (const own of units) total += own;
  let largest = 0;
  for (let at = 0; at < gains.length; at++) largest = Math.max(largest, gains[at]!);
  const scale = 1 + total * Math.max(0, ...tieCosts);
  // A path through the offers passes each of them once at most, so its length stays below this.
  const longest = largest * scale * 2 * (tieCosts.length + 1);
  if (longest <= Number.MAX_SAFE_INTEGER) return { scale, costs: tieCosts };
  return { scale: 1, costs: tieCosts.map(() => 0) };
}
