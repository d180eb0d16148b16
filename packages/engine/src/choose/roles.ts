import type { LineFacts } from '../lines/lines.ts';
import { effectsOnUnit } from '../offers/modified-line.ts';
import { type BuyGetOffer, isAt, type LineOffer, takesPercentage, type UnitOffer } from '../offers/offers.ts';
import type { Couplings } from './couplings.ts';
import type { Role } from './way.ts';

/** Of so many units every number is tried. */
export const FEW_UNITS = 12;

/** True where a selector of the offer names the line and it may be discounted at line level. */
export type IsDiscountable = (offer: UnitOffer, selector: number, line: number) => boolean;

/** The roles in which offers may take units of a line. */
export function rolesOn(
  line: LineFacts,
  offers: readonly UnitOffer[],
  couplings: Couplings,
  isDiscountable: IsDiscountable,
  worth: number,
): Role[] {
  const roles: Role[] = [];
  const { index, units } = line;
  for (const offer of offers) {
    const limits = couplings.limitsOf.get(offer)!;
    const sums = couplings.sumsOf.get(offer)!;
    const items = limits.reduce(
      (least, slot) => Math.min(least, couplings.capacities[slot]!),
      Number.POSITIVE_INFINITY,
    );
    const most = Math.min(units, items);
    const given = { offer, isExclusive: true, slots: limits, sums, most, item: undefined, flag: undefined };
    const alone = { ...given, bundle: undefined, set: undefined };
    if (isAt(offer, 'line')) {
      if (offer.items === Number.POSITIVE_INFINITY || !isDiscountable(offer, 0, index)) continue;
      const gain = mostPerUnit(line, offer, most) * worth;
      roles.push({ ...alone, part: 'line', isOfGroup: false, gain });
    } else if (isAt(offer, 'bundle')) {
      const bundle = couplings.bundleOf.get(offer)!;
      const { estimate } = offer.benefit.rule;
      for (const [item, quantity] of bundle.quantities.entries()) {
        if (!isDiscountable(offer, item, index)) continue;
        const fixed = item === 0 ? estimate.perBundle / quantity : 0;
        const gain = (estimate.ofPrice * line.unitPrice + fixed) * worth;
        roles.push({
          ...alone,
          ...{ part: 'bundle', item, isOfGroup: true, slots: [...limits, bundle.at + item], sums: [], bundle, gain },
        });
      }
    } else {
      const set = couplings.setOf.get(offer)!;
      const [fitsBuy, fitsGet] = [set.set.fitsBuy[index]!, set.set.fitsGet[index]!];
      const flag = fitsBuy !== fitsGet && set.set.row.length > 0 ? set.at + 2 : undefined;
      const { sharesBought, buyQuantity, getQuantity } = offer.benefit.rule;
      const own = { ...alone, isOfGroup: true, set, flag };
      const mostBought = Math.min(units, Math.floor(items / getQuantity) * buyQuantity);
      if (fitsBuy)
        roles.push({
          ...own,
          ...{ part: 'bought', isExclusive: !sharesBought, slots: [set.at], sums: [], most: mostBought, gain: 0 },
        });
      if (fitsGet) {
        const gain = mostPerUnit(line, offer, most) * worth;
        roles.push({ ...own, part: 'given', slots: [...limits, set.at + 1], gain });
      }
    }
  }
  return roles;
}

/** No unit of the line becomes cheaper than this by the offer, however many of up to `most` it takes. */
export function mostPerUnit(line: LineFacts, offer: LineOffer | BuyGetOffer, most: number): number {
  const { rule } = offer.benefit;
  if (line.unit) {
    if (most > FEW_UNITS) return line.unitPrice;
    let perUnit = 0;
    for (let units = 1; units <= most; units++) {
      const effects = effectsOnUnit(rule, takesPercentage(offer), line, units);
      perUnit = Math.max(perUnit, effects.reduce((sum, own) => sum + own, 0) / units);
    }
    return perUnit;
  }
  const one = rule.effect(line, 1);
  if (most < 2) return one;
  // What is rounded, or comes once, is shared by two units at least.
  const { perUnit, once, isRounded } = rule.extent(line);
  return Math.max(one, perUnit + (once + (isRounded ? ROUNDED : 0)) / 2);
}

/** Rounding adds less than this. */
const ROUNDED = 1;
