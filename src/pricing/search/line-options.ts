import { MAX_UNITS_PER_LINE } from '../lines.ts';
import { discountableLines, type Offer } from '../offers.ts';
import { fullEffect } from '../settle.ts';
import { type Take, wholeLine } from '../split.ts';
import type { Budgets } from './budgets.ts';
import { type BudgetedOffer, type LineOffers, listOptions, type Option } from './options.ts';
import type { Problem } from './problem.ts';

/** What every line may do and save at most, listed once per line and number of open units. */

export interface RankedOption extends Option {
  /** What it saves, worth counted, less the price of what it spends. */
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

export class LineOptions {
  readonly #offers: readonly LineOffers[];
  readonly #problem: Problem;
  readonly #budgets: Budgets;
  readonly #worthOfLine: readonly number[];
  readonly #maximumDeals: number;
  readonly #whole: (RankedOptions | undefined)[] = [];
  readonly #bare = new Map<number, RankedOptions>();

  constructor(
    problem: Problem,
    plain: readonly Offer[][],
    budgets: Budgets,
    worthOfLine: readonly number[],
    maximumDeals: number,
  ) {
    this.#maximumDeals = maximumDeals;
    this.#problem = problem;
    this.#budgets = budgets;
    this.#worthOfLine = worthOfLine;
    this.#offers = collectLineOffers(problem, plain);
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
    const { policy, isRough } = this.#problem;
    const settings = { policy, everyChoice: isRough, maximumDeals: this.#maximumDeals };
    const { options, isComplete } = listOptions(offers, units, grouped, settings);
    const worth = this.#worthOfLine[offers.line.index]!;
    const ranked = options.map((option) => ({
      ...option,
      value: worth * option.saving - this.#budgets.priceOf(option.spending),
    }));
    ranked.sort((a, b) => b.value - a.value || a.limited.length - b.limited.length);
    return { options: ranked, isComplete, bound: Math.max(0, ranked[0]?.value ?? 0) };
  }
}

/** The offers that may take something of each line, in the order of the benefitId. */
function collectLineOffers(problem: Problem, plain: readonly Offer[][]): LineOffers[] {
  const byItems: BudgetedOffer[][] = problem.lines.map(() => []);
  const byCap: BudgetedOffer[][] = problem.lines.map(() => []);
  problem.budgeted.forEach((offer, slot) => {
    const byOffer = offer.benefit.limit?.counts === 'items' ? byItems : byCap;
    for (const i of discountableLines(offer, 0, problem.lines)) byOffer[i]!.push({ offer, slot });
  });
  return problem.lines.map((line, i) => {
    const effect = ({ offer }: BudgetedOffer): number => fullEffect(wholeLine(line, offer, line.units), offer);
    if (byItems[i]!.length > 1) byItems[i]!.sort((a, b) => effect(b) - effect(a) || a.slot - b.slot);
    return { line, plain: plain[i]!, byItems: byItems[i]!, byCap: byCap[i]! };
  });
}
