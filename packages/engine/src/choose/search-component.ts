import type { LineTakes } from '../settle/split.ts';
import type { Work } from '../work.ts';
import type { Component, ComponentInput } from './components.ts';
import { searchCounts } from './counts.ts';
import { Dealing } from './dealing.ts';
import { Incumbent } from './incumbent.ts';
import { type Listed, listWays } from './listing.ts';
import { type Model, modelOf } from './model.ts';
import { findPrices, type Prices, pricesOnLine } from './prices.ts';
import type { Problem } from './problem.ts';
import { withCapped } from './spent-sums.ts';
import { valueOfLimits, type Walked, walk } from './walk.ts';

/** Chooses for the lines of one component: units are dealt out, priced, and then walked over with lists that grow. */

/** So many of the best ends of a walk are judged; more where every way is kept. */
const ENDS_JUDGED = 16;
/** More ways than these are not listed for a line; where there are few lines, for all of them. */
const MOST_WAYS = 240;
const MOST_OF_ALL_LINES = 3_000;
/** Parts of the work that is left. */
const PART = { ofFirstDealing: 1 / 2, ofPrices: 1 / 10, ofCounts: 3 / 4, ofListing: 1 / 2, ofEquals: 1 / 8 } as const;
/** The walks: so many times the ways are listed, with this part of the work. */
const WALKS = [
  { times: 1, part: 1 / 8 },
  { times: 1, part: 1 },
  { times: 3, part: 1 },
  { times: 9, part: 1 },
] as const;
/** So few lines are walked first, before prices are sought for longer than this. */
const FEW = { places: 8, steps: 200, stepsOfPrices: 6 } as const;
/** To look for choices that save the same where nothing can save more. */
const STEPS_FOR_EQUALS = 200;
const TINY = 1e-6;

export interface FoundInComponent {
  readonly takes: readonly LineTakes[];
  readonly mostMissed: number;
  /** What the judge says of it; undefined where it was not asked. */
  readonly value: number | undefined;
}

export function searchComponent(problem: Problem, component: Component, input: ComponentInput): FoundInComponent {
  const { work } = problem;
  const { offset } = input;
  // Nothing saves more than the lines cost.
  const price = (): number => component.lines.reduce((sum, i) => sum + problem.lines[i]!.incoming, 0);
  // What the lines choose by themselves is permitted.
  if (work.left === 0 && !input.drawn) return { takes: input.takes, mostMissed: price(), value: undefined };
  const model = modelOf(problem, component, input);
  const best = new Incumbent(model, input);
  best.consider(model.places.map((place) => place.alone));
  if (work.left === 0) return { takes: best.takes, mostMissed: price(), value: best.value };
  const dealing = new Dealing(model, work);
  const dealt = dealing.deal(new Map(), PART.ofFirstDealing);
  const first = dealt ?? withCapped(model, best.ways, work);
  if (first !== best.ways) best.consider(first);
  const known = (): number => (best.value === undefined ? 0 : best.value - offset);
  const priceWithin = (steps: number): Prices =>
    work.within(steps, () => findPrices(model, known(), work, dealing.ofSlot));
  const isFew = model.places.length <= FEW.places;
  let prices = priceWithin(isFew ? FEW.stepsOfPrices : work.left * PART.ofPrices);
  let most = prices.most;
  const missed = (): number => {
    if (best.value === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(most + model.slack + model.leftAside + offset - best.value + TINY));
  };
  const isOpen = (): boolean => missed() > 0 && work.left > 0;
  // Then what a choice saves differs from what its ways say by the slack at most, up or down.
  const isWithinSlack =
    !model.isBundleCut && !input.worth && !input.everyChoice && model.places.every(({ isBare }) => isBare);
  const unlisted = model.places.map(() => ({ ways: [], mostLeftOut: Number.POSITIVE_INFINITY }));
  let listed: readonly Listed[] = unlisted;
  let isWalked = false;
  /** True where no longer list would lead further. */
  const walkWith = ({ times, part }: (typeof WALKS)[number]): boolean => {
    isWalked = true;
    // Lists that left nothing out are as long as they may be.
    listed = listAll(model, prices, known() - model.slack, problem, times, listed);
    const walked = walkAll(model, prices, listed, best, offset, work, part, times, isWithinSlack);
    most = Math.min(most, walked.most);
    return walked.isDone;
  };
  if (isFew && isOpen()) {
    work.within(FEW.steps, () => walkWith(WALKS[1]));
    if (isOpen()) {
      prices = priceWithin(work.left * PART.ofPrices);
      most = Math.min(most, prices.most);
      listed = unlisted;
    }
  }
  if (isOpen())
    work.within(work.left * PART.ofCounts, () => searchCounts(model, dealing, best, offset, prices.average, work));
  for (const own of WALKS) if (!isOpen() || walkWith(own)) break;
  // Of choices that save the same another one may spare a limited benefit, or be the one that the operator prefers.
  if (!isWalked && best.value !== undefined)
    work.within(Math.min(STEPS_FOR_EQUALS, work.left * PART.ofEquals), () => walkWith(WALKS[1]));
  return { takes: best.takes, mostMissed: missed(), value: best.value };
}

