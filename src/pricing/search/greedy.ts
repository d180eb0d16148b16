import type { UnitCount } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { maximumBundles, visitBundleUnits } from './bundle-units.ts';
import { type BuyGetUnits, maximumTimes, selectUnits } from './buy-get-units.ts';
import { type BundlePlan, type BuyGetPlan, type GroupPlan, MAX_TIMES } from './group-plan.ts';
import { bundleValue, givenValue } from './group-value.ts';
import { type GroupSearch, timesAllowed, timesTried } from './groups.ts';

/**
 * Looks for a good combination to begin with, so that the walk over all of them can leave most out: bundle by bundle the
 * one that brings most, then of every buy-get offer as many as bring most. A group brings its saving, less the saving that
 * its lines lose with other benefits.
 */
export function tryGreedyGroups(search: GroupSearch, plan: GroupPlan, withBundles: boolean): void {
  let bundles: readonly TakenBundles[] = [];
  if (withBundles) {
    search.within(PART_OF_STEPS, () => {
      bundles = takeBundles(search, plan.bundles);
    });
  }
  let saving = bundles.reduce((sum, { worth }) => sum + worth, 0);
  const undo: (() => void)[] = [];
  search.within(PART_OF_STEPS, () => {
    for (const buyGet of plan.buyGets) {
      const best = bestTimes(search, buyGet);
      if (!best) continue;
      const { offer } = buyGet;
      search.pool.buy(best.bought);
      search.take(offer, best.given);
      saving += best.worth;
      undo.push(() => {
        search.putBack(offer, best.given);
        search.pool.unbuy(best.bought);
      });
    }
  });
  search.decideLines(saving);
  for (const putBack of undo.reverse()) putBack();
  for (const { plan: bundle, units } of bundles) search.putBack(bundle.offer, units);
}

/** So much of all steps each half of the beginning takes at most. */
const PART_OF_STEPS = 1 / 2;

/** The number of applications that brings most with the units left. Undefined when no number brings anything. */
function bestTimes(search: GroupSearch, buyGet: BuyGetPlan): (BuyGetUnits & { worth: number }) | undefined {
  const { offer, rule, lines } = buyGet;
  let best: (BuyGetUnits & { worth: number }) | undefined;
  let bestGain = 0;
  if (!search.step(buyGet.steps)) return undefined;
  const tried = timesTried(offer, rule.getQuantity, maximumTimes(rule, lines, search.pool), search);
  for (const times of tried.reverse()) {
    if (!search.step(buyGet.steps)) break;
    const units = selectUnits(rule, lines, search.pool, times);
    const worth = givenValue(buyGet, units.given, search.problem, search.worthOfLine);
    search.step((units.bought.length + units.given.length) * COST.groupedLine);
    if (worth === undefined || !search.mayTake(units.given)) continue;
    const gain = worth - search.lossOf(units.given);
    if (gain <= bestGain) continue;
    best = { ...units, worth };
    bestGain = gain;
  }
  return best;
}

interface TakenBundles {
  readonly plan: BundlePlan;
  readonly times: number;
  readonly units: readonly UnitCount[];
  readonly worth: number;
  /** How much the latest of them brought. */
  readonly gain: number;
}

/** Where many bundles fit, the first ones are taken so many at once. */
const FIRST_STRIDES = 4;

/**
 * Takes bundles while they bring something. A benefit takes its units together, whatever their number. The gain
 * of a bundle shrinks while units are taken, so the one that seemed best is drawn again before it is taken.
 */
function takeBundles(search: GroupSearch, plans: readonly BundlePlan[]): TakenBundles[] {
  const taken = new Map<BundlePlan, TakenBundles>();
  const fitting = Math.max(0, ...plans.map(({ rule, lines }) => maximumBundles(rule, lines, search.pool)));
  let stride = Math.ceil(Math.min(fitting, MAX_TIMES) / FIRST_STRIDES);
  while (stride >= 1) {
    const gains = new Map<BundlePlan, number>(plans.map((plan) => [plan, Number.POSITIVE_INFINITY]));
    for (;;) {
      const [plan, next] = largestGains(gains);
      if (!plan) break;
      if (!search.step(plan.steps)) return [...taken.values()];
      const candidate = drawMore(search, plan, taken.get(plan), stride);
      const gain = candidate?.gain ?? 0;
      gains.set(plan, gain);
      if (!candidate || gain <= 0 || gain < next) continue;
      const before = taken.get(plan);
      if (before) search.putBack(plan.offer, before.units);
      search.take(plan.offer, candidate.units);
      taken.set(plan, candidate);
    }
    stride = stride === 1 ? 0 : Math.ceil(stride / FIRST_STRIDES);
  }
  return [...taken.values()];
}

/** The plan that is said to bring most, if any brings something, and what the next one is said to bring. */
function largestGains(gains: ReadonlyMap<BundlePlan, number>): [BundlePlan | undefined, number] {
  let best: BundlePlan | undefined;
  let [most, next] = [0, 0];
  for (const [plan, gain] of gains) {
    if (gain > most) [best, most, next] = [plan, gain, most];
    else if (gain > next) next = gain;
  }
  return [best, next];
}

/** Where items compete for the same lines, the first full draw may be far down the walk; a start is not worth more. */
const MAX_DRAW_TURNS = 500;

/** The bundles of a benefit with `stride` more, in the most promising units that are left. */
function drawMore(
  search: GroupSearch,
  plan: BundlePlan,
  before: TakenBundles | undefined,
  stride: number,
): TakenBundles | undefined {
  const { offer, rule } = plan;
  const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
  const times = (before?.times ?? 0) + stride;
  if (timesAllowed(offer, perBundle, times, search) < times) return undefined;
  let more: readonly UnitCount[] | undefined;
  let turns = 0;
  const spend = (steps: number): boolean => {
    turns += 1;
    return search.step(steps) && turns <= MAX_DRAW_TURNS;
  };
  visitBundleUnits(plan, search.pool, stride, spend, (units) => {
    more = units;
    return false;
  });
  if (!more || !search.mayTake(more)) return undefined;
  const units = merge(before?.units ?? [], more);
  search.step((units.length + more.length) * COST.groupedLine);
  const worth = bundleValue(plan, units, times, search.problem, search.worthOfLine);
  if (worth === undefined) return undefined;
  return { plan, times, units, worth, gain: worth - (before?.worth ?? 0) - search.lossOf(more) };
}

function merge(a: readonly UnitCount[], b: readonly UnitCount[]): UnitCount[] {
  const units = new Map<number, number>();
  for (const count of [...a, ...b]) units.set(count.line, (units.get(count.line) ?? 0) + count.units);
  return [...units].map(([line, count]) => ({ line, units: count }));
}
