/**
 * The bound on the work of pricing one basket. Pricing has no clock, because the same basket must always get the same
 * answer. It counts steps instead: wherever its work grows with the basket or the programme, the steps are counted before
 * they are taken, and the work is left out when none are left.
 */
export class Work {
  #spent = 0;
  #limit: number;
  readonly #budget: number;
  readonly maximumSteps: number;

  /** Work that takes more steps than `budget` is given up with `OverBudget`. */
  constructor(maximumSteps: number, budget: number = Number.POSITIVE_INFINITY) {
    this.#limit = maximumSteps;
    this.maximumSteps = maximumSteps;
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  /** Counts steps that are about to be taken. False when too few are left: the caller then leaves the work out. */
  spend(steps: number): boolean {
    if (this.#spent + steps > this.#limit) {
      this.#spent = Math.max(this.#spent, this.#limit);
      return false;
    }
    this.count(steps);
    return true;
  }

  /** Counts steps of work that cannot be left out. */
  count(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.#budget) throw new OverBudget();
  }

  /** Lets a part of the work have no more than so many of the steps that are left. */
  within<Result>(steps: number, run: () => Result): Result {
    const before = this.#limit;
    this.#limit = Math.min(before, this.#spent + Math.max(0, steps));
    const result = run();
    this.#limit = before;
    return result;
  }

  /** Lets a part of the work have so many steps of its own, whatever is left. */
  beyond<Result>(steps: number, run: () => Result): Result {
    const before = this.#limit;
    this.#limit = this.#spent + steps;
    const result = run();
    this.#limit = before;
    return result;
  }
}

/** Thrown through all of pricing to the caller that gave the budget: other calls wait on its thread. */
export class OverBudget extends Error {}

/** The steps that a basket of any size may take, unless its programme says otherwise: about twenty milliseconds. */
export const DEFAULT_MAXIMUM_STEPS = 12_000;

/**
 * The cost of the work that pricing repeats, in steps. A step stands for about a microsecond of CPU, so that a number
 * of steps means the same time wherever it is spent. Each cost was measured under programmes that do little else, and
 * errs on the high side.
 */
export const COST = {
  /** To find that a selector names a line, or that it may. */
  match: 0.01,
  /** To ask a benefit for its conditions; to name the period of its limit as well. */
  offer: 0.1,
  limitedOffer: 1,
  /** To know a grant of the member, what is left of it, and to keep it with the calculation (grants.ts). */
  grant: 0.8,
  /** To find a list of lines, to look at one of its lines, to sort it. */
  list: 0.5,
  listedLine: 0.004,
  sortedLine: 0.08,
  countedLine: 0.05,
  /** To compute the effect of a benefit on a line. The price of weighed goods takes decimal digits. */
  effect: 0.05,
  weighedEffect: 1,
  /** To compare an offer with another on a line. */
  comparedOffer: 0.02,
  /** An elementary operation on units and limited offers: of their assignment, or to move a unit. */
  assignedCell: 0.004,
  /** To find in which roles an offer may take units of lines. */
  role: 0.5,
  /** To go on from a label with one unit and one offer. */
  label: 0.005,
  /** To look at a line, or to add a unit, for an item of a bundle; at a move of a knapsack; at a swap of two units. */
  bundledUnit: 0.015,
  knapsackMove: 0.015,
  swap: 0.1,
  /** To copy or to compare what a role has of a line. */
  cell: 0.01,
  /** To compute a line of a combination to the unit; to judge it, and what it shares with others. */
  evaluatedLine: 1,
  judgedLine: 2,
  /** To share an amount out, for every share; where amounts multiply beyond the exact range of a number. */
  share: 0.1,
  largeShare: 0.6,
} as const;

/** Two amounts up to here multiply to a number that is exact. */
const MOST_MULTIPLIED = Math.floor(Math.sqrt(Number.MAX_SAFE_INTEGER));

/** Steps for every share of an amount up to `total` minor units. */
export function stepsPerShare(total: number): number {
  return total <= MOST_MULTIPLIED ? COST.share : COST.largeShare;
}
