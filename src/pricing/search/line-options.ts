import type { LineFacts } from '../lines.ts';
import { MAX_UNITS_PER_LINE } from '../lines.ts';
import { discountableLines, type Offer } from '../offers.ts';
import type { Take } from '../split.ts';
import type { Budgets } from './budgets.ts';
import { type BudgetedOffer, type LineOffers, listOptions, type Option } from './options.ts';
import type { Problem } from './problem.ts';

/** What every line may do and save at most, listed once per line and number of open units. */

export interface RankedOptions {
  /** The most promising first: what it saves less the price of what it spends. */
  readonly options: readonly Option[];
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
  readonly #whole: (RankedOptions | undefined)[] = [];
  readonly #bare = new Map<number, RankedOptions>();

  constructor(problem: Problem, budgets: Budgets, worthOfLine: readonly number[]) {
    this.#problem = problem;
    this.#budgets = budgets;
    this.#worthOfLine = worthOfLine;
    this.#offers = collectLineOffers(problem);
  }

  /** True where a line's choice concerns others: it shares a budget with them. */
  sharesBudgets(line: number): boolean {
    const { byItems, byCap } = this.#offers[line]!;
    return byItems.length > 0 || byCap.length > 0;
  }

  /** Options for `units` open units of a line of which groups have taken `grouped`. */
  optionsOf(line: number, units: number, grouped: readonly Take[]): RankedOptions {
    if (grouped.length === 0) return this.#wholeOptions(line);
    if (isBare(this.#problem.lines[line]!)) return this.#bareOptions(line, units);
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
    const { options, isComplete } = listOptions(offers, units, grouped, { policy, everyChoice: isRough });
    const worth = this.#worthOfLine[offers.line.index]!;
    const ranked = options.map((option) => ({ option, value: worth * option.saving - this.#budgets.priceOf(option) }));
    ranked.sort((a, b) => b.value - a.value || a.option.limited.length - b.option.limited.length);
    return { options: ranked.map(({ option }) => option), isComplete, bound: Math.max(0, ranked[0]?.value ?? 0) };
  }
}

function isBare({ existing, allocated }: LineFacts): boolean {
  return existing === 0 && allocated === 0;
}

/** The offers that may take something of each line, in the order of the benefitId. */
function collectLineOffers(problem: Problem): LineOffers[] {
  const plain: Offer[][] = problem.lines.map(() => []);
  const byItems: BudgetedOffer[][] = problem.lines.map(() => []);
  const byCap: BudgetedOffer[][] = problem.lines.map(() => []);
  for (const offer of problem.plain) for (const i of discountableLines(offer, 0, problem.lines)) plain[i]!.push(offer);
  problem.budgeted.forEach((offer, slot) => {
    const byOffer = offer.benefit.limit?.counts === 'items' ? byItems : byCap;
    for (const i of discountableLines(offer, 0, problem.lines)) byOffer[i]!.push({ offer, slot });
  });
  return problem.lines.map((line, i) => ({ line, plain: plain[i]!, byItems: byItems[i]!, byCap: byCap[i]! }));
}
