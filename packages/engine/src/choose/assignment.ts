import { type AssignmentTask, Flow } from './flow.ts';

export interface Assignment {
  /** Units at `line * offers + offer`. The units of a line that are in no offer are left over. */
  readonly amounts: ArrayLike<number>;
  /**
   * What one more unit of an offer, or of a pool, would gain; 0 where some are left, and `Infinity` where there never were any.
   * With these prices the lines can be bounded one by one: the best gain of each line less the prices, and the prices of all
   * capacities, are together less than 1 above the gain of an optimal assignment.
   */
  readonly offerPrices: readonly number[];
  readonly poolPrices: readonly number[];
}

/**
 * The best assignment as far as the work reaches. `spend` is asked before work is done, with a number of elementary
 * operations, and answers false when there is no room for them.
 */
export function assignUnits(task: AssignmentTask, spend: (operations: number) => boolean): Assignment {
  const { units, capacities, gains, poolOf, poolCapacities } = task;
  const offers = capacities.length;
  // Every gain is weighed, compared twice and summed.
  const isAffordable = spend(4 * units.length * offers);
  const { scale, costs } = weighTies(task);
  const weighed = new Float64Array(units.length * offers);
  const most = new Float64Array(units.length);
  for (let at = 0; at < weighed.length; at++) {
    const line = Math.floor(at / offers);
    if (gains[at]! > 0) weighed[at] = gains[at]! * scale - costs[at % offers]!;
    most[line] = Math.max(most[line]!, weighed[at]!);
  }
  const flow = new Flow(task, weighed, spend);
  // Lines that gain most are dealt out first: those that come later then move fewer units of others. Of equals the first line.
  const order = [...units.keys()].sort((a, b) => most[b]! - most[a]!);
  const isOptimal = isAffordable && order.every((line) => flow.insert(line)) && flow.findWays();
  const priceAt = (node: number): number => (isOptimal ? flow.prices[node]! / scale : 0);
  const poolPrices = poolCapacities.map((_, pool) => priceAt(offers + 1 + pool));
  const offerPrices = poolOf.map((pool, offer) => {
    const inPool = pool === undefined ? 0 : poolPrices[pool]!;
    return inPool === Number.POSITIVE_INFINITY ? 0 : Math.max(0, priceAt(offer) - inPool);
  });
  return { amounts: flow.amounts, offerPrices, poolPrices };
}

/**
 * Makes one number of a gain and of what breaks ties, so that the gain decides first. Where the numbers would be too large to
 * be exact, ties are broken by the order of lines and offers alone.
 */
function weighTies({ units, gains, tieCosts }: AssignmentTask): { scale: number; costs: readonly number[] } {
  const total = units.reduce((sum, own) => sum + own, 0);
  let largest = 0;
  for (let at = 0; at < gains.length; at++) largest = Math.max(largest, gains[at]!);
  const scale = 1 + total * Math.max(0, ...tieCosts);
  if (largest * scale <= mostOfGains(tieCosts.length)) return { scale, costs: tieCosts };
  return { scale: 1, costs: tieCosts.map(() => 0) };
}

/** No gain may be larger: a path passes each of so many offers once at most, so the sums along it are exact. */
export function mostOfGains(offers: number): number {
  return Math.floor(Number.MAX_SAFE_INTEGER / (2 * (offers + 1)));
}
