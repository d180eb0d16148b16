import type { OrderOffer } from '../settle/order-discounts.ts';
import type { Problem } from './problem.ts';

/**
 * What a minor unit saved on a line is worth at the till: of a unit under a 10 % order discount only 0.9 arrives. For bounds
 * alone; no amount of an answer is computed from it. No combination saves more than Σ worth × saving + `fixed` + `slack`.
 */
export interface Worth {
  readonly ofLine: readonly number[];
  /** What the order discounts take, however the lines are chosen. */
  readonly fixed: number;
  readonly slack: number;
}

const WHOLE = 10_000;

export function worthOfLines(
  { lines, ofBasket, orders, isRough, budgeted, bundles, buyGets }: Problem,
  savings: readonly number[],
): Worth {
  const dividing = budgeted.length + bundles.length + buyGets.length;
  // What is left of a line, what is bought of it, and a part for each benefit that takes some of its units.
  const mostParts = ofBasket.map(({ units, isSplittable }) => (isSplittable ? Math.min(units, 2 + dividing) : 1));
  const own = ofBasket.map(() => 1);
  const ofLine = ofBasket.map(() => 1);
  let [fixed, slack] = [0, 0];
  /** Of the discounts so far that a later one is computed after: the lines that each touches. */
  const shared: (readonly boolean[])[] = [];
  orders.forEach(({ offer, touches }: OrderOffer) => {
    const { rule } = offer.benefit;
    const { mostDiscount, times } = offer;
    const share = (rule.percentHundredths ?? 0) / WHOLE;
    slack += 1;
    shared.forEach((before, at) => {
      if (isRough) slack += share * (1 + deviationOf(before, touches, mostParts, at === shared.length - 1));
    });
    const isCapped = mostDiscount !== Number.POSITIVE_INFINITY;
    let rest = 0;
    ofBasket.forEach(({ incoming }, i) => {
      if (touches[i]) rest += own[i]! * Math.max(0, incoming - savings[i]!);
    });
    if (share === 0) fixed += Math.min(mostDiscount, rule.amount(Number.MAX_SAFE_INTEGER, times));
    else if (isCapped && share * rest >= mostDiscount) fixed += mostDiscount;
    else {
      ofBasket.forEach((_, i) => {
        if (!touches[i]) return;
        ofLine[i]! -= share * own[i]!;
        // What a cap cuts is left for the discounts after it.
        if (!isCapped) own[i]! *= 1 - share;
      });
      if (!isCapped) shared.push(touches);
    }
  });
  for (const [i, line] of ofBasket.entries()) {
    ofLine[i] = Math.max(0, ofLine[i]!);
    fixed += (1 - ofLine[i]!) * line.incoming;
  }
  // Of a unit with modifiers no line is worth more than the one that is worth most.
  for (const { index, unit } of lines)
    if (unit) ofLine[index] = Math.max(...unit.lines.map(({ line }) => ofLine[line.index]!));
  return { ofLine, fixed, slack };
}

/**
 * A discount is shared out in whole minor units, so each part has up to one too many or too few. By so much may the lines differ
 * that a later discount touches too. All parts together have none too many, unless one in between has made some of them cheaper.
 */
function deviationOf(
  before: readonly boolean[],
  touches: readonly boolean[],
  parts: readonly number[],
  isNext: boolean,
): number {
  let [both, alone] = [0, 0];
  before.forEach((isTouched, i) => {
    if (!isTouched) return;
    if (touches[i]) both += parts[i]!;
    else alone += parts[i]!;
  });
  return isNext ? Math.min(both, alone) : both;
}
