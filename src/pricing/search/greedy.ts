import type { UnitCount } from '../unit-pool.ts';
import { COST } from '../work.ts';
import { maximumBundles, visitBundleUnits } from './bundle-units.ts';
import { type BundlePlan, type GroupPlan, MAX_TIMES } from './group-plan.ts';
import { bundleValue, givenValue } from './group-value.ts';
import {
  cheapestUnits,
  type GroupSearch,
  goneUnits,
  mergeCounts,
  putBackSets,
  takeSets,
  timesAllowed,
} from './groups.ts';
import { bestSetsOf, type SetPlan } from './set-plan.ts';
import type { BestSets, SetUnitsTaken } from './set-task.ts';

/** What is known of the sets while no unit is taken. */
type Found = ReadonlyMap<SetPlan, BestSets>;

/** All beginnings with the sets of another offer take at most this part of all steps. */
const PART_FOR_OTHERS = 1 / 8;

/**
 * Looks for a good combination to begin with, so that the walk over all of them can leave most out: bundle by bundle the
 * one that brings most, then of every buy-get offer as many as bring most. A group brings its saving, less the saving that
 * its lines lose with other benefits. Where several offers form sets, each is tried as the one that forms them first.
 */
export function tryGreedyGroups(search: GroupSearch, plan: GroupPlan, found: Found): void {
  const { bundles, sets, buyGets } = plan;
  tryGroups(search, plan, found, { withBundles: true });
  if (bundles.length > 0 && sets.length + buyGets.length > 0) tryGroups(search, plan, found, { withBundles: false });
  const [, ...others] = sets.filter((own) => found.get(own)?.best).sort((a, b) => gainOf(b, found) - gainOf(a, found));
  search.within(PART_FOR_OTHERS, () => {
    for (const first of others) tryGroups(search, plan, found, { withBundles: false, first });
  });
}

function gainOf(plan: SetPlan, found: Found): number {
  const known = found.get(plan);
  return known ? (known.best?.gain ?? 0) : Number.POSITIVE_INFINITY;
}

interface Beginning {
  readonly withBundles: boolean;
  /** The offer that forms its sets first; without, the one whose sets gain most. */
  readonly first?: SetPlan;
}

function tryGroups(search: GroupSearch, plan: GroupPlan, found: Found, { withBundles, first }: Beginning): void {
  let bundles: readonly TakenBundles[] = [];
  if (withBundles && plan.bundles.length > 0) {
    search.within(plan.sets.length > 0 ? PART_FOR_SETS : PART_OF_STEPS, () => {
      bundles = takeBundles(search, plan.bundles);
    });
  }
  let saving = bundles.reduce((sum, { worth }) => sum + worth, 0);
  const undo: (() => void)[] = [];
  const take = (own: Pick<SetPlan, 'offer' | 'rule'>, units: SetUnitsTaken, worth: number): void => {
    takeSets(search, own, units);
    saving += worth;
    undo.push(() => putBackSets(search, own, units));
  };
  search.within(plan.sets.length > 0 ? PART_FOR_SETS : PART_OF_STEPS, () => {
    const known = bundles.length === 0 ? found : NOTHING_FOUND;
    takeBestSets(search, plan.sets, known, first, take);
    for (const buyGet of plan.buyGets) {
      const units = cheapestUnits(search, buyGet);
      const worth = units && givenValue(buyGet, units.given, search.problem, search.worthOfLine);
      if (worth === undefined || !search.mayTake(buyGet.offer, units!.given)) continue;
      if (worth > search.lossOf(goneUnits(buyGet.rule, units!))) take(buyGet, units!, worth);
    }
  });
  search.decideLines(saving);
  for (const putBack of undo.reverse()) putBack();
  for (const { plan: bundle, units } of bundles) search.putBack(bundle.offer, units);
}

/** So much of all steps each half of the beginning takes at most. */
const PART_OF_STEPS = 1 / 2;

/** Less where sets are formed, because their bounds have taken steps before. */
const PART_FOR_SETS = 1 / 4;

const NOTHING_FOUND: Found = new Map();

/** Sets of one offer that are to be taken. */
interface Candidate {
  readonly plan: SetPlan;
  readonly units: NonNullable<BestSets['best']>;
}

/**
 * Forms the sets of `first`, then always those that gain most. Sets that were taken leave fewer units to the others, so those
 * are asked again. `found` is what was found with all units.
 */
function takeBestSets(
  search: GroupSearch,
  plans: readonly SetPlan[],
  found: Found,
  first: SetPlan | undefined,
  take: (plan: SetPlan, units: SetUnitsTaken, worth: number) => void,
): void {
  const gains = new Map<SetPlan, number>(plans.map((plan) => [plan, gainOf(plan, found)]));
  let isUntouched = true;
  const takeIfWorth = ({ plan, units }: Candidate): void => {
    gains.delete(plan);
    const worth = givenValue(plan, units.given, search.problem, search.worthOfLine);
    search.step((units.bought.length + units.given.length) * COST.formedLine);
    if (worth === undefined || !search.mayTake(plan.offer, units.given)) return;
    take(plan, units, worth);
    isUntouched = false;
  };
  const known = first && found.get(first)?.best;
  if (known) takeIfWorth({ plan: first, units: known });
  /** The best sets that were asked for since some were taken: where no steps are left to ask for more, they will do. */
  let candidate: Candidate | undefined;
  for (;;) {
    const [plan, next] = largestGains(gains);
    if (!plan) return;
    const best = (isUntouched && found.get(plan)) || bestSetsOf(plan, search);
    if (best) {
      const units = best.best;
      gains.set(plan, units?.gain ?? 0);
      if (units && units.gain > (candidate?.units.gain ?? 0)) candidate = { plan, units };
      if (!units || units.gain < next) continue;
    }
    if (!candidate) return;
    takeIfWorth(candidate);
    candidate = undefined;
    if (!best) return;
  }
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
function largestGains<Plan>(gains: ReadonlyMap<Plan, number>): [Plan | undefined, number] {
  let best: Plan | undefined;
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
  if (!more || !search.mayTake(offer, more)) return undefined;
  const units = mergeCounts(before?.units ?? [], more);
  search.step((units.length + more.length) * COST.groupedLine);
  const worth = bundleValue(plan, units, times, search.problem, search.worthOfLine);
  if (worth === undefined) return undefined;
  return { plan, times, units, worth, gain: worth - (before?.worth ?? 0) - search.lossOf(more) };
}
