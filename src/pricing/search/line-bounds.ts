import type { LineFacts } from '../lines.ts';
import { extentOn } from '../modified-line.ts';
import { type LineOffer, takesPercentage } from '../offers.ts';
import type { Budgets } from './budgets.ts';
import type { LineOffers } from './option.ts';

/**
 * The most that any number of units of one line can be worth, without listing the ways to deal them out: each unit goes to
 * the offer that makes most of it while that one has units left, and the rest to the best of the others. Roundings are
 * allowed for, so it is never less than the best option; it may be a little more.
 */
export class LineBound {
  readonly #line: LineFacts;
  readonly #worth: number;
  /** Offers limited by items, those that make most of a unit first. */
  readonly #pieces: readonly Piece[];
  /** The most that the rest of a line is worth per unit, and at once, whatever its size. */
  readonly #perUnit: number;
  readonly #atOnce: number;
  /** The most that rounding adds to the effect of one offer. */
  readonly #slack: number;

  constructor({ line, plain, byItems, byCap }: LineOffers, worth: number, budgets: Budgets) {
    this.#line = line;
    this.#worth = worth;
    const pieces: Piece[] = [];
    for (const { offer, slot } of byItems) addPieces(pieces, line, offer, worth, budgets, slot);
    pieces.sort((a, b) => b.perUnit - a.perUnit);
    this.#pieces = pieces;
    let [perUnit, atOnce, slack] = [0, 0, 0];
    const addRest = (offer: LineOffer, weight: number): void => {
      const extent = extentOn(offer.benefit.rule, takesPercentage(offer), line);
      atOnce = Math.max(atOnce, weight * extent.once);
      perUnit = Math.max(perUnit, weight * extent.perUnit);
      if (extent.isRounded) slack = Math.max(slack, weight / 2);
    };
    for (const offer of plain) addRest(offer, worth);
    for (const { offer, slot } of byCap) addRest(offer, Math.max(0, worth - budgets.discountPriceOf(slot)));
    for (const piece of pieces) slack = Math.max(slack, piece.slack);
    this.#perUnit = perUnit;
    this.#atOnce = atOnce;
    this.#slack = slack;
  }

  /** Of `units` open units; they are worth no more than they cost. */
  of(units: number): number {
    if (units === 0) return 0;
    const filled = Math.max(this.#fill(units, this.#perUnit), this.#atOnce + this.#fill(units, 0));
    const { incoming, unitPrice } = this.#line;
    return Math.min(filled + this.#slack, this.#worth * Math.min(incoming, units * unitPrice));
  }

  /** A line above the value of any number of units: `once + units × perUnit`. An existing discount that gives way is off it. */
  slope(replaces: boolean): Slope {
    let perUnit = this.#perUnit;
    let once = this.#atOnce + this.#slack;
    for (const piece of this.#pieces) {
      perUnit = Math.max(perUnit, piece.perUnit);
      once += piece.slack;
    }
    const { existing, units } = this.#line;
    if (!replaces || existing === 0) return { perUnit, once };
    // Each part has its share of the discount, rounded down or up.
    const rounded = this.#worth * (1 + this.#pieces.length);
    return { perUnit: Math.max(0, perUnit - (this.#worth * existing) / units), once: once + rounded };
  }

  #fill(units: number, rest: number): number {
    let left = units;
    let value = 0;
    let slacks = 0;
    for (const { perUnit, most, slack } of this.#pieces) {
      if (perUnit + slack <= rest) continue;
      slacks += slack;
      const taken = perUnit > rest ? Math.min(left, most) : 0;
      value += taken * perUnit;
      left -= taken;
    }
    return value + left * rest + Math.min(slacks, units * this.#slack);
  }
}

export interface Slope {
  readonly perUnit: number;
  readonly once: number;
}

/** Units that one offer may take, worth so much each beyond the price of its budget. */
interface Piece {
  readonly perUnit: number;
  readonly most: number;
  readonly slack: number;
}

function addPieces(
  pieces: Piece[],
  line: LineFacts,
  offer: LineOffer,
  worth: number,
  budgets: Budgets,
  slot: number,
): void {
  const { perUnit, once, isRounded } = extentOn(offer.benefit.rule, takesPercentage(offer), line);
  const weight = Math.max(0, worth - budgets.discountPriceOf(slot));
  const price = budgets.itemPriceOf(slot);
  const slack = isRounded ? weight / 2 : 0;
  if (once === 0) {
    pieces.push({ perUnit: weight * perUnit - price, most: offer.items, slack });
    return;
  }
  // An amount that the line takes once: whole units of it, and what is left on one more.
  const whole = Math.floor(once / Math.max(1, line.unitPrice));
  pieces.push({ perUnit: weight * line.unitPrice - price, most: Math.min(whole, offer.items), slack });
  const rest = once - whole * line.unitPrice;
  pieces.push({ perUnit: weight * rest - price, most: Math.min(1, offer.items), slack });
}
