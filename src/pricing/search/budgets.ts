import type { LineOffer, Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { Pool } from '../pools.ts';
import { largestEffect } from '../split.ts';
import { COST } from '../work.ts';
import type { Spending } from './option.ts';
import type { Problem } from './problem.ts';

/** Of a limit that several benefits share: what is left, and the price of a unit of it. */
interface PoolBudget {
  left: number;
  readonly price: number;
}

/**
 * The budgets that lines share: items left of a limit, minor units left of a cap per basket, and what is left of limits that
 * several benefits share. Each budget has a price, the saving that its last unit brings; with the price taken off, lines can
 * be bounded one by one (Lagrangian relaxation). Any price of at least 0 gives a valid bound; a good one makes the bound close.
 */
export class Budgets {
  readonly #pools = new Map<Pool, PoolBudget>();
  /** Few searches have any, and all of them ask for budgets again and again. */
  readonly #hasPools: boolean;
  /** Per slot the shared limit by items, and the one in money. */
  readonly #itemPool: (PoolBudget | undefined)[];
  readonly #moneyPool: (PoolBudget | undefined)[];
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
    const sharing: readonly Offer[] = [...budgeted, ...problem.bundles, ...problem.buyGets];
    for (const { pool } of sharing) {
      if (!pool || pool.counts === 'baskets' || this.#pools.has(pool)) continue;
      // The benefit that makes most of the last unit says what it is worth.
      const own = prices.filter((_, slot) => budgeted[slot]!.pool === pool);
      const price = Math.max(0, ...own.map(({ item, discount }) => (pool.counts === 'items' ? item : discount)));
      this.#pools.set(pool, { left: pool.left, price });
    }
    this.#hasPools = this.#pools.size > 0;
    this.#itemPool = budgeted.map(({ pool }) => (pool?.counts === 'items' ? this.#pools.get(pool) : undefined));
    this.#moneyPool = budgeted.map(({ pool }) => (pool?.counts === 'money' ? this.#pools.get(pool) : undefined));
    // What a benefit shares has one price, whoever spends it.
    this.#itemPrice = prices.map(({ item }, slot) => (this.#itemPool[slot] ? 0 : item));
    this.#discountPrice = prices.map(({ discount }, slot) => (this.#moneyPool[slot] ? 0 : discount));
  }

  /** The most that the budgets left could bring beyond the penalised bounds of the lines. */
  valueLeft(): number {
    let value = 0;
    for (let slot = 0; slot < this.#itemsLeft.length; slot++) {
      if (this.#itemPrice[slot]! > 0) value += this.#itemPrice[slot]! * this.#itemsLeft[slot]!;
      if (this.#discountPrice[slot]! > 0) value += this.#discountPrice[slot]! * this.#discountLeft[slot]!;
    }
    if (this.#hasPools) for (const { left, price } of this.#pools.values()) value += price * Math.max(0, left);
    return value;
  }

  /** Units that are left to an offer of the limit by items that it shares. */
  itemsLeftIn(pool: Pool | undefined): number {
    return pool?.counts === 'items' ? this.#pools.get(pool)!.left : Number.POSITIVE_INFINITY;
  }

  /** Spends units of a shared limit by items; less than 0 gives them back. */
  spendItems(pool: Pool | undefined, units: number): void {
    if (pool?.counts === 'items') this.#pools.get(pool)!.left -= units;
  }

  /**
   * The price of spending all this, less what a cap may spare: where a unit of the budget is dearer than the saving it
   * brings, an option costs least when the cap cuts it down to the smallest effect that it may have.
   */
  leastPriceOf(spending: readonly Spending[], worth: number): number {
    let price = 0;
    for (const { slot, units, effect, beats } of spending) {
      const discountPrice = this.discountPriceOf(slot);
      price += this.itemPriceOf(slot) * units + discountPrice * effect;
      if (discountPrice > worth) price -= (discountPrice - worth) * (effect - beats - 1);
    }
    return price;
  }

  itemPriceOf(slot: number): number {
    return (this.#hasPools && this.#itemPool[slot]?.price) || this.#itemPrice[slot]!;
  }

  discountPriceOf(slot: number): number {
    return (this.#hasPools && this.#moneyPool[slot]?.price) || this.#discountPrice[slot]!;
  }

  itemsLeftOf(slot: number): number {
    const left = this.#itemsLeft[slot]!;
    const pool = this.#hasPools ? this.#itemPool[slot] : undefined;
    return pool ? Math.min(left, pool.left) : left;
  }

  /** Spends all of it and answers true, or spends nothing and answers false when the budgets are too small. */
  spend(spending: readonly Spending[]): boolean {
    this.cut = 0;
    this.price = 0;
    for (let at = 0; at < spending.length; at++) {
      const { slot, units, effect, beats } = spending[at]!;
      const uncut = Math.min(effect, this.#discountLeft[slot]!);
      if (this.itemsLeftOf(slot) < units || uncut <= beats) {
        this.#restore(spending, at);
        return false;
      }
      const money = this.#hasPools ? this.#moneyPool[slot] : undefined;
      const items = this.#hasPools ? this.#itemPool[slot] : undefined;
      // Which of several parts a shared limit cuts is known when the whole is computed; what it gives them together is not more.
      const given = money ? Math.min(uncut, money.left) : uncut;
      if (money) money.left -= given;
      if (items) items.left -= units;
      this.#itemsLeft[slot]! -= units;
      this.#discountLeft[slot]! -= given;
      this.#granted.push(given);
      this.cut += effect - given;
      this.price += this.itemPriceOf(slot) * units + this.discountPriceOf(slot) * given;
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
      const given = this.#granted.pop()!;
      const money = this.#hasPools ? this.#moneyPool[slot] : undefined;
      const items = this.#hasPools ? this.#itemPool[slot] : undefined;
      this.#itemsLeft[slot]! += units;
      this.#discountLeft[slot]! += given;
      if (money) money.left += given;
      if (items) items.left += units;
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
    const effect = largestEffect(line, offer);
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
