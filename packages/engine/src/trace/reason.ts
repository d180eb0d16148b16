import type { UnchangedReason } from '@loyalty/contract/basket-response';
import { formsDeals } from '../compile/rule.ts';
import { decide } from '../decide/decide.ts';
import { changesBasket } from '../decide/outcome.ts';
import type { DecisionInput } from '../decide/selection.ts';
import { possibleStandings } from '../decide/standing.ts';
import type { LineFacts } from '../lines/lines.ts';
import { isMinimumMet, lacksUnits } from '../offers/minimums.ts';
import { joinUnits } from '../offers/modified-line.ts';
import type { Offer } from '../offers/offers.ts';
import { byPrecedence } from '../offers/precedence.ts';
import { COST } from '../work.ts';

/**
 * Why a basket stays as it is although benefits name lines of it; the first that fits (interface, section 2).
 * A set or bundle that lacks units is a minimum that is not met: one more of them would do.
 */
export function reasonForUnchanged(
  offers: readonly Offer[],
  lines: readonly LineFacts[],
  input: DecisionInput,
): UnchangedReason {
  if (offers.length === 0) return 'no_applicable_benefits';
  const policy = input.venue.programme.existingLineDiscounts;
  const { work } = input;
  if (keepsAll(input)) return 'all_lines_excluded';
  const seen = joinUnits(lines, offers[0]!.matches.modified, policy);
  const isTooSmall =
    offers.some((offer) => {
      // Where there are no steps left to look closer, the units are taken to be enough.
      const steps = lines.length * offer.benefit.selectors.length * COST.countedLine;
      return formsDeals(offer.benefit.level) && work.spend(steps) && lacksUnits(offer, seen, policy);
    }) ||
    (offers.some((offer) => hasLateMinimum(offer) || !isMinimumMet(offer, lines, work)) &&
      changesBasket(decide(byPrecedence(offers, lines, work).open, { ...input, ignoresMinimums: true })));
  return isTooSmall ? 'basket_too_small' : 'all_lines_excluded';
}

/** The whole basket keeps what the staff gave, whatever the benefits would save. */
function keepsAll({ basket, lines, venue }: DecisionInput): boolean {
  const standings = possibleStandings(basket, lines, venue.programme, []);
  return standings.every(({ ofBasket }) => ofBasket === 'kept');
}

/** A minimum that is judged when the benefits have been chosen. */
function hasLateMinimum({ benefit: { minimumSaving, netMinimum } }: Offer): boolean {
  return minimumSaving > 0 || netMinimum > 0;
}
