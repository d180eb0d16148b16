import type { LineFacts } from '../lines/lines.ts';
import { type BuyGetOffer, isAt, type LineOffer } from '../offers/offers.ts';
import type { OptionInput, PricedUnit, Role, UnitBound } from './line-option.ts';

const NOTHING: PricedUnit = { saving: 0, cut: [], slots: [], amounts: [], sets: [] };
const ONES: readonly (readonly number[])[] = [0, 1, 2, 3].map((slots) => new Array<number>(slots).fill(1));

/** A bound of all ways: each unit in the role in which it gains most. */
export function boundOf(
  line: LineFacts,
  roles: readonly Role[],
  byCap: readonly LineOffer[],
  input: OptionInput,
): UnitBound {
  const { worth, couplings, plain, drawn } = input;
  let once = roles.length / 2 + 1;
  const unitOf = (offer: LineOffer | BuyGetOffer): number => {
    const { perUnit, once: ofLine } = offer.benefit.rule.extent(line);
    once += ofLine * worth;
    return line.unit ? line.unitPrice : perUnit;
  };
  const ofUnit: PricedUnit[] = [NOTHING];
  for (const offer of line.isOpenToLineBenefits ? [...plain, ...byCap] : [])
    ofUnit.push({ ...NOTHING, saving: unitOf(offer) * worth });
  for (const { offer, part, slot, bundle, item, set } of roles) {
    const limits = part === 'bought' ? [] : couplings.limitsOf.get(offer)!;
    const slots = slot === undefined ? limits : [...limits, slot];
    const { estimate } = isAt(offer, 'bundle') ? offer.benefit.rule : { estimate: undefined };
    const fixed = bundle && item === 0 ? estimate!.perBundle / bundle.quantities[0]! : 0;
    const saving = isAt(offer, 'bundle')
      ? estimate!.ofPrice * line.unitPrice + fixed
      : part === 'bought'
        ? 0
        : unitOf(offer);
    // Units that others may discount as well gain that beside it.
    if (part === 'bought' && isAt(offer, 'buyGet') && offer.benefit.rule.sharesBought)
      once += line.unitPrice * line.units;
    const sets = set ? [set] : NOTHING.sets;
    ofUnit.push({ saving: saving * worth, cut: NOTHING.cut, slots, amounts: ONES[slots.length]!, sets });
  }
  if (drawn)
    for (const { offer, units } of drawn.taken)
      if (!isAt(offer, 'bundle')) once += offer.benefit.rule.effect(line, units) * worth;
  return { units: line.units, ofUnit, once };
}
