import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { isWorthGiving } from '../offers/minimums.ts';
import { type BuyGetOffer, eligibleLines, lineListKey, type Offer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';

/** Indices of lines. Lists of one problem that stand for the same lines are often one object, and are made once. */
export type LineList = readonly number[];

/** Makes a value once per key and remembers it. */
function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** The lines that offers may touch, ascending; all selectors that name the same lines share their lists. */
export class LineLists {
  readonly #lines: readonly LineFacts[];
  readonly #work: Work;
  /** By selector, and by what it names. */
  readonly #eligible: LineList[] = [];
  readonly #shared = new Map<number | string, LineList>();
  readonly #discountable = new Map<LineList, LineList>();
  readonly #giveable = new Map<LineList, Map<string, LineList>>();
  readonly #units = new Map<LineList, number>();

  constructor(lines: readonly LineFacts[], work: Work) {
    this.#lines = lines;
    this.#work = work;
  }

  /** Lines that a selector of the offer names and that count for it. */
  eligible(offer: Offer, selectorNumber: number): LineList {
    const { id } = offer.benefit.selectors[selectorNumber]!;
    const known = this.#eligible[id];
    if (known) return known;
    this.#work.count(COST.list);
    const list = remembered(this.#shared, lineListKey(offer, selectorNumber), () =>
      this.#charged(eligibleLines(offer, selectorNumber, this.#lines)),
    );
    this.#eligible[id] = list;
    return list;
  }

  /** Lines of them that may be discounted at line level. */
  discountable(offer: Offer, selectorNumber: number): LineList {
    const list = this.eligible(offer, selectorNumber);
    return remembered(this.#discountable, list, () => {
      const isOpen = (i: number): boolean => this.#lines[i]!.isOpenToLineBenefits;
      return list.every(isOpen) ? list : this.#charged(list).filter(isOpen);
    });
  }

  /** Lines on which a given unit has an effect that beats its share of a discount there. */
  giveable(offer: BuyGetOffer, policy: ExistingLineDiscounts): LineList {
    const { rule } = offer.benefit;
    const list = this.discountable(offer, 1);
    const byEffect = remembered(this.#giveable, list, () => new Map());
    return remembered(byEffect, rule.effectKey, () =>
      this.#charged(list).filter((i) => isWorthGiving(this.#lines[i]!, rule, policy)),
    );
  }

  /** How many units the lines of a list have. */
  units(list: LineList): number {
    return remembered(this.#units, list, () =>
      this.#charged(list).reduce((units, i) => units + this.#lines[i]!.units, 0),
    );
  }

  #charged(list: LineList): LineList {
    this.#work.count(list.length * COST.listedLine);
    return list;
  }
}
