import type { OrderLevelOffer } from '../offers.ts';
import type { Problem } from './problem.ts';

/**
 * How much a saving on a line is worth at the till. A cheaper line makes the order discounts smaller, so of a unit saved on
 * a line under a 10 % order discount only 0.9 arrives. These are estimates for bounds alone, and
 * the only place of this room with fractions; no amount of an answer is ever computed from them.
 */
export interface Worth {
  readonly ofLine: readonly number[];
  /** By how much rounding may make a bound too tight, in minor units. */
  readonly slack: number;
}

/** A bound in fractions is good to this part of the amounts in it. */
export const RELATIVE_ERROR = 1e-9;
const WHOLE = 10_000;

export function worthOfLines({ lines, orders, isRough }: Problem): Worth {
  // An amount that several lines share moves between them when one gets cheaper: on different lines nothing is certain.
  const isLinear = !isRough || orders.every(({ offer }) => shareOf(offer) > 0);
  let slack = 0;
  const ofLine = lines.map(() => 1);
  orders.forEach(({ offer, touches }, earlier) => {
    const share = shareOf(offer);
    slack += 1;
    // Every order discount before may have shared out each line's part a unit too high or too low.
    if (isRough) slack += 4 * earlier * lines.length;
    if (share > 0 && isLinear) {
      touches.forEach((isTouched, i) => {
        if (isTouched) ofLine[i]! *= 1 - share;
      });
    }
  });
  // Of a unit with modifiers no line is worth more than the one that is worth most.
  for (const { index, unit } of lines) {
    if (unit) ofLine[index] = Math.max(...unit.lines.map(({ line }) => ofLine[line.index]!));
  }
  return { ofLine, slack };
}

/** The part of every unit that an order-level benefit takes, where it takes it of every unit; otherwise 0. */
function shareOf({ benefit, mostDiscount }: OrderLevelOffer): number {
  const { percentHundredths = 0 } = benefit.rule;
  return mostDiscount === Number.POSITIVE_INFINITY ? percentHundredths / WHOLE : 0;
}
