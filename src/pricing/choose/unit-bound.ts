import type { LineFacts } from '../lines.ts';
import { type BuyGetOffer, isAt, type LineOffer } from '../offers.ts';
import { NOTHING_BOUGHT } from '../split.ts';
import type { CutEffect, LineOption, OptionInput, UnitBound } from './line-option.ts';
import type { Role } from './roles.ts';

const NO_CUTS: readonly CutEffect[] = [];

/** A bound of all ways: each unit in the role in which it gains most. */
export function boundOf(
  line: LineFacts,
  roles: readonly Role[],
  byCap: readonly LineOffer[],
  input: OptionInput,
): UnitBound {
  const { worth, couplings, plain, drawn } = input;
  const nothing: LineOption = {
    ...{ takes: { taken: [], bought: NOTHING_BOUGHT, rest: undefined }, saving: 0, cut: NO_CUTS },
    ...{ slots: [], amounts: [], flags: [], bundles: [], sets: [], uses: 0 },
  };
  let once = roles.length / 2 + 1;
  const unitOf = (offer: LineOffer | BuyGetOffer): number => {
    const { perUnit, once: ofLine } = offer.benefit.rule.extent(line);
    once += ofLine * worth;
    return line.unit ? line.unitPrice : perUnit;
  };
  const ofUnit: LineOption[] = [nothing];
  for (const offer of line.isOpenToLineBenefits ? [...plain, ...byCap] : [])
    ofUnit.push({ ...nothing, saving: unitOf(offer) * worth });
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
    ofUnit.push({ ...nothing, saving: saving * worth, slots, amounts: slots.map(() => 1), sets: set ? [set] : [] });
  }
  if (drawn)
    for (const { offer, units } of drawn.taken)
      if (!isAt(offer, 'bundle')) once += offer.benefit.rule.effect(line, units) * worth;
  return { units: line.units, ofUnit, once };
}
