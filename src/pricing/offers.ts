import type { BasketLine, BasketRequest } from '../contract/basket-request.ts';
import type { LocalTime } from './calendar.ts';
import { limitedUse } from './limits.ts';
import type { Benefit } from './programme.ts';
import { matchLines } from './selector.ts';
import type { LimitedUse, Member, Venue } from './types.ts';
import { isOpen } from './window.ts';

/** A benefit that is open to this member, here and now, with the lines of this basket that it may touch. */
export interface Offer {
  readonly benefit: Benefit;
  /** Indices of the lines that the selector names, ascending. */
  readonly matching: readonly number[];
  /** Those of them that are not protected against this kind of benefit. */
  readonly eligible: readonly number[];
  readonly minimumMet: boolean;
  readonly use?: LimitedUse;
}

export interface OfferInput {
  readonly basket: BasketRequest;
  readonly member: Member;
  readonly venue: Venue;
  readonly available: ReadonlyMap<string, number>;
  readonly time: LocalTime;
}

/** The open benefits that match at least one line, in the order of their benefitId. */
export function findOffers(input: OfferInput): Offer[] {
  const { basket, venue } = input;
  const matches = matchLines(venue.programme.selectorIndex, basket.lines);
  const offers: Offer[] = [];
  for (const benefit of venue.programme.benefits) {
    const matching = matches[benefit.rule.selector.id] as number[];
    if (matching.length === 0 || !isOffered(benefit, input)) continue;
    const use = benefit.limit && limitedUse(benefit, input.time);
    if (use && (input.available.get(use.usageKey) ?? 0) < 1) continue;
    const eligible = matching.filter((i) => mayTouch(basket.lines[i] as BasketLine));
    const spend = eligible.reduce((sum, i) => sum + (basket.lines[i] as BasketLine).orderLinePrice, 0);
    offers.push({ benefit, matching, eligible, minimumMet: spend >= benefit.minimumSpend, ...(use && { use }) });
  }
  return offers;
}

/** Audience, tier, place, channel and time; nothing of this depends on the lines. */
function isOffered(benefit: Benefit, { basket, member, venue, time }: OfferInput): boolean {
  if (benefit.audience === 'granted' && !member.grants.includes(benefit.benefitId)) return false;
  if (benefit.tiers && (member.tier === undefined || !benefit.tiers.has(member.tier))) return false;
  if (benefit.channels && !benefit.channels.has(basket.context.channel)) return false;
  if (benefit.venueIds && !benefit.venueIds.has(venue.venueId)) return false;
  return !benefit.window || isOpen(benefit.window, time);
}

/** No effect ever touches a `noDiscount` line; no percentage kind touches a `noPercentageDiscount` line. */
function mayTouch(line: BasketLine): boolean {
  return !line.noDiscount && !line.noPercentageDiscount;
}
