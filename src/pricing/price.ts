import type { BasketLine, BasketRequest } from '../contract/basket-request.ts';
import type { UnchangedReason } from '../contract/basket-response.ts';
import { localTime } from './calendar.ts';
import { findOffers, type Offer } from './offers.ts';
import { renderLine, renderOrderDiscount, sumTotals } from './render.ts';
import { type LineEffect, selectEffects } from './selection.ts';
import type { Decision, Member, Use, Venue } from './types.ts';

export { limitedUses } from './limits.ts';
export type { AppliedDecision, Decision, LimitedUse, Member, Trace, UnchangedDecision, Use, Venue } from './types.ts';

export interface PriceInput {
  /** Validated, its identities checked (src/basket). */
  readonly basket: BasketRequest;
  readonly member: Member;
  readonly venue: Venue;
  /** What is left of every limited use, by `usageKey`; a missing key counts as nothing left. */
  readonly available: ReadonlyMap<string, number>;
  readonly trace?: boolean;
}

/**
 * Prices a basket for a member of the venue's programme: (basket, member, venue, availability) → decision. Pure and
 * synchronous; the same input gives the same bytes. An `applied` decision changes the basket in at least one way
 * (specification, section 2); whether the member exists is the caller's question.
 */
export function priceBasket({ basket, member, venue, available }: PriceInput): Decision {
  if (member.status !== 'active') return { status: 'unchanged', reason: 'member_inactive' };
  const { programme } = venue;
  const label = member.memberLabel ?? programme.memberLabel;
  const memberLabel = label === undefined ? {} : { memberLabel: label };

  const time = localTime(basket.requestedAt, venue.timeZone);
  const offers = findOffers({ basket, member, venue, available, time });
  const policy = programme.existingLineDiscounts;
  const effects = selectEffects(basket.lines, offers, { policy });
  if (effects.every((effect) => effect === undefined)) {
    return { status: 'unchanged', reason: explainUnchanged(basket, offers, venue), ...memberLabel };
  }

  const options = { policy, discountCode: programme.discountCode };
  const lines = basket.lines.map((line, i) => renderLine(line as BasketLine, effects[i], options));
  return {
    status: 'applied',
    lines,
    orderDiscounts: basket.orderDiscounts.map(renderOrderDiscount),
    totals: sumTotals(lines, 0),
    ...memberLabel,
    uses: collectUses(effects),
  };
}

/** The first reason that fits (design of benefits): a minimum, then protected or cheaper lines, then nothing that matches. */
function explainUnchanged(basket: BasketRequest, offers: readonly Offer[], venue: Venue): UnchangedReason {
  const policy = venue.programme.existingLineDiscounts;
  const withoutMinimums = selectEffects(basket.lines, offers, { policy, ignoreMinimums: true });
  if (withoutMinimums.some((effect) => effect !== undefined)) return 'basket_too_small';
  return offers.length > 0 ? 'all_lines_excluded' : 'no_applicable_benefits';
}

/** One use per limited benefit that had an effect, in the order of the benefitId. */
function collectUses(effects: readonly (LineEffect | undefined)[]): Use[] {
  const uses = new Map<number, Use>();
  for (const effect of effects) {
    const use = effect?.offer.use;
    if (use) uses.set(effect.offer.benefit.ordinal, { ...use, units: 1 });
  }
  return [...uses.entries()].sort(([a], [b]) => a - b).map(([, use]) => use);
}
