import type { LineTakes } from '../settle/split.ts';
import { assignLimited, type KnownGains } from './assign.ts';
import { countBundles } from './bundle-counts.ts';
import { climb } from './climb.ts';
import type { Component, ComponentInput } from './components.ts';
import { dealsOf } from './deals.ts';
import { Incumbent } from './incumbent.ts';
import { type Listed, listWays } from './listing.ts';
import { type Model, modelOf } from './model.ts';
import { findPrices, type Prices, pricesOnLine } from './prices.ts';
import type { Problem } from './problem.ts';
import { valueOfLimits, type Walked, walk, waysOf } from './walk.ts';
import type { Way } from './way.ts';

/** Chooses for the lines of one component: starts, prices, a walk, and a climb where the walk had to leave ways out. */

/** So many of the best ends of a walk are judged; more where every way is kept. */
const ENDS_JUDGED = 16;
const MOST_WIDTH = 20_000;
/** More ways than these are not listed for a line; where there are few lines, for all of them. */
const MOST_WAYS = 240;
const MOST_OF_ALL_LINES = 3_000;
/** Parts of the work that is left. */
const PART_OF_PRICES = 1 / 4;
const PART_OF_BUNDLES = 1 / 2;
const PART_OF_LISTING = 1 / 2;
/** Lists are made again where the lines together have so much of the slack less, and so often. */
const SHORTER = 50;
const MOST_PASSES = 4;
const MOST_ROUNDS = 3;
const LONGER = 3;
/** A line of a walk takes no more than one in so many parts of the work. */
const AHEAD = 6;
const PART_OF_FIRST_WALK = 1 / 8;
const PART_OF_CLIMB = 3 / 4;
const TINY = 1e-6;

export interface FoundInComponent {
  readonly takes: readonly LineTakes[];
  readonly mostMissed: number;
}

export function searchComponent(problem: Problem, component: Component, input: ComponentInput): FoundInComponent {
  const { work } = problem;
  const { offset } = input;
  if (work.left === 0 && !input.drawn) {
    // What the lines choose by themselves is permitted, and nothing saves more than they cost.
    const mostMissed = component.lines.reduce((sum, i) => sum + problem.lines[i]!.incoming, 0);
    return { takes: input.takes, mostMissed };
  }
  const model = modelOf(problem, component, input);
  const best = new Incumbent(model.places, input);
  const consider = (ways: readonly Way[]): boolean => best.consider(ways);
  const alone = model.places.map((place) => place.alone);
  consider(alone);
  const gains: KnownGains = new Map();
  const assigned = assignLimited(model, alone, gains, work);
  if (assigned) consider(assigned.ways);
  const known = (): number => (best.value === undefined ? 0 : best.value - offset);
  const prices = work.within(work.left * PART_OF_PRICES, () => findPrices(model, known(), work, assigned?.ofSlot));
  let most = prices.most;
  const missed = (): number => {
    if (best.value === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(most + model.slack + model.leftAside + offset - best.value + TINY));
  };
  if (missed() === 0 || work.left === 0) return { takes: best.takes, mostMissed: missed() };
  /** Limited offers are dealt out beside bundles and sets. */
  const considerFormed = (ways: readonly Way[]): boolean => {
    const isBetter = consider(ways);
    if (work.left === 0) return isBetter;
    const beside = assignLimited(model, ways, gains, work, 1);
    return (beside !== undefined && consider(beside.ways)) || isBetter;
  };
  dealsOf(model, alone, assigned?.ways, prices, considerFormed, consider, work);
  if (missed() > 0) work.within(work.left * PART_OF_BUNDLES, () => countBundles(model, best, gains, consider, work));
  if (missed() === 0 || work.left === 0) return { takes: best.takes, mostMissed: missed() };
  let listed = listAll(model, prices, known() - model.slack, problem);
  // Then what a choice saves differs from what its ways say by the slack at most, up or down.
  const isWithinSlack = !input.worth && !input.everyChoice && model.places.every(({ isBare }) => isBare);
  const walkWith = (part: number, ahead: number): boolean => {
    const bound = walkAll(model, prices, listed, best, offset, problem, part, ahead, isWithinSlack);
    most = Math.min(most, bound.most);
    return bound.isDone;
  };
  if (walkWith(PART_OF_FIRST_WALK, AHEAD) || missed() === 0 || work.left === 0)
    return { takes: best.takes, mostMissed: missed() };
  work.within(work.left * PART_OF_CLIMB, () => climb(model, prices, listed, best, offset, work));
  // What is left of the work goes to longer lists, as long as the last ones left something out.
  for (let round = 0; round < MOST_ROUNDS && missed() > 0 && work.left > 0; round++) {
    listed = listAll(model, prices, known() - model.slack, problem, LONGER ** round, listed);
    if (walkWith(1, Math.ceil(AHEAD / LONGER ** round))) break;
  }
  return { takes: best.takes, mostMissed: missed() };
}

