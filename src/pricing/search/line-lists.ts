import { WHOLE_IN_HUNDREDTHS } from '../../money/round.ts';
import { isWorthGiving } from '../groups.ts';
import type { LineFacts } from '../lines.ts';
import { discountableLines, eligibleLines, lineListKey, type Offer } from '../offers.ts';
import type { PlainChoice } from '../plain.ts';
import type { BuyXGetYRule, ExistingLineDiscounts } from '../programme.ts';

/** Indices of lines. Lists of one problem that stand for the same lines are often one object, and are made once. */
export type LineList = readonly number[];

/** Answers from memory what was asked of the same list or link before. */
function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** The lines that offers may touch, ascending; all selectors that name every line share their lists. */
export class LineLists {
  readonly #lines: readonly LineFacts[];
  readonly #eligible = new Map<number, LineList>();
  readonly #discountable = new Map<number, LineList>();
  readonly #giveable = new Map<number, LineList>();
  readonly #units = new Map<LineList, number>();

  constructor(lines: readonly LineFacts[]) {
    this.#lines = lines;
  }

  /** Lines that a selector of the offer names and its kind may count. */
  eligible(offer: Offer, selectorNumber: number): LineList {
    const key = lineListKey(offer, selectorNumber);
    return remembered(this.#eligible, key, () => eligibleLines(offer, selectorNumber, this.#lines));
  }

  /** Lines of them that may be discounted at line level. */
  discountable(offer: Offer, selectorNumber: number): LineList {
    const key = lineListKey(offer, selectorNumber);
    return remembered(this.#discountable, key, () => discountableLines(offer, selectorNumber, this.#lines));
  }

  /** Lines of a `buy_x_get_y` on which a given unit has an effect that beats its share of a discount there. */
  giveable(offer: Offer, policy: ExistingLineDiscounts): LineList {
    const rule = offer.benefit.rule as BuyXGetYRule;
    const key = lineListKey(offer, 1) * (WHOLE_IN_HUNDREDTHS + 1) + rule.percentHundredths;
    return remembered(this.#giveable, key, () =>
      this.discountable(offer, 1).filter((i) => isWorthGiving(this.#lines[i]!, rule, policy)),
    );
  }

  /** How many units the lines of a list have. */
  units(list: LineList): number {
    return remembered(this.#units, list, () => list.reduce((units, i) => units + this.#lines[i]!.units, 0));
  }
}

/** Lists in the orders that groups draw from. */
export class LineOrders {
  readonly #lines: readonly LineFacts[];
  readonly #savings: readonly number[];
  readonly #dearest = new Map<LineList, LineList>();
  readonly #cheapest = new Map<LineList, LineList>();
  readonly #promising = new Map<LineList, LineList>();
  readonly #isIn = new Map<LineList, readonly boolean[]>();

  constructor(lines: readonly LineFacts[], { savings }: PlainChoice) {
    this.#lines = lines;
    this.#savings = savings;
  }

  /** Those with the dearest units first. */
  dearest(list: LineList): LineList {
    return remembered(this.#dearest, list, () => sortBy(list, (i) => -this.#lines[i]!.unitPrice));
  }

  cheapest(list: LineList): LineList {
    return remembered(this.#cheapest, list, () => sortBy(list, (i) => this.#lines[i]!.unitPrice));
  }

  /** Those first whose units cost most beyond what is off already or another benefit would save. */
  promising(list: LineList): LineList {
    return remembered(this.#promising, list, () =>
      sortBy(list, (i) => {
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
}

/** By a key, the smaller first; of equal ones the earlier line. */
function sortBy(list: LineList, keyOfLine: (line: number) => number): LineList {
  if (list.length < 2) return list;
  const keys: number[] = [];
  for (const i of list) keys[i] = keyOfLine(i);
  return [...list].sort((a, b) => keys[a]! - keys[b]! || a - b);
}
