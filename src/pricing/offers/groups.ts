import type { ExistingLineDiscounts } from '../compile/policy.ts';
import { type BuyGetRule, formsGroups } from '../compile/rule.ts';
import type { LineFacts } from '../lines/lines.ts';
import { givenEffect } from '../settle/modified-line.ts';
import { type BundleOffer, type BuyGetOffer, discountableLines, eligibleLines, isAt, type Offer } from './offers.ts';

/** Which lines a group draws its units from, and how many units it lacks to be formed once. */

/** The lines from which units may be bought and on which they may be given, ascending. */
function buyGetLines(
  offer: BuyGetOffer,
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
): { readonly buy: readonly number[]; readonly get: readonly number[] } {
  const { rule } = offer.benefit;
  const buy = eligibleLines(offer, 0, lines);
  const get = discountableLines(offer, 1, lines).filter((i) => isWorthGiving(lines[i]!, rule, policy));
  return { buy, get };
}

/**
 * True where a given unit has an effect; where the guest may not choose which units are given, one that beats the unit's
 * share of an existing discount.
 */
export function isWorthGiving(line: LineFacts, rule: BuyGetRule, policy: ExistingLineDiscounts): boolean {
  const { effect, existing } = givenEffect(rule, line);
  if (effect <= 0) return false;
  return rule.pick === 'per_set' || policy !== 'replace_if_larger' || effect * line.units > existing;
}

export interface MissingUnits {
  readonly units: number;
  /** Which products the units would have to be, for people. */
  readonly description: string;
}

/** The fewest units of one item that are missing to form a group once. Undefined when it can be formed. */
export function missingUnits(
  offer: Offer,
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
): MissingUnits | undefined {
  const { selectors } = offer.benefit;
  const count = (own: Iterable<number>): number => [...own].reduce((units, i) => units + lines[i]!.units, 0);
  if (isAt(offer, 'buyGet')) {
    const { rule } = offer.benefit;
    const { buy, get } = buyGetLines(offer, lines, policy);
    const [toBuy, toGet] = [rule.buyQuantity - count(buy), rule.getQuantity - count(get)];
    const together = rule.buyQuantity + rule.getQuantity - count(new Set([...buy, ...get]));
    // Where one half is short, filling it may do; where only the sum is short, a unit of either half counts.
    if (toBuy > 0) return { units: Math.max(toBuy, together), description: selectors[0]!.description };
    if (toGet > 0 || together > 0) return { units: Math.max(toGet, together), description: selectors[1]!.description };
    return undefined;
  }
  return isAt(offer, 'bundle') ? missingItems(offer, lines)[0] : undefined;
}

/** The units of each item that are missing to form a bundle once. */
export function missingItems(offer: BundleOffer, lines: readonly LineFacts[]): MissingUnits[] {
  return offer.benefit.rule.quantities.flatMap((quantity, item) => {
    const own = discountableLines(offer, item, lines).reduce((units, i) => units + lines[i]!.units, 0);
    return quantity > own ? { units: quantity - own, description: offer.benefit.selectors[item]!.description } : [];
  });
}

/** True where a group has lines to draw from, but not units enough to be formed once. */
export function lacksUnits(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): boolean {
  const { level, selectors } = offer.benefit;
  if (!formsGroups(level)) return false;
  const hasLines = selectors.some((_, n) => discountableLines(offer, n, lines).length > 0);
  return hasLines && missingUnits(offer, lines, policy) !== undefined;
}
