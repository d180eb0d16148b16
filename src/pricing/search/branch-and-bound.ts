import type { LineFacts } from '../lines.ts';
import type { Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineTakes, Take } from '../split.ts';
import { type UnitCount, UnitPool } from '../unit-pool.ts';
import { COST, type Work } from '../work.ts';
import { RELATIVE_ERROR, type Worth } from './bounds.ts';
import { Budgets } from './budgets.ts';
import type { Combination, Evaluator, PartEvaluator } from './evaluator.ts';
import { fillLines } from './fill-lines.ts';
import { tryGreedyGroups } from './greedy.ts';
import { type GroupPlan, mostOfPlan, planGroups } from './group-plan.ts';
import { type GroupSearch, visitGroups } from './groups.ts';
import type { LineOrders } from './line-lists.ts';
import { LineOptions } from './line-options.ts';
import { type Option, sortTakes } from './options.ts';
import type { PlainOffers } from './plain-offers.ts';
import type { Problem } from './problem.ts';
import { maximumTakes } from './takes.ts';
import { UseCounter } from './uses.ts';

export interface SearchResult {
  readonly best: Combination;
  /** The most that another permitted combination could still save, in minor units; 0 when the search is complete. */
  readonly mostMissed: number;
}

/** What is to be decided, and what is known about it. */
export interface Task {
  readonly choice: PlainChoice;
  /** Per line the plain offers that may be best. */
  readonly plain: PlainOffers;
  /** What the lines take that are not decided here. */
  readonly base: readonly LineTakes[];
  readonly lines: readonly number[];
  readonly orders: LineOrders;
  readonly worth: Worth;
  readonly evaluator: Evaluator;
}

/** A line to be decided: its options, the most promising first, and the bound it is counted with until then. */
interface OpenLine {
  readonly index: number;
  readonly options: readonly Option[];
  readonly bound: number;
}

/** The lines are decided for at most this part of all steps before the next choice of groups is looked at. */
const GROUPINGS_PER_SEARCH = 4;
/** To list what lines may do takes about this part of all steps at most: few lines may have many options, many few. */
const LISTINGS_PER_SEARCH = 5;
const MAX_OPTIONS_PER_LINE = 1_024;
const MIN_OPTIONS_PER_LINE = 12;

/**
 * Decides a set of lines: walks over groups (groups.ts), then over the lines, keeps the cheapest combination it meets and
 * leaves out what cannot be cheaper. Other lines take what `base` says.
 */
export class BranchAndBound implements GroupSearch {
  readonly problem: Problem;
  readonly pool: UnitPool;
  readonly worthOfLine: readonly number[];
  readonly maximumSteps: number;
  readonly #lines: readonly number[];
  readonly #tolerance: number;
  readonly #withoutEffects: number;
  readonly #budgets: Budgets;
  readonly #lineOptions: LineOptions;
  readonly #plan: GroupPlan;
  readonly #evaluator: Evaluator;
  readonly #base: readonly LineTakes[];
  readonly #chosen: Option[] = [];
  readonly #grouped: Take[][];
  readonly #uses = new UseCounter();
  readonly #work: Work;
  /** Some line may be dealt out in more ways than are listed. */
  readonly #hasManyDeals: boolean;
  #lineBounds = 0;
  #groups = 0;
  /** Groups whose saving is known only when all their parts are. */
  #inexactGroups = 0;
  #isComplete = true;
  /** A choice of groups gets at most this part of all steps to decide the lines, and whether one needed more. */
  #partOfSteps: number;
  #wasCut = false;
  /** Every option is counted in the bounds; otherwise they guide the search, but prove nothing. */
  #isBounded = true;
  #best: Combination | undefined;

