import type { LineFacts } from '../lines.ts';
import type { BuyGetOffer, UnitOffer } from '../offers.ts';
import type { LineTakes } from '../split.ts';
import { type UnitCount, UnitPool, unitsIn } from '../unit-pool.ts';
import type { Work } from '../work.ts';
import { type Listing, maximumOptions, maximumTakes } from './allowances.ts';
import { Budgets } from './budgets.ts';
import type { Combination } from './evaluator.ts';
import { tryGreedyGroups } from './greedy.ts';
import { type GroupPlan, hasGroups, planGroups } from './group-plan.ts';
import { GroupedUnits } from './grouped-units.ts';
import { type GroupSearch, visitGroups } from './groups.ts';
import { Incumbent } from './incumbent.ts';
import type { Slope } from './line-bounds.ts';
import { LineOptions } from './line-options.ts';
import { LineWalk } from './line-walk.ts';
import type { Problem } from './problem.ts';
import { SetBounds } from './set-bounds.ts';
import { MOST_LINES_TO_THE_UNIT } from './set-plan.ts';
import type { SearchResult, Task } from './task.ts';
import { countLine, countTakes, UseCounter } from './uses.ts';

/** What rounding alone may hide is looked for with at most this part of all steps. */
const PART_FOR_CLOSE = 1 / 16;

/** The lines are decided for at most this part of all steps before the next choice of groups is looked at. */
const GROUPINGS_PER_SEARCH = 4;

