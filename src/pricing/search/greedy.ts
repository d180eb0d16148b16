import { maximumBundles, visitBundleUnits } from '../benefits/bundle-price.ts';
import { maximumTimes, selectUnits } from '../benefits/buy-x-get-y.ts';
import { bundleDiscount } from '../settle.ts';
import type { UnitCount } from '../unit-pool.ts';
import { type BundlePlan, type GroupPlan, MAX_TIMES } from './group-plan.ts';
import { type GroupSearch, givenValue, mostWorth, priceOf, timesAllowed } from './groups.ts';

/**
 * A good combination to begin with, so that the walk over all of them can leave most out: bundle by bundle the one that
 * brings most, then of every `buy_x_get_y` as many as bring most. What it brings is what it saves less what the lines can
 * no longer save by other benefits.
 */
export function tryGreedyGroups(search: GroupSearch, plan: GroupPlan, withBundles: boolean): void {
  const bundles = withBundles ? takeBundles(search, plan.bundles) : [];
  let saving = bundles.reduce((sum, { worth }) => sum + worth, 0);
  const undo: (() => void)[] = [];
  for (const { offer, rule, lines, ...rest } of plan.buyGets) {
    const most = timesAllowed(offer, rule.getQuantity, maximumTimes(rule, lines, search.pool), search);
    let best = { times: 0, value: search.linesValue(), worth: 0 };
    const tryTimes = (times: number): (() => void) => {
      const { bought, given } = selectUnits(rule, lines, search.pool, times);
      search.pool.buy(bought);
      search.take(offer, given);
      const worth = givenValue({ offer, rule, lines, ...rest }, given, search);
      const value = search.linesValue() + worth;
      if (value > best.value) best = { times, value, worth };
      return () => {
        search.putBack(offer, given);
        search.pool.unbuy(bought);
      };
    };
    for (let times = 1; times <= most && search.step(lines.get.length); times++) tryTimes(times)();
    if (best.times === 0) continue;
    saving += best.worth;
    undo.push(tryTimes(best.times));
  }
  search.decideLines(saving);
  for (const putBack of undo.reverse()) putBack();
  for (const { plan: bundle, units } of bundles.reverse()) search.putBack(bundle.offer, units);
}

interface TakenBundles {
  readonly plan: BundlePlan;
  readonly times: number;
  readonly units: readonly UnitCount[];
  readonly worth: number;
}

/** So many steps at least are left to decide the lines and to look at other combinations. */
const PART_OF_STEPS = 1 / 4;
/** Where many bundles fit, the first ones are taken so many at once. */
const FIRST_STRIDES = 4;

/** Takes bundles while they bring something. A benefit takes its units together, whatever their number. */
function takeBundles(search: GroupSearch, plans: readonly BundlePlan[]): TakenBundles[] {
  const taken = new Map<BundlePlan, TakenBundles>();
  const fitting = Math.max(0, ...plans.map(({ rule, lines }) => maximumBundles(rule, lines, search.pool)));
  let steps = 0;
  for (let stride = Math.max(1, Math.ceil(Math.min(fitting, MAX_TIMES) / FIRST_STRIDES)); stride >= 1; ) {
    let best: TakenBundles | undefined;
    let bestValue = search.linesValue() + total(taken);
    for (const plan of plans) {
      const before = taken.get(plan);
      const candidate = take(search, plan, before, stride);
      if (!candidate) continue;
      steps += candidate.units.length;
      if (!search.step(candidate.units.length) || steps > search.maximumSteps * PART_OF_STEPS)
        return [...taken.values()];
      if (before) search.putBack(plan.offer, before.units);
      search.take(plan.offer, candidate.units);
      const value = search.linesValue() + total(taken) - (before?.worth ?? 0) + candidate.worth;
      search.putBack(plan.offer, candidate.units);
      if (before) search.take(plan.offer, before.units);
      if (value <= bestValue) continue;
      best = candidate;
      bestValue = value;
    }
    if (!best) {
      stride = stride === 1 ? 0 : Math.ceil(stride / FIRST_STRIDES);
      continue;
    }
    const before = taken.get(best.plan);
    if (before) search.putBack(best.plan.offer, before.units);
    search.take(best.plan.offer, best.units);
    taken.set(best.plan, best);
  }
  return [...taken.values()];
}

/** Where items compete for the same lines, the first full draw may be far down the walk; a start is not worth more. */
const MAX_DRAW_TURNS = 500;

/** The bundles of a benefit with `stride` more, in the most promising units that are left. */
function take(
  search: GroupSearch,
  plan: BundlePlan,
  before: TakenBundles | undefined,
  stride: number,
): TakenBundles | undefined {
  const { offer, rule, lines } = plan;
  const perBundle = rule.quantities.reduce((sum, quantity) => sum + quantity, 0);
  const times = (before?.times ?? 0) + stride;
  if (timesAllowed(offer, perBundle, times, search) < times) return undefined;
  let more: readonly UnitCount[] | undefined;
  let turns = 0;
  const spend = (steps: number): boolean => {
    turns += steps;
    return turns <= MAX_DRAW_TURNS;
  };
  visitBundleUnits(rule, lines, search.pool, stride, spend, (units) => {
    more = units;
    return false;
  });
  if (!more) return undefined;
  const units = merge(before?.units ?? [], more);
  const discount = bundleDiscount(offer, priceOf(units, search.problem), times * perBundle);
  return discount <= 0 ? undefined : { plan, times, units, worth: discount * mostWorth(units, search) };
}

function merge(a: readonly UnitCount[], b: readonly UnitCount[]): UnitCount[] {
  const units = new Map<number, number>();
  for (const count of [...a, ...b]) units.set(count.line, (units.get(count.line) ?? 0) + count.units);
  return [...units].map(([line, count]) => ({ line, units: count }));
}

function total(taken: ReadonlyMap<BundlePlan, TakenBundles>): number {
  let worth = 0;
  for (const bundles of taken.values()) worth += bundles.worth;
  return worth;
}
