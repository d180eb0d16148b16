import { isWorthGiving } from '../groups.ts';
import type { LineFacts } from '../lines.ts';
import { netSavingOf as netSavingOfUnit } from '../modified-line.ts';
import { type BuyGetOffer, eligibleLines, lineListKey, type Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { ExistingLineDiscounts } from '../policy.ts';
import type { BuyGetRule } from '../rule.ts';
import { COST, type Work } from '../work.ts';

/**
 * What a given unit of the line saves: what is taken off it, cut to what it still costs, less the existing discount that gives
 * way; before rounding. Of one price the units that save less come first in a set.
 */
function netSavingOf(line: LineFacts, rule: BuyGetRule, policy: ExistingLineDiscounts): number {
  if (line.unit) return netSavingOfUnit(line, rule);
  const { units, room, existing } = line;
  const replaced = policy === 'replace_if_larger' && existing > 0 ? existing / units : 0;
  return Math.min(rule.extent(line).perUnit, room / units) - replaced;
}

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

/** Lines in the order in which their units are cut into sets; of equal `ranks` none comes before the other. */
export interface SetOrder {
  readonly lines: LineList;
  readonly ranks: readonly number[];
}

/** Lists in the orders that groups draw from. */
export class LineOrders {
  readonly #lines: readonly LineFacts[];
  readonly #savings: readonly number[];
  readonly #policy: ExistingLineDiscounts;
  readonly #dearest = new Map<LineList, LineList>();
  readonly #inSetOrder = new Map<LineList, Map<LineList, Map<string, SetOrder>>>();
  readonly #promising = new Map<LineList, LineList>();
  readonly #isIn = new Map<LineList, readonly boolean[]>();
  readonly #work: Work;

  constructor(lines: readonly LineFacts[], { savings }: PlainChoice, policy: ExistingLineDiscounts, work: Work) {
    this.#work = work;
    this.#policy = policy;
    this.#lines = lines;
    this.#savings = savings;
  }

  /** The lines of a list, the dearest units first. */
  dearest(list: LineList): LineList {
    return remembered(this.#dearest, list, () => this.#sortBy(list, (i) => -this.#lines[i]!.unitPrice));
  }

  /**
   * The lines of two lists in the order in which units are cut into sets: the dearest units first, of one price those that
   * save least.
   */
  inSetOrder(list: LineList, other: LineList, rule: BuyGetRule): SetOrder {
    const byOther = remembered(this.#inSetOrder, list, () => new Map<LineList, Map<string, SetOrder>>());
    const byEffect = remembered(byOther, other, () => new Map<string, SetOrder>());
    return remembered(byEffect, rule.effectKey, () => {
      const joined = list === other ? list : [...list, ...other.filter((i) => !this.isIn(list)[i])];
      this.#work.count(joined.length * (COST.sortedLine + COST.effect));
      const units = joined.map((i) => {
        const line = this.#lines[i]!;
        return { index: i, price: line.unitPrice, saving: netSavingOf(line, rule, this.#policy) };
      });
      units.sort((a, b) => b.price - a.price || a.saving - b.saving || a.index - b.index);
      const ranks: number[] = [];
      units.forEach((own, at) => {
        const before = units[at - 1];
        const isEqual = before?.price === own.price && before.saving === own.saving;
        ranks.push(isEqual ? ranks[at - 1]! : at);
      });
      return { lines: units.map(({ index }) => index), ranks };
    });
  }

  /** The lines of a list, those first whose units cost most after the existing discount and another benefit's saving. */
  promising(list: LineList): LineList {
    return remembered(this.#promising, list, () =>
      this.#sortBy(list, (i) => {
        const { unitPrice, existing, units } = this.#lines[i]!;
        return (existing + this.#savings[i]!) / units - unitPrice;
      }),
    );
  }

  /** Per line of the basket whether the list has it. */
  isIn(list: LineList): readonly boolean[] {
    return remembered(this.#isIn, list, () => {
      const isIn = new Array<boolean>(this.#lines.length).fill(false);
      for (const i of list) isIn[i] = true;
      return isIn;
    });
  }

  /** By a key, the smaller first; of equal ones the earlier line. */
  #sortBy(list: LineList, keyOfLine: (line: number) => number): LineList {
    if (list.length < 2) return list;
    this.#work.count(list.length * COST.sortedLine);
    const keys: number[] = [];
    for (const i of list) keys[i] = keyOfLine(i);
    return [...list].sort((a, b) => keys[a]! - keys[b]! || a - b);
  }
}
