import { percentOf } from '../money/round.ts';
import type { BuyXGetYLines } from './benefits/buy-x-get-y.ts';
import type { LineFacts } from './lines.ts';
import { discountableLines, eligibleLines, type Offer } from './offers.ts';
import type { BuyXGetYRule, ExistingLineDiscounts } from './programme.ts';

/** Which lines a group draws its units from, and what it lacks to be formed once. */

/**
 * The lines of a `buy_x_get_y`, ascending; on a given one a unit must have an effect that beats its share of a discount
 * there.
 */
export function buyXGetYLines(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): BuyXGetYLines {
  const { percentHundredths } = offer.benefit.rule as BuyXGetYRule;
  const buy = eligibleLines(offer, 0, lines);
  const isBuy = new Array<boolean>(lines.length).fill(false);
  for (const i of buy) isBuy[i] = true;
  const get = discountableLines(offer, 1, lines).filter((i) => {
    const effect = percentOf(lines[i]!.unitPrice, percentHundredths);
    return effect > 0 && (policy !== 'replace_if_larger' || effect * lines[i]!.units > lines[i]!.existing);
  });
  return { buy, isBuy, get };
}

export interface MissingUnits {
  readonly units: number;
  /** What the units would have to be, for people. */
  readonly description: string;
}

/** The fewest units of one item that are missing to form a group once; nothing when it can be formed. */
export function missingUnits(
  offer: Offer,
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
): MissingUnits | undefined {
  const { rule, selectors } = offer.benefit;
  const count = (own: Iterable<number>): number => [...own].reduce((units, i) => units + lines[i]!.units, 0);
  if (rule.kind === 'buy_x_get_y') {
    const { buy, get } = buyXGetYLines(offer, lines, policy);
    const [toBuy, toGet] = [rule.buyQuantity - count(buy), rule.getQuantity - count(get)];
    const together = rule.buyQuantity + rule.getQuantity - count(new Set([...buy, ...get]));
    // Where one half is short, filling it may do; where only the sum is short, a unit of either half counts.
    if (toBuy > 0) return { units: Math.max(toBuy, together), description: selectors[0]!.description };
    if (toGet > 0 || together > 0) return { units: Math.max(toGet, together), description: selectors[1]!.description };
    return undefined;
  }
  if (rule.kind !== 'bundle_price') return undefined;
  for (const [item, quantity] of rule.quantities.entries()) {
    const missing = quantity - count(discountableLines(offer, item, lines));
    if (missing > 0) return { units: missing, description: selectors[item]!.description };
  }
  return undefined;
}

/** True where a group has lines to draw from, but not units enough to be formed once. */
export function lacksUnits(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): boolean {
  const { level, selectors } = offer.benefit;
  if (level !== 'group') return false;
  const hasLines = selectors.some((_, n) => discountableLines(offer, n, lines).length > 0);
  return hasLines && missingUnits(offer, lines, policy) !== undefined;
}
