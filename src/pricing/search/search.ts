import type { Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineTakes, Take } from '../split.ts';
import { type UnitCount, UnitPool } from '../unit-pool.ts';
import { RELATIVE_ERROR, worthOfLines } from './bounds.ts';
import { Budgets } from './budgets.ts';
import { type GroupSearch, mostOfGroups, visitGroups } from './groups.ts';
import { type Combination, Evaluator } from './leaf.ts';
import { LineOptions } from './line-options.ts';
import { type Option, sortTakes } from './options.ts';
import { groupedLines, type Problem, totalWithoutLineEffects } from './problem.ts';
import { UseCounter } from './uses.ts';

/** The best combination that was found, and what is known about all others. */
export interface SearchResult {
  readonly best: Combination;
  /** No permitted combination is cheaper. */
  readonly isComplete: boolean;
  readonly steps: number;
  /** No permitted combination costs less than this, in minor units. */
  readonly lowerBound: number;
}

/** A line to be decided: its options, the most promising first, and the bound it is counted with until then. */
interface OpenLine {
  readonly index: number;
  readonly options: readonly Option[];
  readonly bound: number;
}

/** The lines are decided for at most this part of all steps before the next choice of groups is looked at. */
const GROUPINGS_PER_SEARCH = 4;
/** Computing a combination to the unit costs about as much as looking at this many options. */
const STEPS_PER_EVALUATION = 4;

/** Finds the cheapest permitted combination by branch and bound, looking at about `maximumSteps` choices at most. */
export function searchCombination(problem: Problem, choice: PlainChoice, maximumSteps: number): SearchResult {
  return new Search(problem, choice, maximumSteps).run();
}

/** Walks over groups (groups.ts), then over the lines that share budgets, and keeps the cheapest combination it meets. */
class Search implements GroupSearch {
  readonly problem: Problem;
  readonly choice: PlainChoice;
  readonly pool: UnitPool;
  readonly worthOfLine: readonly number[];
  readonly #tolerance: number;
  readonly #withoutEffects: number;
  readonly #budgets: Budgets;
  readonly #lineOptions: LineOptions;
  readonly #contested: readonly number[];
  readonly #evaluator: Evaluator;
  readonly #takes: LineTakes[];
  readonly #grouped: Take[][];
  readonly #uses = new UseCounter();
  readonly #maximumSteps: number;
  #lineBounds = 0;
  #groups = 0;
  #steps = 0;
  #isComplete = true;
  #best: Combination | undefined;

