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

export function worthOfLines({ lines, ofBasket, orders, isRough }: Problem, savings: readonly number[]): Worth {
  const own = ofBasket.map(() => 1);
  const ofLine = ofBasket.map(() => 1);
  let [fixed, slack] = [0, 0];
  orders.forEach(({ offer, touches }: OrderOffer, earlier) => {
    const { rule } = offer.benefit;
    const { mostDiscount, times } = offer;
    slack += 1;
    // Every discount before may have shared out each line's part a unit too high or too low.
    if (isRough) slack += 4 * earlier * ofBasket.length;
    const share = (rule.percentHundredths ?? 0) / WHOLE;
    const isCapped = mostDiscount !== Number.POSITIVE_INFINITY;
    let rest = 0;
    ofBasket.forEach(({ incoming }, i) => {
      if (touches[i]) rest += own[i]! * Math.max(0, incoming - (savings[i] ?? 0));
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