/**
 * Per line the ways with which a choice may be better than what is known. What the listed ways gain bounds each line more
 * closely than its prices did, so the lists are made shorter as long as that helps; `before` are lists for a choice that was worse.
 */
function listAll(
  model: Model,
  prices: Prices,
  known: number,
  { work }: Problem,
  times = 1,
  before?: readonly Listed[],
): readonly Listed[] {
  const { places, couplings } = model;
  const mostWays = times * Math.max(MOST_WAYS, Math.floor(MOST_OF_ALL_LINES / places.length));
  const limits = valueOfLimits(model, prices);
  const least = known - TINY * Math.max(1, Math.abs(known));
  let listed = before ?? places.map((): Listed => ({ ways: [], mostLeftOut: Number.POSITIVE_INFINITY }));
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const best = listed.map((own, at) => Math.min(prices.best[at]!, mostListed(own)));
    const slack = best.reduce((sum, own) => sum + own, limits) - least;
    let open = listed.filter(({ mostLeftOut }, at) => mostLeftOut >= best[at]! - slack).length;
    listed = listed.map((own, at) => {
      const threshold = best[at]! - slack;
      const ways = own.ways.filter(({ gain }) => gain >= threshold);
      if (own.mostLeftOut < threshold) return { ...own, ways };
      const steps = (work.left * PART_OF_LISTING) / open--;
      const onLine = pricesOnLine(couplings, at, prices.ofSlot, prices.ofSets);
      const next = work.within(steps, () => listWays(places[at]!, onLine, threshold, best[at]!, mostWays, work));
      // Too little work may be left to list what was listed before.
      return next.mostLeftOut < own.mostLeftOut ? next : { ...own, ways };
    });
    if (listed.every((own, at) => mostListed(own) > best[at]! - slack / SHORTER)) break;
  }
  return listed;
}

function mostListed({ ways, mostLeftOut }: Listed): number {
  return Math.max(ways[0]?.gain ?? Number.NEGATIVE_INFINITY, mostLeftOut);
}

/** Walks over all lines with a part of the work. Done where no way was left out: then the bound is what the walk has met. */
function walkAll(
  model: Model,
  prices: Prices,
  listed: readonly Listed[],
  best: Incumbent,
  offset: number,
  { work }: Problem,
  part: number,
  ahead: number,
  isWithinSlack: boolean,
): { readonly most: number; readonly isDone: boolean } {
  const known = (): number => (best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset);
  const target = (): number => known() - model.slack;
  const walkOnce = (margin: number, part: number): Walked =>
    work.within(work.left * part, () =>
      walk({ model, prices, listed, known: target(), margin, width: MOST_WIDTH, ahead, work }),
    );
  const rejectedBefore = best.rejected;
  const first = walkOnce(0, part);
  for (const label of first.ends.slice(0, ENDS_JUDGED)) {
    if (label.value < target() - TINY) break;
    best.consider(waysOf(label));
  }
  const met = first.ends[0]?.value ?? Number.NEGATIVE_INFINITY;
  const isDone = first.mostLeftOut === Number.NEGATIVE_INFINITY;
  const most = Math.max(met, first.mostLeftOut, known() - model.slack);
  if (!isDone || most + model.slack - known() < 1 || work.left === 0) return { most, isDone };
  // By rounding the judge may prefer any of the ways that lead to one state. Nothing else is left to be looked at.
  // Or it has rejected the one that saves most: then any other may be the one that is permitted.
  const isNear = isWithinSlack && best.rejected === rejectedBefore;
  const margin = isNear ? 2 * model.slack : Number.POSITIVE_INFINITY;
  const second = walkOnce(margin, 1);
  let left = second.mostLeftOut;
  for (const label of second.ends) {
    if (label.value < target() - TINY) break;
    if (work.left === 0) {
      left = Math.max(left, label.value);
      break;
    }
    const { rejected } = best;
    best.consider(waysOf(label));
    // What leads to its state and saves less was left aside, and may be permitted.
    if (best.rejected > rejected && isNear) left = Math.max(left, label.value);
  }
  return { most: Math.min(most, Math.max(left, known() - model.slack)), isDone };
}
