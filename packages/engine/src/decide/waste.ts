import { eligibleLines, isLimited, type Offer } from '../offers/offers.ts';
import { effectiveOffers, type Outcome, unitsOf } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';
import type { Standing } from './standing.ts';

/** At most so many limited benefits are tried without; any further ones stay spent. */
const MAX_WASTE_TRIALS = 8;

/**
 * Gives back limited uses that save nothing: where order-level benefits take all that is left on their lines, a limited
 * benefit may have been spent in vain. The one with the lowest priority, then the highest benefitId, is left out first.
 */
export function withoutWaste(
  outcome: Outcome,
  chosen: Selection,
  input: DecisionInput,
  price: (selection: Selection) => Outcome | undefined,
): Outcome {
  const { standing, selection } = chosen;
  if (outcome.uses.length === 0) return outcome;
  if (!mayHoldWaste(outcome, selection, standing) && !mayShareUse(outcome)) return outcome;
  // A gift is never spent in vain.
  const limited = effectiveOffers(outcome).filter((offer) => isLimited(offer) && offer.benefit.level !== 'gift');
  limited.sort((a, b) => a.benefit.priority - b.benefit.priority || b.benefit.ordinal - a.benefit.ordinal);
  let best = outcome;
  let kept = selection;
  for (const offer of limited.slice(0, MAX_WASTE_TRIALS)) {
    if (input.work.left === 0) break;
    const fewer = kept.filter((other) => other !== offer);
    const candidate = price({ ...chosen, selection: fewer, gifts: outcome.gifts });
    if (candidate?.total !== best.total || unitsOf(candidate) >= unitsOf(best)) continue;
    best = { ...candidate, search: outcome.search };
    kept = fewer;
  }
  return best;
}

/** Several benefits that are spent by the basket: one of them may do for the lines of another. */
function mayShareUse(outcome: Outcome): boolean {
  const spent = effectiveOffers(outcome).filter(
    ({ uses, grant, benefit }) =>
      benefit.level === 'line' && (grant !== undefined || uses.some(({ counts }) => counts === 'baskets')),
  );
  return spent.length > 1;
}

/** True where an order-level benefit takes all that its lines cost, or where nothing is left for it to take. */
function mayHoldWaste({ parts, orders }: Outcome, offers: readonly Offer[], standing: Standing): boolean {
  const { lines, withLoyaltyOrderDiscounts } = standing;
  if (!withLoyaltyOrderDiscounts) return false;
  const isIdle = (offer: Offer): boolean =>
    offer.benefit.level === 'order' &&
    !orders.some((effect) => effect.offer === offer) &&
    eligibleLines(offer, 0, lines).some((i) => lines[i]!.incoming > 0);
  if (offers.some(isIdle)) return true;
  const left = parts.map(({ rest }, part) => orders.reduce((sum, { shares }) => sum - shares[part]!, rest));
  return orders.some(({ shares }) => shares.every((share, part) => share === 0 || left[part] === 0));
}
