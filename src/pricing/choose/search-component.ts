import type { LineTakes } from '../split.ts';
import { COST } from '../work.ts';
import { assignLimited } from './assign.ts';
import { climb } from './climb.ts';
import type { ComponentInput } from './component-input.ts';
import type { Component } from './components.ts';
import { Incumbent } from './incumbent.ts';
import type { LineOption } from './line-option.ts';
import { modelOf } from './make-model.ts';
import { findPrices, type Prices, withOptions } from './prices.ts';
import type { Problem } from './problem.ts';
import { dealAnew, dealsOf } from './deals.ts';
import { startsOf } from './starts.ts';
import { optionsOf, walk } from './walk.ts';

/** Chooses for the lines of one component: prices, a walk, and a climb where the walk had to leave ways out. */

/** So many of the best ends of a walk are judged; more where every way is kept. */
const ENDS_JUDGED = 16;
const MOST_WIDTH = 20_000;
/** The part of the work for the first walk. */
const PART_OF_WALK = 1 / 2;
const PART_OF_STARTS = 1 / 2;
const PART_OF_DEALS = 1 / 4;
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
  const free = model.options.map(freeOption);
  best.consider(free);
  const assigned = assignLimited(model, inputs, free, work);
  if (assigned) best.consider(assigned.options);
  if (best.value === undefined) best.consider(model.options.map((own) => own[0]!));
  const known = best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset;
  const prices = findPrices(model, Number.isFinite(known) ? known : 0, work, assigned?.ofSlot);
  let most = prices.most + model.slack + model.leftAside;
  const LOG = (name: string) => { if (process.env.DBG) console.log(name.padEnd(8), 'value', best.value! - offset, 'most', most.toFixed(0), 'spent', work.spent.toFixed(0), 'left', work.left.toFixed(0), 'opts', model.options.reduce((a, b) => a + b.length, 0), 'slots', model.couplings.capacities.length, 'lines', model.lines.length); };
  LOG('prices');
  const isComplete = model.leftAside === 0 && model.beyond.every((own) => own === undefined);
  const missed = (): number => {
    if (best.value === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, Math.floor(most + offset - best.value + TINY));
  };
  const target = (): number =>
    best.value === undefined ? Number.NEGATIVE_INFINITY : best.value - offset - model.slack;
  if (missed() === 0) return { takes: best.takes, mostMissed: 0 };
  const consider = (options: readonly LineOption[]): boolean => best.consider(options);
  const considerFormed = (options: readonly LineOption[]): boolean => {
    const isBetter = consider(options);
    const beside = assignLimited(model, inputs, options, work);
    return (beside !== undefined && consider(beside.options)) || isBetter;
  };
  const ranked = dealsOf({ model, inputs }, free, assigned?.options, prices, component.offers, considerFormed, consider);
  LOG('deals');
  if (missed() > 0)
    work.within(work.left * PART_OF_DEALS, () => dealAnew({ model, inputs }, free, ranked, best, consider));
  if (missed() === 0) return { takes: best.takes, mostMissed: 0 };
  LOG('anew');
  const starts = work.left === 0 ? [] : startsOf(model, component.offers);
  for (const [at, own] of starts.entries()) {
    const steps = (work.left * PART_OF_STARTS) / (starts.length - at);
    const { ends } = work.within(steps, () => {
      work.count(own.options.reduce((sum, options) => sum + options.length, 0) * COST.pricedOption);
      const gains = findPrices(own, Number.isFinite(known) ? known : 0, work);
      return walk({
        model: own,
        prices: gains,
        known: target() + model.slack,
        keepsAll: false,
        width: MOST_WIDTH,
        work,
      });
    });
    for (const label of ends.slice(0, 2)) best.consider(optionsOf(label));
  }
  LOG('starts');
  const first = work.within(work.left * PART_OF_WALK, () =>
    walk({ model, prices, known: target(), keepsAll: false, width: MOST_WIDTH, work }),
  );
  for (const label of first.ends.slice(0, ENDS_JUDGED)) {
    if (best.value !== undefined && label.value < target() - TINY) break;
    best.consider(optionsOf(label));
  }
  LOG('walk');
  const bestEnd = first.ends[0]?.value ?? Number.NEGATIVE_INFINITY;
  if (isComplete) most = Math.min(most, Math.max(bestEnd, first.mostLeftOut, known) + model.slack);
  if (isComplete && missed() > 0 && first.mostLeftOut === Number.NEGATIVE_INFINITY && work.left > 0) {
    const second = work.within(work.left * PART_OF_WALK, () =>
      walk({ model, prices, known: target(), keepsAll: true, width: MOST_WIDTH, work }),
    );
    let left = second.mostLeftOut;
    for (const label of second.ends) {
      if (best.value !== undefined && label.value < target() - TINY) break;
      if (work.left === 0) {
        left = Math.max(left, label.value);
        break;
      }
      best.consider(optionsOf(label));
    }
    if (best.value !== undefined) most = Math.min(most, Math.max(left + model.slack, best.value - offset));
  }
  LOG('second');
  if (missed() > 0 && work.left > 0) climb(model, prices, best, offset, work);
  LOG('climb');
  // Of lines of many units not every number is listed: those beside the best choice are, and it is chosen again.
  for (let round = 0; round < MOST_ROUNDS && missed() > 0 && work.left > 0; round++) {
    if (model.beyond.every((own) => own === undefined) || !refine(problem, component, input, best, prices)) break;
  }
  LOG('refine');
  return { takes: best.takes, mostMissed: missed() };
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
  const { model } = modelOf(problem, component, input, best.takes);
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
