import { type LineFacts, MAX_UNITS_PER_LINE } from '../lines.ts';
import type { LineOffer } from '../offers.ts';
import { type LineTakes, largestEffect, NOTHING_BOUGHT, type Take } from '../split.ts';
import { COST } from '../work.ts';
import type { Budgets } from './budgets.ts';
import type { BudgetedOffer } from './deals.ts';
import { LineBound, type Slope } from './line-bounds.ts';
import type { LineOffers, Option } from './option.ts';
import { listOptions } from './options.ts';
import type { PlainOffers } from './plain-offers.ts';
import type { Problem } from './problem.ts';

/** The options of every line and the most that they save, listed on demand and once per line and number of open units. */

export interface RankedOptions {
  /** The most promising first. */
  readonly options: readonly Option[];
  readonly isComplete: boolean;
  /** No option is worth more than this. */
  readonly bound: number;
}

/** The facts on which the options of the lines depend. */
export interface LineOptionsTask {
  readonly plain: PlainOffers;
  readonly lines: readonly number[];
  readonly worthOfLine: readonly number[];
  readonly maximumOptions: number;
  /** So many benefits at most are dealt units of one line. */
  readonly maximumTakesOf: (line: LineFacts) => number;
}

const UNITS_PER_KEY = MAX_UNITS_PER_LINE + 1;

/**
 * Parts of a line are bounded by listing what they may do where that is so many options at most, over all numbers of units;
 * otherwise without listing.
 */
const MAX_OPTIONS_FOR_BOUNDS = 2_500;

interface CollectedOffers extends LineOffers {
  readonly isComplete: boolean;
}

export class LineOptions {
  /** False when some offers of some lines are left out, and bounds with them. */
  readonly isComplete: boolean;
  /** Per line; only those of the lines that are decided are filled in. */
  readonly #offers: readonly CollectedOffers[];
  /** Not all options of a line were listed, or not all offers were looked at. */
  isCut = false;
  readonly #problem: Problem;
  readonly #budgets: Budgets;
  readonly #task: LineOptionsTask;
  readonly #whole: (RankedOptions | undefined)[] = [];
  readonly #bare = new Map<number, RankedOptions>();
  readonly #bounds: (LineBound | undefined)[] = [];
  readonly #slopes: Slope[] = [];
  readonly #isSmall: (boolean | undefined)[] = [];

  constructor(problem: Problem, task: LineOptionsTask, budgets: Budgets) {
    this.#problem = problem;
    this.#task = task;
    this.#budgets = budgets;
    const maximumBudgeted = Math.max(2, Math.floor(Math.sqrt(task.maximumOptions)));
    this.#offers = collectLineOffers(problem, task, maximumBudgeted);
    this.isComplete = task.plain.isComplete && task.lines.every((line) => this.#offers[line]!.isComplete);
    this.isCut = !this.isComplete;
  }

  /** True where no discount that is there has to be shared out when the line is split. */
  isBare(line: number): boolean {
    const { existing, allocated, unit } = this.#problem.lines[line]!;
    return existing === 0 && allocated === 0 && !unit;
  }

  /** The offers that are limited by items and may take units of a line, those with the largest effect first. */
  byItemsOf(line: number): readonly BudgetedOffer[] {
    return this.#offers[line]!.byItems;
  }

  maximumTakesOf(line: number): number {
    return this.#task.maximumTakesOf(this.#problem.lines[line]!);
  }

  /** The plain benefit that is best on the last open units of a line. */
  restOf(line: number, units: number): LineOffer | undefined {
    if (units === 0) return undefined;
    const facts = this.#problem.lines[line]!;
    // On a line with discounts the benefits that a part may take depend on its share of them.
    if (units < facts.units && !this.isBare(line)) return undefined;
    const offers = { ...this.#offers[line]!, byItems: [], byCap: [] };
    const original = units * facts.unitPrice;
    const part = units === facts.units ? facts : { ...facts, units, original, room: original };
    return this.#rank({ ...offers, line: part }, units, []).options[0]?.rest;
  }

  /** False where parts of the line may be dealt out in so many ways that not all of them are listed. */
  isSmall(line: number): boolean {
    this.#isSmall[line] ??= this.#countOptions(line) <= MAX_OPTIONS_FOR_BOUNDS;
    return this.#isSmall[line];
  }

  /** Options for `units` open units of a line of which groups have taken `grouped` and bought `bought`. */
  optionsOf(line: number, units: number, grouped: readonly Take[], bought: LineTakes['bought']): RankedOptions {
    if (grouped.length === 0 && bought.length === 0) return this.#wholeOptions(line);
    if (this.isBare(line)) return this.#bareOptions(line, units);
    return this.#rank(this.#offers[line]!, units, grouped, bought);
  }

  /** The most that `units` open units of a line can save, whatever groups have taken of it. */
  boundOf(line: number, units: number): number {
    if (units === 0) return 0;
    const facts = this.#problem.lines[line]!;
    if (units === facts.units) return this.#wholeOptions(line).bound;
    if (!this.isSmall(line)) return this.#looseBoundOf(line, units);
    return Math.min(this.#bareOptions(line, units).bound, this.#task.worthOfLine[line]! * facts.incoming);
  }

  /** A line above what any number of units of a line may save. */
  slopeOf(line: number): Slope {
    this.#slopes[line] ??= this.#lineBoundOf(line).slope(this.#problem.policy === 'replace_if_larger');
    return this.#slopes[line];
  }

  #lineBoundOf(line: number): LineBound {
    let bound = this.#bounds[line];
    if (!bound) {
      const offers = this.#offers[line]!;
      const count = offers.plain.length + offers.byItems.length + offers.byCap.length;
      this.#problem.work.count(count * (offers.line.isWeighed ? COST.weighedEffect : COST.effect));
      bound = new LineBound(offers, this.#task.worthOfLine[line]!, this.#budgets);
      this.#bounds[line] = bound;
    }
    return bound;
  }

  #looseBoundOf(line: number, units: number): number {
    const bound = this.#lineBoundOf(line);
    this.#problem.work.count((1 + this.#offers[line]!.byItems.length) * COST.listedLine);
    return bound.of(units);
  }

  /** At most so many options have all parts of a line together. */
  #countOptions(line: number): number {
    const { units } = this.#problem.lines[line]!;
    const { byItems, byCap } = this.#offers[line]!;
    return byItems.reduce((count, { offer }) => count * (1 + Math.min(units, offer.items)), units * (1 + byCap.length));
  }

  #wholeOptions(line: number): RankedOptions {
    this.#whole[line] ??= this.#rank(this.#offers[line]!, this.#problem.lines[line]!.units, []);
    return this.#whole[line];
  }

