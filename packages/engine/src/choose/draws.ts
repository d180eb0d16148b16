import type { BuyGetRule } from '../compile/rule.ts';
import { effectAlone } from '../offers/modified-line.ts';
import { type BuyGetOffer, type DrawingOffer, discountableLines, isAt, type LineOffer } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import type { LineTakes, Take } from '../settle/split.ts';
import type { Problem } from './problem.ts';
import { mostGiven, netSavingOf, type SetLines, type SetsOf } from './sets.ts';

/** What was drawn of a line before all others choose. */
export interface Drawn extends LineTakes {
  readonly taken: readonly Take<DrawingOffer>[];
  readonly combinable: readonly Take<BuyGetOffer>[];
}

/** Offers that give the cheapest units (`pick: cheapest`): they draw before all others are chosen, as if they were alone. */
export function drawCheapest(offers: readonly DrawingOffer[], sets: SetsOf, problem: Problem): Drawn[] {
  const draw = new Draw(problem);
  for (const offer of offers) {
    if (isAt(offer, 'line')) draw.ofLines(offer);
    else draw.ofSets(offer, sets(offer));
  }
  return draw.drawn;
}

class Draw {
  /** Per line what was drawn of it, and how many units that are. */
  readonly drawn: Drawn[];
  readonly #gone: number[];
  /** What is left of limits by items that offers share. */
  readonly #left = new Map<Pool, number>();
  readonly #lines: Problem['lines'];
  readonly #policy: Problem['policy'];

  constructor({ lines, policy }: Problem) {
    this.#lines = lines;
    this.#policy = policy;
    this.drawn = lines.map(() => ({ taken: [], bought: [], rest: undefined, combinable: [] }));
    this.#gone = lines.map(() => 0);
  }

  /** The cheapest units that have an effect, of one price those that save more, then by position. */
  ofLines(offer: LineOffer): void {
    const { rule, selectors } = offer.benefit;
    const replaces = this.#policy === 'replace_if_larger';
    const own = discountableLines(offer, 0, this.#lines).flatMap((i) => {
      const line = this.#lines[i]!;
      const { effect, existing } = effectAlone(rule, selectors[0]!.isPercentage, line);
      const replaced = replaces ? existing : 0;
      if (effect <= 0 || effect * line.units <= replaced) return [];
      return { i, price: line.unitPrice, saving: Math.min(effect, line.room / line.units) - replaced / line.units };
    });
    own.sort((a, b) => a.price - b.price || b.saving - a.saving || a.i - b.i);
    const most = this.#mostOf(offer);
    let left = most;
    for (const { i } of own) {
      if (!this.#isFree(i)) continue;
      const units = Math.min(left, this.#freeOf(i));
      this.#add(i, 'taken', offer, units);
      left -= units;
    }
    if (most < Number.POSITIVE_INFINITY) this.#spend(offer, most - left);
  }

  /** As many sets as fit: the dearest units are bought, and of the given ones enough are left to buy. */
  ofSets(offer: BuyGetOffer, set: SetLines): void {
    const { rule } = offer.benefit;
    const buys = (i: number): boolean => set.fitsBuy[i]! && (rule.sharesBought || this.#isFree(i));
    const gives = (i: number): boolean => set.fitsGet[i]! && this.#isFree(i);
    const order = this.#dearestFirst(set).map((line) => ({
      line,
      buys: buys(line),
      gives: gives(line),
      free: this.#freeOf(line),
    }));
    const unitsOf = (some: typeof order): number => some.reduce((units, { free }) => units + free, 0);
    const buyable = unitsOf(order.filter((own) => own.buys));
    const giveable = Math.min(unitsOf(order.filter((own) => own.gives)), this.#mostOf(offer));
    let toGive = unitsToGive(rule, buyable, giveable, unitsOf(order.filter((own) => own.buys || own.gives)));
    let toBuy = Math.ceil(toGive / rule.getQuantity) * rule.buyQuantity;
    let spare = buyable - toBuy;
    this.#spend(offer, toGive);
    const given = new Map<number, number>();
    for (const own of order.toReversed()) {
      if (!own.gives) continue;
      const units = Math.min(toGive, own.free, own.buys ? spare : Number.POSITIVE_INFINITY);
      if (own.buys) spare -= units;
      given.set(own.line, units);
      toGive -= units;
    }
    for (const [line, units] of given) this.#add(line, 'taken', offer, units);
    for (const own of order) {
      if (!own.buys) continue;
      const units = Math.min(toBuy, own.free - (given.get(own.line) ?? 0));
      this.#add(own.line, rule.sharesBought ? 'combinable' : 'bought', offer, units);
      toBuy -= units;
    }
  }

  /** The units that the offer may draw, by what is left of its limits. */
  #mostOf({ items, pool }: DrawingOffer): number {
    return pool?.counts === 'items' ? Math.min(items, this.#left.get(pool) ?? pool.left) : items;
  }

  #spend({ pool }: DrawingOffer, units: number): void {
    if (pool?.counts === 'items') this.#left.set(pool, (this.#left.get(pool) ?? pool.left) - units);
  }

  #freeOf(line: number): number {
    return this.#lines[line]!.units - this.#gone[line]!;
  }

  /** A line that cannot be split is drawn from once. */
  #isFree(line: number): boolean {
    const { taken, bought } = this.drawn[line]!;
    return this.#lines[line]!.isSplittable || taken.length + bought.length === 0;
  }

  /** All lines of a set, of one price those of the smaller net saving first. */
  #dearestFirst({ fitsBuy, fitsGet, offer }: SetLines): number[] {
    const lines = this.#lines;
    const own = [...lines.keys()].filter((i) => fitsBuy[i] || fitsGet[i]);
    const savings = new Map(own.map((i) => [i, netSavingOf(lines[i]!, offer.benefit.rule, this.#policy)]));
    return own.sort((a, b) => lines[b]!.unitPrice - lines[a]!.unitPrice || savings.get(a)! - savings.get(b)! || a - b);
  }

  #add(line: number, where: 'taken' | 'bought' | 'combinable', offer: DrawingOffer, units: number): void {
    if (units === 0) return;
    const before = this.drawn[line]!;
    this.drawn[line] = { ...before, [where]: [...before[where], { offer, line, units }] };
    this.#gone[line]! += units;
  }
}

/** The most units that sets give, of so many that may be bought, that may be given, and of both together. */
function unitsToGive(rule: BuyGetRule, buyable: number, giveable: number, together: number): number {
  const { buyQuantity, getQuantity } = rule;
  const full = Math.min(
    Math.floor(buyable / buyQuantity),
    Math.floor(giveable / getQuantity),
    Math.floor(together / (buyQuantity + getQuantity)),
  );
  if (buyable < (full + 1) * buyQuantity) return full * getQuantity;
  const left = Math.min(giveable - full * getQuantity, together - full * getQuantity - (full + 1) * buyQuantity);
  return mostGiven(rule, full * getQuantity + Math.max(0, Math.min(left, getQuantity - 1)));
}
