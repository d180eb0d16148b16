import type { LineTakes, Take } from '../split.ts';
import { COST } from '../work.ts';
import type { Budgets } from './budgets.ts';
import type { Evaluator, PartEvaluator } from './evaluator.ts';
import { fillLines } from './fill-lines.ts';
import type { Incumbent } from './incumbent.ts';
import type { LineOptions } from './line-options.ts';
import type { Option } from './option.ts';
import { sortTakes } from './options.ts';
import type { Problem } from './problem.ts';
import { countTakes, type UseCounter } from './uses.ts';

/** The lines that are decided, and all that changes while groups take units of them. */
export interface LineWalkTask {
  readonly problem: Problem;
  readonly lines: readonly number[];
  /** The takes of all other lines. */
  readonly base: readonly LineTakes[];
  readonly worthOfLine: readonly number[];
  /** Per line the units that no group has taken, and what groups have. */
  readonly open: readonly number[];
  readonly grouped: readonly (readonly Take[])[];
  /** Per line the units that were bought and belong to their offers. */
  readonly bought: readonly LineTakes['bought'][];
  readonly uses: UseCounter;
  readonly budgets: Budgets;
  readonly options: LineOptions;
  readonly evaluator: Evaluator;
  readonly incumbent: Incumbent;
}

/** A line to be decided: its options, the most promising first, and the bound it is counted with until then. */
interface OpenLine {
  readonly index: number;
  readonly options: readonly Option[];
  readonly bound: number;
}

/** Walks over the ways to decide lines of which groups have taken what they take. */
export class LineWalk {
  readonly #task: LineWalkTask;
  readonly #chosen: Option[] = [];
  /** Some line may be dealt out in more ways than are listed. */
  readonly #hasManyDeals: boolean;
  #open: OpenLine[] = [];
  /** The savings of all groups are known to the unit. */
  #isExact = false;
  #isComplete = true;

  constructor(task: LineWalkTask) {
    this.#task = task;
    const { problem, lines, options } = task;
    this.#hasManyDeals = problem.budgeted.length > 0 && lines.some((line) => !options.isSmall(line));
  }

  /**
   * Offers every way that may be best to the incumbent. `value` bounds what any of them saves, `saved` is what groups save,
   * to the unit where `isExact`. False when some were left out.
   */
  decide(value: number, saved: number, isExact: boolean): boolean {
    this.#isComplete = true;
    this.#isExact = isExact && !this.#task.problem.sharesMoney && !this.#task.problem.capsUnits;
    this.#open = [];
    if (this.#hasManyDeals) this.fill();
    this.#decideLine(0, value, saved);
    return this.#isComplete;
  }

  /** Tries one good way to decide the lines: where budgets are short, the walk may be long in coming to it. */
  fill(): void {
    if (this.#task.problem.budgeted.length === 0) return;
    const takes = fillLines(this.#task);
    if (takes) this.#evaluate(takes, countTakes(takes, this.#task.problem.lines));
  }

  /** `value` bounds what any way to go on from here saves; `saved` is what has been decided so far. */
  #decideLine(at: number, value: number, saved: number): void {
    const { lines, worthOfLine, uses, budgets, incumbent } = this.#task;
    if (at === lines.length) return this.#finish(saved);
    const open = this.#open[at] ?? this.#openLine(lines[at]!);
    this.#open[at] = open;
    const { index, options, bound } = open;
    const worth = worthOfLine[index]!;
    for (const option of options) {
      // Options come in the order of their value, so none after this one can do better.
      if (incumbent.isBetterThan(value - bound + option.value)) return;
      if (!this.#step(COST.triedOption * (1 + option.spending.length))) return;
      if (!budgets.spend(option.spending)) continue;
      // Until now these budgets were counted at their price, in the line's bound and in the value left of the budgets.
      const saving = option.saving - budgets.cut;
      const next = value - bound + worth * saving - budgets.price;
      for (const { offer, units } of option.limited) uses.add(offer, units);
      if (incumbent.canImprove(next, uses.total)) {
        this.#chosen[at] = option;
        this.#decideLine(at + 1, next, saved + worth * saving);
      }
      for (const { offer, units } of option.limited) uses.remove(offer, units);
      budgets.restore(option.spending);
    }
  }

  #openLine(index: number): OpenLine {
    const { open, grouped, bought, options: lineOptions } = this.#task;
    const units = open[index]!;
    const { options, isComplete } = lineOptions.optionsOf(index, units, grouped[index]!, bought[index]!);
    if (!isComplete) this.#isComplete = false;
    return { index, options, bound: lineOptions.boundOf(index, units) };
  }

  /** Every line is decided. Without order-level benefits the savings add up; otherwise the whole has to be computed. */
  #finish(saved: number): void {
    const { problem, base, grouped, bought, uses, evaluator, incumbent } = this.#task;
    const { orders } = problem;
    const isExact = orders.length === 0 && this.#isExact;
    const known = { orders, total: evaluator.totalWithoutEffects - saved, uses: uses.total };
    if (isExact && !incumbent.isBeatenBy(known)) return;
    this.#step(base.length * COST.listedLine);
    const takes = [...base];
    this.#open.forEach(({ index }, at) => {
      const { taken, rest } = this.#chosen[at]!;
      takes[index] = { taken: sortTakes([...grouped[index]!, ...taken]), bought: [...bought[index]!], rest };
    });
    if (isExact) incumbent.offer({ ...known, takes });
    else if (evaluator.some && !problem.sharesMoney) this.#evaluateGrouped(takes, evaluator.some);
    else this.#evaluate(takes, uses.total);
  }

  /** Computes the lines of which groups have taken units; what the others save their options say. */
  #evaluateGrouped(takes: readonly LineTakes[], some: PartEvaluator): void {
    const { problem, lines, grouped, bought, worthOfLine, uses, incumbent } = this.#task;
    const isGrouped = (line: number): boolean => grouped[line]!.length > 0 || bought[line]!.length > 0;
    const own = lines.filter(isGrouped);
    if (!this.#step(some.stepsOf(own, takes)) && incumbent.best) return;
    let total = some.totalOf(own, takes);
    if (total === undefined) return;
    for (const [at, { index }] of this.#open.entries()) {
      if (isGrouped(index)) continue;
      total += worthOfLine[index]! * (problem.lines[index]!.incoming - this.#chosen[at]!.saving);
    }
    incumbent.offer({ takes, orders: problem.orders, total, uses: uses.total });
  }

  #evaluate(takes: readonly LineTakes[], uses: number): void {
    if (!this.#task.incumbent.evaluate(takes, uses)) this.#isComplete = false;
  }

  #step(steps: number): boolean {
    const { problem, incumbent } = this.#task;
    const isLeft = problem.work.spend(steps) && !incumbent.isStale;
    if (!isLeft) this.#isComplete = false;
    return isLeft;
  }
}