  /**
   * The open units as a line of their own without discounts. A part saves at least as much without its share of them, so
   * this bounds every line, and where there are none to share it is what the part saves.
   */
  #bareOptions(line: number, units: number): RankedOptions {
    const key = line * UNITS_PER_KEY + units;
    let list = this.#bare.get(key);
    if (!list) {
      const facts = this.#problem.lines[line]!;
      const original = units * facts.unitPrice;
      const bare = { ...facts, units, original, existing: 0, allocations: [], allocated: 0, room: original };
      list = this.#rank({ ...this.#offers[line]!, line: bare }, units, []);
      this.#bare.set(key, list);
    }
    return list;
  }

  #rank(
    offers: LineOffers,
    units: number,
    grouped: readonly Take[],
    bought: LineTakes['bought'] = NOTHING_BOUGHT,
  ): RankedOptions {
    const { policy, everyChoice, work, shareSteps } = this.#problem;
    const { maximumOptions, maximumTakesOf, worthOfLine } = this.#task;
    const { line } = offers;
    const settings = { policy, everyChoice, maximumOptions, maximumTakes: maximumTakesOf(line), work, shareSteps };
    const { options, isComplete } = listOptions(offers, units, { grouped, bought }, settings);
    if (!isComplete) this.isCut = true;
    const worth = worthOfLine[line.index]!;
    for (const option of options)
      option.value = worth * option.saving - this.#budgets.leastPriceOf(option.spending, worth);
    const ranked = [...options].sort(
      (a, b) => b.value - a.value || b.saving - a.saving || a.limited.length - b.limited.length,
    );
    const bound = isComplete ? Math.max(0, ranked[0]?.value ?? 0) : this.#looseBoundOf(line.index, units);
    return { options: ranked, isComplete, bound };
  }
}

/**
 * The offers that may take something of each line, those with the largest effect first. Of more budgeted offers than
 * `maximumBudgeted` on a line the smaller ones are left out.
 */
function collectLineOffers(
  problem: Problem,
  { plain, lines }: LineOptionsTask,
  maximumBudgeted: number,
): CollectedOffers[] {
  const byItems: BudgetedOffer[][] = [];
  const byCap: BudgetedOffer[][] = [];
  for (const i of lines) {
    byItems[i] = [];
    byCap[i] = [];
  }
  // Where there are no steps left to collect them all, the rest is not looked at.
  let areCollected = true;
  for (const [slot, offer] of problem.budgeted.entries()) {
    const own = problem.lists.discountable(offer, 0);
    areCollected &&= problem.work.spend(own.length * COST.comparedOffer);
    if (!areCollected) break;
    const byOffer = offer.items === Number.POSITIVE_INFINITY ? byCap : byItems;
    for (const i of own) byOffer[i]?.push({ offer, slot });
  }
  const collected: CollectedOffers[] = [];
  for (const i of lines) {
    const line = problem.lines[i]!;
    const own = { byItems: byItems[i]!, byCap: byCap[i]! };
    const count = own.byItems.length + own.byCap.length;
    // Where there are no steps left to tell which are the largest, none is looked at.
    const isAffordable = problem.work.spend(count * (line.isWeighed ? COST.weighedEffect : COST.rankedOffer));
    collected[i] = {
      line,
      plain: plain.perLine[i]!,
      byItems: isAffordable ? largestFirst(own.byItems, line, maximumBudgeted) : [],
      byCap: isAffordable ? largestFirst(own.byCap, line, maximumBudgeted) : [],
      isComplete:
        areCollected &&
        (isAffordable || count === 0) &&
        own.byItems.length <= maximumBudgeted &&
        own.byCap.length <= maximumBudgeted,
    };
  }
  return collected;
}

function largestFirst(offers: BudgetedOffer[], line: LineFacts, maximum: number): BudgetedOffer[] {
  if (offers.length < 2) return offers;
  const effects = new Map(offers.map((entry) => [entry, largestEffect(line, entry.offer)]));
  offers.sort((a, b) => effects.get(b)! - effects.get(a)! || a.slot - b.slot);
  return offers.slice(0, maximum);
}