/** The sets of one offer are formed for at most this part of all steps before other sets are tried. */
const WALKS_PER_SEARCH = 8;

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
  readonly #grouped: GroupedUnits;
  readonly #setBounds: SetBounds;
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
  /** The same for the ways to form the sets of one offer. */
  #partOfWalk = 1 / WALKS_PER_SEARCH;
  #wasCut = false;
  #isBeginning = true;
  /** Every option is counted in the bounds; otherwise they guide the search, but prove nothing. */
  #isBounded = true;
  /** A minor unit saved is worth the same on every line. */
  readonly #isEvenlyWorth: boolean;

  /** `best` is what another search of the same task has met. */
  constructor(problem: Problem, task: Task, listing: Listing, best?: Combination) {
    const { choice, plain, base, lines, evaluator } = task;
    const { ofLine, slack } = task.worth;
    this.problem = problem;
    this.#work = problem.work;
    this.maximumSteps = problem.work.left;
    this.#plan = planGroups(problem, task.orders);
    this.worthOfLine = ofLine;
    this.#isEvenlyWorth = lines.every((line) => ofLine[line] === ofLine[lines[0]!]);
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
    this.#grouped = new GroupedUnits(lines);
    this.#walk = new LineWalk({
      problem,
      lines,
      base,
      worthOfLine: ofLine,
      open: this.pool.open,
      grouped: this.#grouped.taken,
      bought: this.#grouped.bought,
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
    this.#setBounds = new SetBounds(this.#plan, this.#lineOptions, this.pool.open);
    this.#partOfSteps = hasGroups(this.#plan) ? 1 / GROUPINGS_PER_SEARCH : 1;
    this.#isBounded = this.#plan.isComplete && this.#lineOptions.isComplete;
    if (!this.#isBounded) this.#isComplete = false;
  }

  /** Finds the best combination. A trial that lists only some options ends after the combinations that come first. */
  run(isTrial: boolean): SearchResult {
    const isComplete = this.#isComplete;
    this.#decideLines(0);
    const netOfSets = this.#setBounds.netOfSets(this);
    const most = this.linesValue() + this.#setBounds.mostOfGroups(netOfSets);
    if (hasGroups(this.#plan)) this.#tryGroups();
    if (this.#isClose(most)) {
      if (this.#base.length <= MOST_LINES_TO_THE_UNIT) {
        this.within(PART_FOR_CLOSE, () => visitGroups(this, this.#plan, netOfSets));
      }
      this.#isComplete = true;
    } else if (isTrial && this.#lineOptions.isCut) this.#isComplete = false;
    else {
      this.#isBeginning = false;
      if (hasGroups(this.#plan)) visitGroups(this, this.#plan, netOfSets);
      // A walk that was cut short goes on with the steps left over, now that a better bound leaves more out.
      while (this.#wasCut && this.#work.left > 0 && !this.#incumbent.isStale) {
        this.#wasCut = false;
        this.#isComplete = isComplete;
        [this.#partOfSteps, this.#partOfWalk] = [1, 1];
        this.#decideLines(0);
        visitGroups(this, this.#plan, netOfSets);
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

  /** True where nothing can save a minor unit a line more than what is known: the rest is the rounding of the bound of sets. */
  #isClose(most: number): boolean {
    if (this.problem.hasNetMinimum) return false;
    return this.#isBounded && this.#plan.sets.length > 0 && this.#incumbent.distanceTo(most) < this.#base.length;
  }

  #tryGroups(): void {
    // A beginning may leave out what it likes: the walk over all groups follows.
    const [isComplete, wasCut] = [this.#isComplete, this.#wasCut];
    tryGreedyGroups(this, this.#plan, this.#setBounds.found);
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

  walkSets(run: () => void): void {
    const isCut = this.#work.within(this.maximumSteps * this.#partOfWalk, () => {
      run();
      return this.#work.left === 0;
    });
    if (isCut) this.#wasCut = true;
  }

  giveUpCompleteness(): void {
    this.#isComplete = false;
  }

  linesValue(): number {
    return this.#lineBounds + this.#budgets.valueLeft();
  }

  get slopeSlack(): number {
    return this.#setBounds.slack;
  }

  slopeOf(line: number): Slope {
    return this.#lineOptions.slopeOf(line);
  }

  mayTakeOf(line: number): boolean {
    return this.#grouped.taken[line]!.length < maximumTakes(this.problem, this.problem.lines[line]!);
  }

  buy(offer: BuyGetOffer, counts: readonly UnitCount[]): void {
    if (offer.benefit.rule.sharesBought) return this.pool.buy(counts);
    this.#countBounds(counts, -1);
    this.pool.take(counts);
    this.#countBounds(counts, 1);
    this.#grouped.buy(offer, counts);
  }

  unbuy(offer: BuyGetOffer, counts: readonly UnitCount[]): void {
    if (offer.benefit.rule.sharesBought) return this.pool.unbuy(counts);
    this.#grouped.unbuy(offer, counts);
    this.#countBounds(counts, -1);
    this.pool.putBack(counts);
    this.#countBounds(counts, 1);
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

  itemsLeft({ items, pool }: UnitOffer): number {
    return pool ? Math.min(items, this.#budgets.itemsLeftIn(pool)) : items;
  }

  mayTake({ pool }: UnitOffer, counts: readonly UnitCount[]): boolean {
    if (pool && unitsIn(counts) > this.#budgets.itemsLeftIn(pool)) return false;
    if (counts.every(({ line }) => this.mayTakeOf(line))) return true;
    this.#isComplete = false;
    return false;
  }

  take(offer: UnitOffer, counts: readonly UnitCount[]): void {
    this.#countBounds(counts, -1);
    this.pool.take(counts);
    this.#countBounds(counts, 1);
    this.#grouped.take(offer, counts);
    if (offer.pool) this.#budgets.spendItems(offer.pool, unitsIn(counts));
    for (const { units } of counts) this.#uses.add(offer, units);
    this.#groups += 1;
    if (!this.#isExact(offer, counts)) this.#inexactGroups += 1;
  }

  putBack(offer: UnitOffer, counts: readonly UnitCount[]): void {
    this.#groups -= 1;
    if (!this.#isExact(offer, counts)) this.#inexactGroups -= 1;
    this.#grouped.putBack(offer, counts);
    if (offer.pool) this.#budgets.spendItems(offer.pool, -unitsIn(counts));
    for (const { units } of counts) this.#uses.remove(offer, units);
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
  #isExact({ benefit, mostDiscount }: UnitOffer, counts: readonly UnitCount[]): boolean {
    if (benefit.level === 'buyGet' && mostDiscount !== Number.POSITIVE_INFINITY) return false;
    if (benefit.level === 'buyGet' && benefit.rule.spreads && !this.#isEvenlyWorth) return false;
    const worth = this.worthOfLine[counts[0]!.line];
    return counts.every(({ line }) => this.#lineOptions.isBare(line) && this.worthOfLine[line] === worth);
  }

  #countBounds(counts: readonly UnitCount[], sign: 1 | -1): void {
    for (const { line } of counts) {
      const bound = this.#lineOptions.boundOf(line, this.pool.open[line]!);
      this.#lineBounds += sign * bound;
      this.#setBounds.count(line, bound, sign);
    }
  }
}
