import type { LineTakes } from '../split.ts';
import type { Work } from '../work.ts';
import { RELATIVE_ERROR } from './bounds.ts';
import type { Combination, Evaluator } from './evaluator.ts';

/** A search ends when it finds nothing better for this part of all steps and some more for every line. */
const PATIENCE = 0.45;
const PATIENCE_PER_LINE = 2;

/** The cheapest combination that a search has met so far, and what could still be cheaper. */
export class Incumbent {
  readonly #evaluator: Evaluator;
  readonly #work: Work;
  readonly #tolerance: number;
  readonly #patience: number;
  best: Combination | undefined;
  /** Steps spent when the best one was met, or at the beginning. */
  #metAt: number;

  /** `slack`: by how much rounding may make a bound too tight, in minor units; `best`: what another search has met. */
  constructor(evaluator: Evaluator, work: Work, slack: number, best: Combination | undefined) {
    this.#evaluator = evaluator;
    this.#work = work;
    this.#tolerance = slack + RELATIVE_ERROR * (1 + evaluator.totalWithoutEffects);
    this.#patience = work.maximumSteps * PATIENCE + evaluator.lines * PATIENCE_PER_LINE;
    this.best = best;
    this.#metAt = work.spent;
  }

  /** The least that the lines cost when line-level benefits and groups save no more than `value`. */
  leastTotal(value: number): number {
    return Math.ceil(this.#evaluator.totalWithoutEffects - value - this.#tolerance);
  }

  /** How much less a combination would cost that saves `value`, to the minor unit or so. */
  distanceTo(value: number): number {
    if (!this.best) return Number.POSITIVE_INFINITY;
    return this.best.total - (this.#evaluator.totalWithoutEffects - value);
  }

  /** True where a combination that saves `value` with so many limited uses would be better. */
  canImprove(value: number, uses: number): boolean {
    return this.isBeatenBy({ total: this.leastTotal(value), uses });
  }

  /** True where a combination that saves `value` would be worse, whatever it uses. */
  isBetterThan(value: number): boolean {
    return this.best !== undefined && this.leastTotal(value) > this.best.total;
  }

  /** The cheaper one is better; of equal ones the one that spends fewer limited uses; of those the first that was met. */
  isBeatenBy({ total, uses }: Pick<Combination, 'total' | 'uses'>): boolean {
    if (!this.best) return true;
    return total < this.best.total || (total === this.best.total && uses < this.best.uses);
  }

  offer(combination: Combination): void {
    if (!this.isBeatenBy(combination)) return;
    this.best = combination;
    this.#metAt = this.#work.spent;
  }

  /** True when nothing better has been met for so long that more work is hardly worth it. */
  get isStale(): boolean {
    return this.#work.spent - this.#metAt > this.#patience;
  }

  /**
   * Computes a combination to the unit. False when too few steps are left for it; the first combination is computed all the
   * same, so that there is always a best one.
   */
  evaluate(takes: readonly LineTakes[], uses: number): boolean {
    const isAffordable = this.#work.spend(this.#evaluator.stepsOf(takes));
    if (!isAffordable && this.best) return false;
    const combination = this.#evaluator.evaluate(takes, uses);
    if (combination) this.offer(combination);
    return isAffordable;
  }
}