/**
 * Per line the ways with which a choice may be better than what is known. What the ways of `before` gain, which were listed for
 * a choice that was worse, bounds each line more closely than its prices did.
 */
function listAll(
  model: Model,
  prices: Prices,
  known: number,
  { work }: Problem,
  times: number,
  before: readonly Listed[],
): readonly Listed[] {
  const { places, couplings } = model;
  const mostWays = times * Math.max(MOST_WAYS, Math.floor(MOST_OF_ALL_LINES / places.length));
  const limits = valueOfLimits(model, prices);
  const least = known - TINY * Math.max(1, Math.abs(known));
  const best = before.map((own, at) => Math.min(prices.best[at]!, mostListed(own)));
  const slack = best.reduce((sum, own) => sum + own, limits) - least;
  let open = before.filter(({ mostLeftOut }, at) => mostLeftOut >= best[at]! - slack).length;
  return before.map((own, at) => {
    const threshold = best[at]! - slack;
    const ways = own.ways.filter(({ gain }) => gain >= threshold);
    if (own.mostLeftOut < threshold) return { ...own, ways };
    const steps = (work.left * PART.ofListing) / open--;
    const onLine = pricesOnLine(couplings, at, prices.ofSlot, prices.ofSets);
    const next = work.within(steps, () => listWays(places[at]!, onLine, threshold, best[at]!, mostWays, work));
    // Too little work may be left to list what was listed before.
    return next.mostLeftOut < own.mostLeftOut ? next : { ...own, ways };
  });
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
  work: Work,
  part: number,
  times: number,
  isWithinSlack: boolean,
): { readonly most: number; readonly isDone: boolean } {
  const known = (): number => (best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset);
  const target = (): number => known() - model.slack;
  const walkOnce = (margin: number, part: number): Walked =>
    work.within(work.left * part, () => walk({ model, prices, listed, known: target(), margin, times, work }));
  const rejectedBefore = best.rejected;
  const first = walkOnce(0, part);
  for (const end of first.ends.slice(0, ENDS_JUDGED)) {
    if (end.value < target() - TINY) break;
    best.consider(end.ways());
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
  for (const end of second.ends) {
    if (end.value < target() - TINY) break;
    if (work.left === 0) {
      left = Math.max(left, end.value);
      break;
    }
    const { rejected } = best;
    best.consider(end.ways());
    // What leads to its state and saves less was left aside, and may be permitted.
    if (best.rejected > rejected && isNear) left = Math.max(left, end.value);
  }
  return { most: Math.min(most, Math.max(left, known() - model.slack)), isDone };
}
