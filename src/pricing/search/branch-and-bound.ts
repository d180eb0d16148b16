import type { LineFacts } from '../lines.ts';
import type { UnitOffer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { LineTakes, Take } from '../split.ts';
import { type UnitCount, UnitPool } from '../unit-pool.ts';
import type { Work } from '../work.ts';
import { type Listing, maximumOptions, maximumTakes } from './allowances.ts';
import type { Worth } from './bounds.ts';
import { Budgets } from './budgets.ts';
import type { Combination, Evaluator } from './evaluator.ts';
import { tryGreedyGroups } from './greedy.ts';
import { type GroupPlan, mostOfPlan, planGroups } from './group-plan.ts';
import { type GroupSearch, visitGroups } from './groups.ts';
import { Incumbent } from './incumbent.ts';
import type { LineOrders } from './line-lists.ts';
import { LineOptions } from './line-options.ts';
import { LineWalk } from './line-walk.ts';
import type { PlainOffers } from './plain-offers.ts';
import type { Problem } from './problem.ts';
import { countLine, countTakes, UseCounter } from './uses.ts';

export interface SearchResult {
  readonly best: Combination;
  /** Some lines have more options than were listed: with a longer listing more may be found. */
  readonly isCut: boolean;
  /** The most that another permitted combination could still save, in minor units; 0 when the search is complete. */
  readonly mostMissed: number;
}

/** The lines to be decided, and all that is known about them. */
export interface Task {
  readonly choice: PlainChoice;
  /** Per line the plain offers that may be best. */
  readonly plain: PlainOffers;
  /** The takes of the lines that are not decided here. */
  readonly base: readonly LineTakes[];
  readonly lines: readonly number[];
  readonly orders: LineOrders;
  readonly worth: Worth;
  readonly evaluator: Evaluator;
}

/** The lines are decided for at most this part of all steps before the next choice of groups is looked at. */
const GROUPINGS_PER_SEARCH = 4;

/**
 * Decides a set of lines: walks over groups (groups.ts), then over the lines, keeps the cheapest combination and leaves out
 * the branches that cannot be cheaper. Other lines take what `base` says.
 */
export class BranchAndBound implements GroupSearch {
  readonly problem: Problem;
  readonly pool: UnitPool;
  readonly worthOfLine: readonly number[];
  readonly maximumSteps: number;
  readonly #budgets: Budgets;
  readonly #lineOptions: LineOptions;
  readonly #plan: GroupPlan;
  readonly #base: readonly LineTakes[];
  readonly #grouped: Take[][];
  readonly #uses = new UseCounter();
  readonly #work: Work;
  readonly #incumbent: Incumbent;
  readonly #walk: LineWalk;
  #lineBounds = 0;
  #groups = 0;
  /** Groups whose saving is known only when all their parts are. */
  #inexactGroups = 0;
  #isComplete = true;
  /** A choice of groups gets at most this part of all steps to decide the lines, and whether one needed more. */
  #partOfSteps: number;
  #wasCut = false;
  #isBeginning = true;
  /** Every option is counted in the bounds; otherwise they guide the search, but prove nothing. */
  #isBounded = true;

  /** `best` is what another search of the same task has met. */
  constructor(problem: Problem, task: Task, listing: Listing, best?: Combination) {
    const { choice, plain, base, lines, evaluator } = task;
    const { ofLine, slack } = task.worth;
    this.problem = problem;
    this.#work = problem.work;
    this.maximumSteps = problem.work.left;
    this.#plan = planGroups(problem, task.orders);
    this.worthOfLine = ofLine;
    this.pool = new UnitPool(problem.lines);
    this.#incumbent = new Incumbent(evaluator, problem.work, slack, best);
    this.#budgets = new Budgets(problem, choice, ofLine);
    const lineTask = {
      plain,
      lines,
      worthOfLine: ofLine,
      maximumOptions: maximumOptions(listing, this.maximumSteps, lines.length),
      maximumTakesOf: (line: LineFacts) => maximumTakes(problem, line),
    };
    this.#lineOptions = new LineOptions(problem, lineTask, this.#budgets);
    this.#base = base;
    this.#grouped = [];
    for (const line of lines) this.#grouped[line] = [];
    this.#walk = new LineWalk({
      problem,
      lines,
      base,
      worthOfLine: ofLine,
      open: this.pool.open,
      grouped: this.#grouped,
      uses: this.#uses,
      budgets: this.#budgets,
      options: this.#lineOptions,
      evaluator,
      incumbent: this.#incumbent,
    });
    const isDecidedHere = new Set(lines);
    base.forEach((takes, line) => {
      if (!isDecidedHere.has(line)) countLine(this.#uses, takes, problem.lines[line]!);
    });
    for (const line of lines) this.#lineBounds += this.#lineOptions.boundOf(line, this.pool.open[line]!);
    this.#partOfSteps = this.#plan.bundles.length + this.#plan.buyGets.length > 0 ? 1 / GROUPINGS_PER_SEARCH : 1;
    this.#isBounded = this.#plan.isComplete && this.#lineOptions.isComplete;
    if (!this.#isBounded) this.#isComplete = false;
  }

  /** Finds the best combination. A trial that lists only some options ends after the combinations that come first. */
  run(isTrial: boolean): SearchResult {
    const most = this.linesValue() + mostOfPlan(this.#plan);
    const isComplete = this.#isComplete;
    const hasGroups = this.#plan.bundles.length + this.#plan.buyGets.length > 0;
    this.#decideLines(0);
    if (hasGroups) this.#tryGroups();
    if (isTrial && this.#lineOptions.isCut) this.#isComplete = false;
    else {
      this.#isBeginning = false;
      if (hasGroups) visitGroups(this, this.#plan);
      // A walk that was cut short goes on with the steps left over, now that a better bound leaves more out.
      while (this.#wasCut && this.#work.left > 0 && !this.#incumbent.isStale) {
        this.#wasCut = false;
        this.#isComplete = isComplete;
        this.#partOfSteps = 1;
        this.#decideLines(0);
        visitGroups(this, this.#plan);
      }
    }
    if (!this.#isComplete || !this.#incumbent.best) {
      this.#incumbent.evaluate(this.#base, countTakes(this.#base, this.problem.lines));
    }
    const { best } = this.#incumbent;
    if (!best) throw new Error('assertion failed: to leave every line to itself is always permitted');
    const least = this.#isBounded ? Math.max(0, this.#incumbent.leastTotal(most)) : 0;
    const mostMissed = this.#isComplete ? 0 : Math.max(0, best.total - least);
    return { best, mostMissed, isCut: this.#lineOptions.isCut };
  }

  #tryGroups(): void {
    // A beginning may leave out what it likes: the walk over all groups follows.
    const [isComplete, wasCut] = [this.#isComplete, this.#wasCut];
    tryGreedyGroups(this, this.#plan, true);
    if (this.#plan.bundles.length > 0 && this.#plan.buyGets.length > 0) tryGreedyGroups(this, this.#plan, false);
    [this.#isComplete, this.#wasCut] = [isComplete, wasCut];
  }

  step(steps: number): boolean {
    const isLeft = this.#work.spend(steps) && !this.#incumbent.isStale;
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
    return this.#incumbent.canImprove(groupSaving + this.linesValue(), this.#uses.total);
  }

  mayTake(counts: readonly UnitCount[]): boolean {
    const { lines } = this.problem;
    const isFree = counts.every(({ line }) => this.#grouped[line]!.length < maximumTakes(this.problem, lines[line]!));
    if (!isFree) this.#isComplete = false;
    return isFree;
  }

  take(offer: UnitOffer, counts: readonly UnitCount[]): void {
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

  putBack(offer: UnitOffer, counts: readonly UnitCount[]): void {
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
    if (this.#groups > 0) this.#decideLines(groupSaving);
  }

  #decideLines(groupSaving: number): void {
    const value = groupSaving + this.linesValue();
    if (!this.canImprove(groupSaving)) return;
    const steps = this.maximumSteps * this.#partOfSteps;
    const isCut = this.#work.within(steps, () => {
      if (!this.#walk.decide(value, groupSaving, this.#inexactGroups === 0)) this.#isComplete = false;
      return this.#work.left === 0;
    });
    if (!isCut) return;
    this.#wasCut = true;
    if (this.#isBeginning) this.#walk.fill();
  }

  /**
   * A group's saving is exact where no discount that is there has to be shared out, no cap is shared, and every unit of it
   * is worth the same.
   */
  #isExact({ benefit }: UnitOffer, counts: readonly UnitCount[]): boolean {
    if (benefit.level === 'buyGet' && benefit.maximumDiscount !== Number.POSITIVE_INFINITY) return false;
    const worth = this.worthOfLine[counts[0]!.line];
    return counts.every(({ line }) => this.#lineOptions.isBare(line) && this.worthOfLine[line] === worth);
  }

  #countBounds(counts: readonly UnitCount[], sign: 1 | -1): void {
    for (const { line } of counts) this.#lineBounds += sign * this.#lineOptions.boundOf(line, this.pool.open[line]!);
  }
}
