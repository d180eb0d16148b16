import type { LineTakes } from '../settle/split.ts';
import type { Work } from '../work.ts';
import { assignLimited, type KnownGains } from './assign.ts';
import { countBundles } from './bundle-counts.ts';
import { climb } from './climb.ts';
import type { ComponentInput } from './component-input.ts';
import type { Component } from './components.ts';
import { dealAnew, dealsOf } from './deals.ts';
import { tableOf } from './hand.ts';
import { Incumbent } from './incumbent.ts';
import type { LineOption } from './line-option.ts';
import { modelOf } from './make-model.ts';
import type { Model } from './model.ts';
import { findPrices, type Prices, withOptions } from './prices.ts';
import type { Problem } from './problem.ts';
import { optionsOf, type Walked, walk } from './walk.ts';

/** Chooses for the lines of one component: prices, a walk, and a climb where the walk had to leave ways out. */

/** So many of the best ends of a walk are judged; more where every way is kept. */
const ENDS_JUDGED = 16;
const MOST_WIDTH = 20_000;
/** Parts of the work that is left. */
const PART_OF_PRICES = 1 / 4;
const PART_OF_FIRST_WALK = 1 / 8;
const PART_OF_DEALS = 1 / 4;
const PART_OF_CLIMB = 3 / 4;
const MOST_ROUNDS = 8;
const TINY = 1e-6;

export interface FoundInComponent {
  readonly takes: readonly LineTakes[];
  readonly mostMissed: number;
}

export function searchComponent(problem: Problem, component: Component, input: ComponentInput): FoundInComponent {
  const { work } = problem;
  const { offset } = input;
  const { model, inputs } = modelOf(problem, component, input);
  const best = new Incumbent(model.lines, input);
  const consider = (options: readonly LineOption[]): boolean => best.consider(options);
  const free = model.options.map(freeOption);
  consider(free);
  const gains: KnownGains = new Map();
  const assigned = assignLimited(model, inputs, free, gains, work);
  if (assigned) consider(assigned.options);
  if (best.value === undefined) consider(model.options.map((own) => own[0]!));
  const prices = work.within(work.left * PART_OF_PRICES, () =>
    findPrices(model, best.value === undefined ? 0 : best.value - offset, work, assigned?.ofSlot),
  );
  let most = prices.most + model.slack + model.leftAside;
  const missed = (): number => {
    if (best.value === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(most + offset - best.value + TINY));
  };
  const mayGoOn = (): boolean => missed() > 0 && work.left > 0;
  if (missed() === 0) return { takes: best.takes, mostMissed: 0 };
  /** Limited offers are dealt out beside bundles and sets. */
  const considerFormed = (options: readonly LineOption[]): boolean => {
    const isBetter = consider(options);
    if (work.left === 0) return isBetter;
    const beside = assignLimited(model, inputs, options, gains, work, 1);
    return (beside !== undefined && consider(beside.options)) || isBetter;
  };
  const table = tableOf(model, inputs, free);
  const ranked = dealsOf(table, assigned?.options, prices, component.offers, considerFormed, consider);
  const isComplete = model.leftAside === 0 && model.beyond.every((own) => own === undefined);
  const walkWith = (part: number): boolean => {
    const bound = walkAll(model, prices, best, offset, work, part);
    if (isComplete) most = Math.min(most, bound.most);
    return bound.isDone;
  };
  const isDone = missed() === 0 || walkWith(PART_OF_FIRST_WALK);
  if (mayGoOn() && !(isDone && isComplete)) {
    work.within(work.left * PART_OF_DEALS, () => countBundles(table, best, considerFormed));
    work.within(work.left * PART_OF_DEALS, () => dealAnew(table, ranked, best, considerFormed, consider));
    work.within(work.left * PART_OF_CLIMB, () => climb(model, prices, best, offset, work));
    if (mayGoOn() && isComplete) walkWith(1);
  }
  // Of lines of many units not every number is listed: those beside the best choice are, and it is chosen again.
  for (let round = 0; round < MOST_ROUNDS && mayGoOn(); round++) {
    if (model.beyond.every((own) => own === undefined) || !refine(problem, component, input, best, prices)) break;
  }
  return { takes: best.takes, mostMissed: missed() };
}

/** Walks over all lines with a part of the work. Done where no way was left out: then the bound is what the walk has met. */
function walkAll(
  model: Model,
  prices: Prices,
  best: Incumbent,
  offset: number,
  work: Work,
  part: number,
): { readonly most: number; readonly isDone: boolean } {
  const known = (): number => (best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset);
  const target = (): number => known() - model.slack;
  const walkOnce = (keepsAll: boolean): Walked =>
    work.within(work.left * part, () => walk({ model, prices, known: target(), keepsAll, width: MOST_WIDTH, work }));
  const first = walkOnce(false);
  for (const label of first.ends.slice(0, ENDS_JUDGED)) {
    if (label.value < target() - TINY) break;
    best.consider(optionsOf(label));
  }
  const met = first.ends[0]?.value ?? Number.NEGATIVE_INFINITY;
  const isDone = first.mostLeftOut === Number.NEGATIVE_INFINITY;
  const most = Math.max(met, first.mostLeftOut, known()) + model.slack;
  if (!isDone || most - known() < 1 || work.left === 0) return { most, isDone };
  // By rounding the judge may prefer any of the ways that lead to one state.
  const second = walkOnce(true);
  let left = second.mostLeftOut;
  for (const label of second.ends) {
    if (label.value < target() - TINY) break;
    if (work.left === 0) {
      left = Math.max(left, label.value);
      break;
    }
    best.consider(optionsOf(label));
  }
  return { most: Math.min(most, Math.max(left + model.slack, known())), isDone };
}

/** Chooses again among numbers of units beside those of the best choice. True where that is better. */
function refine(
  problem: Problem,
  component: Component,
  input: ComponentInput,
  best: Incumbent,
  prices: Prices,
): boolean {
  const { work } = problem;
  const { model } = modelOf(problem, component, input, best.options);
  const before = best.value!;
  const own = withOptions(prices, model);
  const { ends } = walk({ model, prices: own, known: before - input.offset, keepsAll: false, width: MOST_WIDTH, work });
  for (const label of ends.slice(0, 4)) best.consider(optionsOf(label));
  return best.value! > before;
}

/** The way that takes nothing which lines share and saves most. */
function freeOption(options: readonly LineOption[]): LineOption {
  let best: LineOption | undefined;
  for (const option of options) {
    const { slots, cut, sets, saving } = option;
    if (slots.length === 0 && cut.length === 0 && sets.length === 0 && (!best || saving > best.saving)) best = option;
  }
  return best ?? options[0]!;
}
