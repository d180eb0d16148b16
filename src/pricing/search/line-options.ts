import { type LineFacts, MAX_UNITS_PER_LINE } from '../lines.ts';
import type { Offer } from '../offers.ts';
import { fullEffect } from '../settle.ts';
import { type Take, wholeLine } from '../split.ts';
import type { Budgets } from './budgets.ts';
import { type BudgetedOffer, type LineOffers, listOptions, type Option } from './options.ts';
import type { Problem } from './problem.ts';

/** What every line may do and save at most, listed once per line and number of open units. */

export interface RankedOption extends Option {
  /** The most it is worth: what it saves, worth counted, less the price of what it spends. */
  readonly value: number;
}

export interface RankedOptions {
  /** The most promising first. */
  readonly options: readonly RankedOption[];
  readonly isComplete: boolean;
  /** No option is worth more than this. */
  readonly bound: number;
}

const UNITS_PER_KEY = MAX_UNITS_PER_LINE + 1;

interface CollectedOffers extends LineOffers {
  readonly isComplete: boolean;
}

export class LineOptions {
  /** False when some offers of some lines are left out, and bounds with them. */
  readonly isComplete: boolean;
  /** Per line; only those of the lines that are decided are filled in. */
  readonly #offers: readonly CollectedOffers[];
  readonly #problem: Problem;
  readonly #budgets: Budgets;
  readonly #worthOfLine: readonly number[];
  readonly #maximumOptions: number;
  readonly #whole: (RankedOptions | undefined)[] = [];
  readonly #bare = new Map<number, RankedOptions>();

  constructor(
    problem: Problem,
    plain: readonly Offer[][],
    lines: readonly number[],
    budgets: Budgets,
    worthOfLine: readonly number[],
    maximumOptions: number,
  ) {
    this.#maximumOptions = maximumOptions;
    this.#problem = problem;
    this.#budgets = budgets;
    this.#worthOfLine = worthOfLine;
    this.#offers = collectLineOffers(problem, plain, lines, Math.max(2, Math.floor(Math.sqrt(maximumOptions))));
    this.isComplete = lines.every((line) => this.#offers[line]!.isComplete);
  }

  /** True where no discount that is there has to be shared out when the line is split. */
  isBare(line: number): boolean {
    const { existing, allocated } = this.#problem.lines[line]!;
    return existing === 0 && allocated === 0;
  }

  /** Options for `units` open units of a line of which groups have taken `grouped`. */
  optionsOf(line: number, units: number, grouped: readonly Take[]): RankedOptions {
    if (grouped.length === 0) return this.#wholeOptions(line);
    if (this.isBare(line)) return this.#bareOptions(line, units);
    return this.#rank(this.#offers[line]!, units, grouped);
  }

  /** The most that `units` open units of a line can save, whatever groups have taken of it. */
  boundOf(line: number, units: number): number {
    if (units === 0) return 0;
    const facts = this.#problem.lines[line]!;
    if (units === facts.units) return this.#wholeOptions(line).bound;
    return Math.min(this.#bareOptions(line, units).bound, this.#worthOfLine[line]! * facts.incoming);
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

  #rank(offers: LineOffers, units: number, grouped: readonly Take[]): RankedOptions {
    const { policy, everyChoice } = this.#problem;
    const settings = { policy, everyChoice, maximumOptions: this.#maximumOptions };
    const { options, isComplete } = listOptions(offers, units, grouped, settings);
    const worth = this.#worthOfLine[offers.line.index]!;
    const ranked = options.map((option) => ({
      ...option,
      value: worth * option.saving - this.#budgets.leastPriceOf(option.spending, worth),
    }));
    ranked.sort((a, b) => b.value - a.value || b.saving - a.saving || a.limited.length - b.limited.length);
    return { options: ranked, isComplete, bound: Math.max(0, ranked[0]?.value ?? 0) };
  }
}

/**
 * The offers that may take something of each line, those with the largest effect first. Of more budgeted offers than
 * `maximumBudgeted` on a line the smaller ones are left out.
 */
function collectLineOffers(
  problem: Problem,
  plain: readonly Offer[][],
  lines: readonly number[],
  maximumBudgeted: number,
): CollectedOffers[] {
  const byItems: BudgetedOffer[][] = [];
  const byCap: BudgetedOffer[][] = [];
  for (const i of lines) {
    byItems[i] = [];
    byCap[i] = [];
  }
  problem.budgeted.forEach((offer, slot) => {
    const byOffer = offer.benefit.limit?.counts === 'items' ? byItems : byCap;
    for (const i of problem.lists.discountable(offer, 0)) byOffer[i]!.push({ offer, slot });
  });
  const collected: CollectedOffers[] = [];
  for (const i of lines) {
    const line = problem.lines[i]!;
    collected[i] = {
      line,
      plain: plain[i]!,
      byItems: largestFirst(byItems[i]!, line, maximumBudgeted),
      byCap: largestFirst(byCap[i]!, line, maximumBudgeted),
      isComplete: byItems[i]!.length <= maximumBudgeted && byCap[i]!.length <= maximumBudgeted,
    };
  }
  return collected;
}

function largestFirst(offers: BudgetedOffer[], line: LineFacts, maximum: number): BudgetedOffer[] {
  if (offers.length < 2) return offers;
  const effects = new Map(
    offers.map((entry) => [entry, fullEffect(wholeLine(line, entry.offer, line.units), entry.offer)]),
  );
  offers.sort((a, b) => effects.get(b)! - effects.get(a)! || a.slot - b.slot);
  return offers.slice(0, maximum);
}