  constructor(problem: Problem, choice: PlainChoice, maximumSteps: number) {
    const { ofLine, slack } = worthOfLines(problem);
    this.problem = problem;
    this.choice = choice;
    this.worthOfLine = ofLine;
    this.#maximumSteps = maximumSteps;
    this.pool = new UnitPool(problem.lines);
    this.#withoutEffects = totalWithoutLineEffects(problem);
    this.#tolerance = slack + RELATIVE_ERROR * (1 + this.#withoutEffects);
    this.#budgets = new Budgets(problem, choice, ofLine);
    this.#lineOptions = new LineOptions(problem, this.#budgets, ofLine);
    this.#grouped = problem.lines.map(() => []);
    this.#takes = choice.offers.map((rest) => ({ taken: [], rest }));
    this.#contested = problem.lines.filter(({ index }) => this.#isContested(index)).map(({ index }) => index);
    const free = new Set([...this.#contested, ...groupedLines(problem)]);
    this.#evaluator = new Evaluator(problem, this.#takes, (line) => !free.has(line));
    for (const { index, units } of problem.lines) {
      this.#lineBounds += this.#lineOptions.boundOf(index, units);
      const offer = choice.offers[index];
      if (offer && !free.has(index)) this.#uses.add(offer, units);
    }
  }

  run(): SearchResult {
    const most = this.#lineBounds + this.#budgets.valueLeft() + mostOfGroups(this.problem);
    this.decideLines(0);
    if (this.problem.bundles.length + this.problem.buyGets.length > 0) visitGroups(this);
    const best = this.#best;
    if (!best) throw new Error('assertion failed: to leave every line to itself is always permitted');
    const lowerBound = this.#isComplete ? best.total : Math.max(0, Math.min(this.#leastTotal(most), best.total));
    return { best, isComplete: this.#isComplete, steps: this.#steps, lowerBound };
  }

  step(): boolean {
    this.#steps += 1;
    if (this.#steps > this.#maximumSteps) this.#isComplete = false;
    return this.#steps <= this.#maximumSteps;
  }

  giveUpCompleteness(): void {
    this.#isComplete = false;
  }

  canImprove(groupSaving: number): boolean {
    return this.#canImprove(groupSaving + this.#lineBounds + this.#budgets.valueLeft());
  }

  take(offer: Offer, counts: readonly UnitCount[]): void {
    this.#countBounds(counts, -1);
    this.pool.take(counts);
    this.#countBounds(counts, 1);
    for (const count of counts) {
      this.#grouped[count.line]!.push({ ...count, offer });
      this.#uses.add(offer, count.units);
    }
    this.#groups += 1;
  }

  putBack(offer: Offer, counts: readonly UnitCount[]): void {
    this.#groups -= 1;
    for (const { line, units } of counts) {
      this.#grouped[line]!.pop();
      this.#uses.remove(offer, units);
    }
    this.#countBounds(counts, -1);
    this.pool.putBack(counts);
    this.#countBounds(counts, 1);
  }

  /** Decides every line that shares a budget or that groups have taken units of; the others choose for themselves. */
  decideLines(groupSaving: number): void {
    // Without any group this has been done before the groups were looked at.
    if (this.#groups === 0 && this.#best) return;
    const open = this.#openLines();
    const stepLimit = Math.min(this.#maximumSteps, this.#steps + this.#maximumSteps / GROUPINGS_PER_SEARCH);
    this.#decideLine(open, 0, groupSaving + this.#lineBounds + this.#budgets.valueLeft(), stepLimit);
    for (const { index } of open) this.#takes[index] = { taken: [], rest: this.choice.offers[index] };
  }

  /** `value` bounds what any way to go on from here saves. */
  #decideLine(open: readonly OpenLine[], at: number, value: number, stepLimit: number): void {
    if (at === open.length) return this.#evaluate();
    const { index, options, bound } = open[at]!;
    for (const option of options) {
      this.#steps += 1;
      if (this.#best && this.#steps > stepLimit) {
        this.#isComplete = false;
        return;
      }
      const granted: number[] = [];
      const cut = this.#budgets.spend(option, granted);
      if (cut < 0) continue;
      for (const { offer, units } of limitedTakes(option, index)) this.#uses.add(offer, units);
      // What is spent was counted at its price so far, both in the line's bound and in what the budgets have left.
      const saving = this.worthOfLine[index]! * (option.saving - cut);
      const next = value - bound + saving - this.#budgets.priceOf(option, granted);
      if (this.#canImprove(next)) {
        this.#takes[index] = { taken: sortTakes([...this.#grouped[index]!, ...option.taken]), rest: option.rest };
        this.#decideLine(open, at + 1, next, stepLimit);
      }
      for (const { offer, units } of limitedTakes(option, index)) this.#uses.remove(offer, units);
      this.#budgets.restore(option.spending, granted);
    }
  }

  #openLines(): OpenLine[] {
    const touched = this.#groups === 0 ? [] : groupedLines(this.problem).filter((i) => this.#grouped[i]!.length > 0);
    const indices = touched.length === 0 ? this.#contested : [...new Set([...this.#contested, ...touched])];
    return [...indices]
      .sort((a, b) => a - b)
      .map((index) => {
        const units = this.pool.open[index]!;
        const { options, isComplete } = this.#lineOptions.optionsOf(index, units, this.#grouped[index]!);
        if (!isComplete) this.#isComplete = false;
        return { index, options, bound: this.#lineOptions.boundOf(index, units) };
      });
  }

  #evaluate(): void {
    this.#steps += STEPS_PER_EVALUATION;
    const combination = this.#evaluator.evaluate(this.#takes);
    if (combination && isBetter(combination, this.#best)) this.#best = { ...combination, takes: [...this.#takes] };
  }

  #isContested(line: number): boolean {
    return this.problem.isRough || this.#lineOptions.sharesBudgets(line) || this.choice.ties.has(line);
  }

  #canImprove(value: number): boolean {
    if (!this.#best) return true;
    const least = this.#leastTotal(value);
    return least < this.#best.total || (least === this.#best.total && this.#uses.total < this.#best.uses);
  }

  /** What the basket costs at least when line-level benefits and groups save no more than `value`. */
  #leastTotal(value: number): number {
    return Math.ceil(this.#withoutEffects - value - this.#tolerance);
  }

  #countBounds(counts: readonly UnitCount[], sign: 1 | -1): void {
    for (const { line } of counts) this.#lineBounds += sign * this.#lineOptions.boundOf(line, this.pool.open[line]!);
  }
}

/** The cheaper one; of equal ones the one that spends fewer limited uses; of those the first that was found. */
function isBetter(combination: Combination, best: Combination | undefined): boolean {
  if (!best || combination.total !== best.total) return !best || combination.total < best.total;
  return combination.uses < best.uses;
}

/** What an option takes of limited benefits on its line; one that takes the rest of a line counts baskets, not items. */
function limitedTakes({ taken, rest, limited }: Option, line: number): readonly Take[] {
  if (limited.length === 0) return NO_TAKES;
  const takes = taken.filter(({ offer }) => offer.use);
  return rest?.use ? [...takes, { line, units: 1, offer: rest }] : takes;
}

const NO_TAKES: readonly Take[] = [];
