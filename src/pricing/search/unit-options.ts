import type { LineFacts } from '../lines.ts';
import { APART, effectOn } from '../modified-line.ts';
import { isLimited, type LineOffer } from '../offers.ts';
import type { ExistingLineDiscounts } from '../policy.ts';
import { fullEffect } from '../settle.ts';
import { type Take, unitParts } from '../split.ts';
import type { BudgetedOffer } from './deals.ts';
import { type LineOffers, NOTHING, type Option } from './option.ts';

/** The ways to use units with modifiers, whose lines take one benefit together. */

interface UnitOptions {
  /** With a benefit that spends no budget, or with none; empty where the deal takes the units. */
  readonly choices: readonly Option[];
  readonly budgeted: readonly Option[];
}

/** One deal, or any benefit of the whole; `isGone`: a group has taken or bought some of the units. */
export function listUnitOptions(
  { line, plain, byItems, byCap }: LineOffers,
  deal: readonly Take<LineOffer>[],
  isGone: boolean,
  policy: ExistingLineDiscounts,
): UnitOptions {
  const [take] = deal;
  if (take) {
    const { slot } = byItems.find(({ offer }) => offer === take.offer)!;
    const option = isGone ? undefined : unitOption(line, { offer: take.offer, slot }, take.units, policy);
    return { choices: [], budgeted: option ? [{ ...option, taken: deal }] : [] };
  }
  if (isGone) return { choices: [NOTHING], budgeted: [] };
  const optionsWith = (own: readonly BudgetedOffer[]): Option[] =>
    own.flatMap((budgeted) => {
      const option = unitOption(line, budgeted, line.units, policy);
      return option ? { ...option, rest: budgeted.offer } : [];
    });
  const unbudgeted = plain.map((offer) => ({ offer, slot: -1 }));
  return { choices: [NOTHING, ...optionsWith(unbudgeted)], budgeted: optionsWith(byCap) };
}

/** The option with a benefit on so many units. Undefined where it would have no effect. */
function unitOption(
  line: LineFacts,
  { offer, slot }: BudgetedOffer,
  units: number,
  policy: ExistingLineDiscounts,
): Option | undefined {
  const { rule } = offer.benefit;
  if (rule === APART) return { ...NOTHING, saving: effectOn(rule, false, line, units) };
  const own = unitParts(line, offer, units).filter((part) => part.offer);
  let [effect, replaced] = [0, 0];
  for (const part of own) {
    effect += fullEffect(part, offer);
    if (policy === 'replace_if_larger') replaced += part.existing;
  }
  if (effect <= 0) return undefined;
  // A cap may leave some of the lines their discounts: which ones is known when the whole is computed.
  if (offer.mostDiscount !== Number.POSITIVE_INFINITY) replaced = 0;
  return {
    ...NOTHING,
    spending: slot < 0 ? NOTHING.spending : [{ slot, units, effect, beats: 0 }],
    saving: effect - replaced,
    limited: isLimited(offer) ? [{ offer, units }] : NOTHING.limited,
  };
}
