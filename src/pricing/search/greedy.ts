import { maximumBundles, visitBundleUnits } from '../benefits/bundle-price.ts';
import { type BuyXGetYUnits, maximumTimes, selectUnits } from '../benefits/buy-x-get-y.ts';
import type { UnitCount } from '../unit-pool.ts';
import { type BundlePlan, type BuyXGetYPlan, type GroupPlan, MAX_TIMES } from './group-plan.ts';
import { bundleValue, givenValue } from './group-value.ts';
import { type GroupSearch, LINES_PER_STEP, timesAllowed } from './groups.ts';

/**
 * A good combination to begin with, so that the walk over all of them can leave most out: bundle by bundle the one that
 * brings most, then of every `buy_x_get_y` as many as bring most. What it brings is what it saves less what the lines can
 * no longer save by other benefits.
 */
export function tryGreedyGroups(search: GroupSearch, plan: GroupPlan, withBundles: boolean): void {
  const bundles = withBundles ? takeBundles(search, plan.bundles) : [];
  let saving = bundles.reduce((sum, { worth }) => sum + worth, 0);
  const undo: (() => void)[] = [];
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
  search.decideLines(saving);
  for (const putBack of undo.reverse()) putBack();
  for (const { plan: bundle, units } of bundles) search.putBack(bundle.offer, units);
}

/** As many applications as bring most with the units that are left; nothing when none brings anything. */
function bestTimes(search: GroupSearch, buyGet: BuyXGetYPlan): (BuyXGetYUnits & { worth: number }) | undefined {
  const { offer, rule, lines } = buyGet;
  const most = timesAllowed(offer, rule.getQuantity, maximumTimes(rule, lines, search.pool), search);
  let best: (BuyXGetYUnits & { worth: number }) | undefined;
  let bestGain = 0;
  for (let times = 1; times <= most && search.step(1 + lines.get.length / LINES_PER_STEP); times++) {
    const units = selectUnits(rule, lines, search.pool, times);
    const worth = givenValue(buyGet, units.given, search.problem, search.worthOfLine);
    if (worth === undefined || worth - search.lossOf(units.given) <= bestGain) continue;
    best = { ...units, worth };
    bestGain = worth - search.lossOf(units.given);
  }
  return best;
}

interface TakenBundles {
  readonly plan: BundlePlan;
  readonly times: number;
  readonly units: readonly UnitCount[];
  readonly worth: number;
  /** What the latest of them brought. */
  readonly gain: number;
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
  let stride = Math.ceil(Math.min(fitting, MAX_TIMES) / FIRST_STRIDES);
  while (stride >= 1) {
    let best: TakenBundles | undefined;
    let bestGain = 0;
    for (const plan of plans) {
      const candidate = drawMore(search, plan, taken.get(plan), stride);
      if (!candidate) continue;
      steps += candidate.units.length;
      const isOver = !search.step(candidate.units.length) || steps > search.maximumSteps * PART_OF_STEPS;
      if (isOver) return [...taken.values()];
      if (candidate.gain <= bestGain) continue;
      best = candidate;
      bestGain = candidate.gain;
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
function drawMore(
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
  const worth = bundleValue(plan, units, times, search.problem, search.worthOfLine);
  if (worth === undefined) return undefined;
  return { plan, times, units, worth, gain: worth - (before?.worth ?? 0) - search.lossOf(more) };
}

function merge(a: readonly UnitCount[], b: readonly UnitCount[]): UnitCount[] {
  const units = new Map<number, number>();
  for (const count of [...a, ...b]) units.set(count.line, (units.get(count.line) ?? 0) + count.units);
  return [...units].map(([line, count]) => ({ line, units: count }));
}
