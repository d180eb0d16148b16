import type { LineOffer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import { fullEffect } from '../settle.ts';
import { wholeLine } from '../split.ts';
import { COST } from '../work.ts';
import type { Spending } from './options.ts';
import type { Problem } from './problem.ts';

/**
 * The budgets that lines share: items left of a limit, minor units left of a cap per basket. Each budget has a price, the
 * saving that its last unit brings; with the price taken off, lines can be bounded one by one (Lagrangian relaxation). Any
 * price of at least 0 gives a valid bound; a good one makes the bound close.
 */
export class Budgets {
  readonly #itemsLeft: number[];
  readonly #discountLeft: number[];
  readonly #itemPrice: number[];
  readonly #discountPrice: number[];
  /** Effects as they were granted, the latest on top. */
  readonly #granted: number[] = [];
  /** Of the latest `spend`: the part of the saving that caps cut off, and the price of the budgets spent. */
  cut = 0;
  price = 0;

  constructor(problem: Problem, choice: PlainChoice, worth: readonly number[]) {
    const { budgeted } = problem;
    this.#itemsLeft = budgeted.map(({ items }) => items);
    this.#discountLeft = budgeted.map(({ mostDiscount }) => mostDiscount);
    const prices = budgeted.map((offer) => priceBudget(offer, problem, choice, worth));
    this.#itemPrice = prices.map(({ item }) => item);
    this.#discountPrice = prices.map(({ discount }) => discount);
  }

  /** The most that the budgets left could bring beyond the penalised bounds of the lines. */
  valueLeft(): number {
    let value = 0;
    for (let slot = 0; slot < this.#itemsLeft.length; slot++) {
      if (this.#itemPrice[slot]! > 0) value += this.#itemPrice[slot]! * this.#itemsLeft[slot]!;
      if (this.#discountPrice[slot]! > 0) value += this.#discountPrice[slot]! * this.#discountLeft[slot]!;
    }
    return value;
  }

  /**
   * The price of spending all this, less what a cap may spare: where a unit of the budget is dearer than the saving it
   * brings, an option costs least when the cap cuts it down to the smallest effect that it may have.
   */
  leastPriceOf(spending: readonly Spending[], worth: number): number {
    let price = 0;
    for (const { slot, units, effect, beats } of spending) {
      const discountPrice = this.#discountPrice[slot]!;
      price += this.#itemPrice[slot]! * units + discountPrice * effect;
      if (discountPrice > worth) price -= (discountPrice - worth) * (effect - beats - 1);
    }
    return price;
  }

  itemPriceOf(slot: number): number {
    return this.#itemPrice[slot]!;
  }

  discountPriceOf(slot: number): number {
    return this.#discountPrice[slot]!;
  }

  itemsLeftOf(slot: number): number {
    return this.#itemsLeft[slot]!;
  }

  /** Spends all of it and answers true, or spends nothing and answers false when the budgets are too small. */
  spend(spending: readonly Spending[]): boolean {
    this.cut = 0;
    this.price = 0;
    for (let at = 0; at < spending.length; at++) {
      const { slot, units, effect, beats } = spending[at]!;
      const given = Math.min(effect, this.#discountLeft[slot]!);
      if (this.#itemsLeft[slot]! < units || given <= beats) {
        this.#restore(spending, at);
        return false;
      }
      this.#itemsLeft[slot]! -= units;
      this.#discountLeft[slot]! -= given;
      this.#granted.push(given);
      this.cut += effect - given;
      this.price += this.#itemPrice[slot]! * units + this.#discountPrice[slot]! * given;
    }
    return true;
  }

  /** Gives back what was spent last. */
  restore(spending: readonly Spending[]): void {
    this.#restore(spending, spending.length);
  }

  #restore(spending: readonly Spending[], count: number): void {
    for (let at = count - 1; at >= 0; at--) {
      const { slot, units } = spending[at]!;
      this.#itemsLeft[slot]! += units;
      this.#discountLeft[slot]! += this.#granted.pop()!;
    }
  }
}

/**
 * The saving per item and per minor unit of discount where the budget of the offer runs out; 0 where it does not, and where
 * there are no steps left to find out.
 */
function priceBudget(
  offer: LineOffer,
  problem: Problem,
  choice: PlainChoice,
  worth: readonly number[],
): { item: number; discount: number } {
  const { work, lists } = problem;
  const lines = lists.discountable(offer, 0);
  if (!work.spend(lines.length * COST.pricedLine)) return { item: 0, discount: 0 };
  const candidates = lines.map((i) => {
    const line = problem.lines[i]!;
    if (line.isWeighed) work.spend(COST.weighedEffect);
    const effect = Math.min(fullEffect(wholeLine(line, offer, line.units), offer), line.room);
    const replaced = problem.policy === 'replace_if_larger' ? line.existing : 0;
    return { units: line.units, effect, gain: worth[i]! * (effect - replaced - choice.savings[i]!) };
  });
  const item = marginalPrice(
    candidates.map(({ units, gain }) => ({ size: units, gain })),
    offer.items,
  );
  const afterItems = candidates.map(({ units, effect, gain }) => ({ size: effect, gain: gain - item * units }));
  return { item, discount: marginalPrice(afterItems, offer.mostDiscount) };
}

function marginalPrice(candidates: readonly { size: number; gain: number }[], budget: number): number {
  if (budget === Number.POSITIVE_INFINITY) return 0;
  const useful = candidates.filter(({ size, gain }) => size > 0 && gain > 0);
  useful.sort((a, b) => b.gain / b.size - a.gain / a.size);
  let left = budget;
  for (const { size, gain } of useful) {
    left -= size;
    if (left < 0) return gain / size;
  }
  return 0;
}