  constructor(problem: Problem, task: Task) {
    const { choice, plain, base, lines, evaluator } = task;
    const { ofLine, slack } = task.worth;
    this.problem = problem;
    this.#work = problem.work;
    this.maximumSteps = problem.work.left;
    this.#plan = planGroups(problem, task.orders);
    this.worthOfLine = ofLine;
    this.pool = new UnitPool(problem.lines);
    this.#lines = lines;
    this.#evaluator = evaluator;
    this.#withoutEffects = evaluator.totalWithoutEffects;
    this.#tolerance = slack + RELATIVE_ERROR * (1 + this.#withoutEffects);
    this.#budgets = new Budgets(problem, choice, ofLine);
    const lineTask = {
      plain,
      lines,
      worthOfLine: ofLine,
      maximumOptions: maximumOptions(this.maximumSteps, lines.length),
      maximumTakesOf: (line: LineFacts) => maximumTakes(problem, line),
    };
    this.#lineOptions = new LineOptions(problem, lineTask, this.#budgets);
    this.#hasManyDeals = problem.budgeted.length > 0 && lines.some((line) => !this.#lineOptions.isSmall(line));
    this.#base = base;
    this.#grouped = [];
    for (const line of lines) this.#grouped[line] = [];
    const isDecidedHere = new Set(lines);
    base.forEach(({ rest }, line) => {
      if (rest && !isDecidedHere.has(line)) this.#uses.add(rest, problem.lines[line]!.units);
    });
    for (const line of lines) this.#lineBounds += this.#lineOptions.boundOf(line, this.pool.open[line]!);
    this.#partOfSteps = this.#plan.bundles.length + this.#plan.buyGets.length > 0 ? 1 / GROUPINGS_PER_SEARCH : 1;
    this.#isBounded = this.#plan.isComplete && this.#lineOptions.isComplete;
    if (!this.#isBounded) this.#isComplete = false;
  }

  run(): SearchResult {
    const most = this.linesValue() + mostOfPlan(this.#plan);
    const isComplete = this.#isComplete;
    this.decideLines(0);
    if (this.#plan.bundles.length + this.#plan.buyGets.length > 0) this.#tryGroups();
    // What was cut short may go on with the steps that others have left, now that more can be left out.
    while (this.#wasCut && this.#work.left > 0) {
      this.#wasCut = false;
      this.#isComplete = isComplete;
      this.#partOfSteps = 1;
      this.#decideLines(0);
      visitGroups(this, this.#plan);
    }
    if (!this.#isComplete || !this.#best) this.#evaluate(this.#base, countUses(this.#base, this.problem));
    const best = this.#best;
    if (!best) throw new Error('assertion failed: to leave every line to itself is always permitted');
    const least = this.#isBounded ? Math.max(0, this.#leastTotal(most)) : 0;
    const mostMissed = this.#isComplete ? 0 : Math.max(0, best.total - least);
    return { best, mostMissed };
  }

  #tryGroups(): void {
    // What is left out of a beginning is looked at later on.
    const [isComplete, wasCut] = [this.#isComplete, this.#wasCut];
    tryGreedyGroups(this, this.#plan, true);
    if (this.#plan.bundles.length > 0 && this.#plan.buyGets.length > 0) tryGreedyGroups(this, this.#plan, false);
    [this.#isComplete, this.#wasCut] = [isComplete, wasCut];
    visitGroups(this, this.#plan);
  }

  step(steps: number): boolean {
    const isLeft = this.#work.spend(steps);
    if (!isLeft) this.#isComplete = false;
    return isLeft;
  }

  within(part: number, run: () => void): void {
    this.#work.within(this.maximumSteps * part, run);
  }

  giveUpCompleteness(): void {
    this.#isComplete = false;
  }

  linesValue(): number {
    return this.#lineBounds + this.#budgets.valueLeft();
  }

  lossOf(counts: readonly UnitCount[]): number {
    let loss = 0;
    for (const { line, units } of counts) {
      const open = this.pool.open[line]!;
      const left = this.problem.lines[line]!.isSplittable ? open - units : 0;
      loss += this.#lineOptions.boundOf(line, open) - this.#lineOptions.boundOf(line, left);
    }
    return loss;
  }

  canImprove(groupSaving: number): boolean {
    return this.#canImprove(groupSaving + this.linesValue());
  }

  mayTake(counts: readonly UnitCount[]): boolean {
    const { lines } = this.problem;
    const isFree = counts.every(({ line }) => this.#grouped[line]!.length < maximumTakes(this.problem, lines[line]!));
    if (!isFree) this.#isComplete = false;
    return isFree;
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
    if (!this.#isExact(offer, counts)) this.#inexactGroups += 1;
  }

  putBack(offer: Offer, counts: readonly UnitCount[]): void {
    this.#groups -= 1;
    if (!this.#isExact(offer, counts)) this.#inexactGroups -= 1;
    for (const { line, units } of counts) {
      const takes = this.#grouped[line]!;
      takes.splice(
        takes.findIndex((take) => take.offer === offer),
        1,
      );
      this.#uses.remove(offer, units);
    }
    this.#countBounds(counts, -1);
    this.pool.putBack(counts);
    this.#countBounds(counts, 1);
  }

  decideLines(groupSaving: number): void {
    // Without any group this has been done before the groups were looked at.
    if (this.#groups > 0 || !this.#best) this.#decideLines(groupSaving);
  }

  #decideLines(groupSaving: number): void {
    const value = groupSaving + this.linesValue();
    if (!this.#canImprove(value)) return;
    if (this.#hasManyDeals) this.#fill();
    const steps = this.maximumSteps * this.#partOfSteps;
    const isCut = this.#work.within(steps, () => {
      this.#decideLine([], 0, value, groupSaving);
      return this.#work.left === 0;
    });
    if (isCut) this.#wasCut = true;
  }

  /** Tries one good way to decide lines that may be dealt out in too many. */
  #fill(): void {
    const filled = fillLines(this.problem, this.#lines, this.pool.open, this.#lineOptions, this.#budgets);
    if (!filled) return;
    const takes = [...this.#base];
    for (const { line, taken, rest } of filled) {
      takes[line] = { taken: sortTakes([...this.#grouped[line]!, ...taken]), rest };
    }
    this.#evaluate(takes, countUses(takes, this.problem));
  }

  /** `value` bounds what any way to go on from here saves; `saved` is what has been decided so far. */
  #decideLine(open: OpenLine[], at: number, value: number, saved: number): void {
    if (at === this.#lines.length) return this.#finish(open, saved);
    open[at] ??= this.#openLine(this.#lines[at]!);
    const { index, options, bound } = open[at];
    const worth = this.worthOfLine[index]!;
    for (const option of options) {
      // Options come in the order of their value, so none after this one can do better.
      if (this.#best && this.#leastTotal(value - bound + option.value) > this.#best.total) return;
      if (!this.step(COST.triedOption * (1 + option.spending.length))) return;
      if (!this.#budgets.spend(option.spending)) continue;
      // What is spent was counted at its price so far, both in the line's bound and in what the budgets have left.
      const saving = option.saving - this.#budgets.cut;
      const next = value - bound + worth * saving - this.#budgets.price;
      for (const { offer, units } of option.limited) this.#uses.add(offer, units);
      if (this.#canImprove(next)) {
        this.#chosen[at] = option;
        this.#decideLine(open, at + 1, next, saved + worth * saving);
      }
      for (const { offer, units } of option.limited) this.#uses.remove(offer, units);
      this.#budgets.restore(option.spending);
    }
  }

  #openLine(index: number): OpenLine {
    const units = this.pool.open[index]!;
    const { options, isComplete } = this.#lineOptions.optionsOf(index, units, this.#grouped[index]!);
    if (!isComplete) this.#isComplete = false;
    return { index, options, bound: this.#lineOptions.boundOf(index, units) };
  }

  /** Every line is decided. Without order-level benefits the savings add up; otherwise the whole has to be computed. */
  #finish(open: readonly OpenLine[], saved: number): void {
    const { orders } = this.problem;
    const isExact = orders.length === 0 && this.#inexactGroups === 0;
    const known = { orders, total: this.#withoutEffects - saved, uses: this.#uses.total };
    if (isExact && !isBetter(known, this.#best)) return;
    this.step(this.#base.length * COST.listedLine);
    const takes = [...this.#base];
    open.forEach(({ index }, at) => {
      const { taken, rest } = this.#chosen[at]!;
      takes[index] = { taken: sortTakes([...this.#grouped[index]!, ...taken]), rest };
    });
    if (isExact) {
      this.#best = { ...known, takes };
      return;
    }
    if (this.#evaluator.some) this.#evaluateGrouped(open, takes, this.#evaluator.some);
    else this.#evaluate(takes, this.#uses.total);
  }

  /** Computes the lines of which groups have taken units; what the others save their options say. */
  #evaluateGrouped(open: readonly OpenLine[], takes: readonly LineTakes[], some: PartEvaluator): void {
    const grouped = this.#lines.filter((line) => this.#grouped[line]!.length > 0);
    if (!this.step(some.stepsOf(grouped, takes)) && this.#best) return;
    let total = some.totalOf(grouped, takes);
    if (total === undefined) return;
    for (const [at, { index }] of open.entries()) {
      if (this.#grouped[index]!.length > 0) continue;
      total += this.worthOfLine[index]! * (this.problem.lines[index]!.incoming - this.#chosen[at]!.saving);
    }
    const combination = { takes, orders: this.problem.orders, total, uses: this.#uses.total };
    if (isBetter(combination, this.#best)) this.#best = combination;
  }

  /** Computes a combination to the unit; one is always computed, however few steps there are left. */
  #evaluate(takes: readonly LineTakes[], uses: number): void {
    if (!this.step(this.#evaluator.stepsOf(takes)) && this.#best) return;
    const combination = this.#evaluator.evaluate(takes, uses);
    if (combination && isBetter(combination, this.#best)) this.#best = combination;
  }

  /**
   * A group's saving is exact where no discount that is there has to be shared out, no cap is shared, and every unit of it
   * is worth the same.
   */
  #isExact({ benefit }: Offer, counts: readonly UnitCount[]): boolean {
    if (benefit.rule.kind === 'buy_x_get_y' && benefit.maximumDiscount !== Number.POSITIVE_INFINITY) return false;
    const worth = this.worthOfLine[counts[0]!.line];
    return counts.every(({ line }) => this.#lineOptions.isBare(line) && this.worthOfLine[line] === worth);
  }

  #canImprove(value: number): boolean {
    if (!this.#best) return true;
    const least = this.#leastTotal(value);
    return least < this.#best.total || (least === this.#best.total && this.#uses.total < this.#best.uses);
  }

  /** What the lines cost at least when line-level benefits and groups save no more than `value`. */
  #leastTotal(value: number): number {
    return Math.ceil(this.#withoutEffects - value - this.#tolerance);
  }

  #countBounds(counts: readonly UnitCount[], sign: 1 | -1): void {
    for (const { line } of counts) this.#lineBounds += sign * this.#lineOptions.boundOf(line, this.pool.open[line]!);
  }
}

function maximumOptions(steps: number, lines: number): number {
  const affordable = Math.floor(steps / (LISTINGS_PER_SEARCH * lines * COST.option));
  return Math.min(MAX_OPTIONS_PER_LINE, Math.max(MIN_OPTIONS_PER_LINE, affordable));
}

/** Limited uses of a combination. */
function countUses(takes: readonly LineTakes[], { lines }: Problem): number {
  const uses = new UseCounter();
  takes.forEach(({ taken, rest }, line) => {
    let left = lines[line]!.units;
    for (const { offer, units } of taken) {
      uses.add(offer, units);
      left -= units;
    }
    if (rest && left > 0) uses.add(rest, left);
  });
  return uses.total;
}

/** The cheaper one; of equal ones the one that spends fewer limited uses; of those the first that was found. */
function isBetter(combination: Pick<Combination, 'total' | 'uses'>, best: Combination | undefined): boolean {
  if (!best || combination.total !== best.total) return !best || combination.total < best.total;
  return combination.uses < best.uses;
}
