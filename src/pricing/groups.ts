import { percentOf } from '../money/round.ts';
import { maximumBundles } from './benefits/bundle-price.ts';
import { type BuyXGetYLines, maximumTimes } from './benefits/buy-x-get-y.ts';
import type { LineFacts } from './lines.ts';
import { discountableLines, eligibleLines, type Offer } from './offers.ts';
import type { BundlePriceRule, BuyXGetYRule, ExistingLineDiscounts } from './programme.ts';
import { UnitPool } from './unit-pool.ts';

/** Which lines a group draws its units from. */

/** The lines of a `buy_x_get_y`; on a given one a unit must have an effect that beats its share of a discount there. */
export function buyXGetYLines(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): BuyXGetYLines {
  const { percentHundredths } = offer.benefit.rule as BuyXGetYRule;
  const price = (i: number): number => lines[i]!.unitPrice;
  const buy = eligibleLines(offer, 0, lines).sort((a, b) => price(b) - price(a) || a - b);
  const isBuy = new Array<boolean>(lines.length).fill(false);
  for (const i of buy) isBuy[i] = true;
  const get = discountableLines(offer, 1, lines).filter((i) => {
    const effect = percentOf(price(i), percentHundredths);
    return effect > 0 && (policy !== 'replace_if_larger' || effect * lines[i]!.units > lines[i]!.existing);
  });
  return { buy, isBuy, get: get.sort((a, b) => price(a) - price(b) || a - b) };
}

/** True where a group has lines to draw from, but not units enough to be formed once. */
export function lacksUnits(offer: Offer, lines: readonly LineFacts[], policy: ExistingLineDiscounts): boolean {
  const { rule, selectors } = offer.benefit;
  const pool = new UnitPool(lines);
  if (rule.kind === 'buy_x_get_y') {
    const own = buyXGetYLines(offer, lines, policy);
    return own.buy.length + own.get.length > 0 && maximumTimes(rule, own, pool) === 0;
  }
  if (rule.kind !== 'bundle_price') return false;
  const own = selectors.map((_, item) => discountableLines(offer, item, lines));
  return own.some((candidates) => candidates.length > 0) && maximumBundles(rule as BundlePriceRule, own, pool) === 0;
}
