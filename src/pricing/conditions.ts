import type { BasketRequest } from '../contract/basket-request.ts';
import type { LocalTime } from './calendar.ts';
import type { Benefit } from './programme.ts';
import type { Member, RefusalReason, Venue } from './types.ts';
import { isOpen } from './window.ts';

/** Everything that decides about a benefit before any line is looked at. */
export interface Situation {
  readonly basket: BasketRequest;
  readonly member: Member;
  readonly venue: Venue;
  /** `requestedAt` in the venue's time zone. */
  readonly time: LocalTime;
  /** True when `requestedAt` is too far from the right time to decide about anything. */
  readonly isClockOff: boolean;
}

/**
 * True where the benefit goes by `requestedAt`: by its day, a weekday or an hour, or by the period of a limit. A limit for a
 * lifetime counts too, although it has no period to choose: a scarce benefit is not given on a call that is in doubt.
 */
function goesByClock({ limit, window }: Benefit): boolean {
  return limit !== undefined || window !== undefined;
}

/** The first condition that this benefit does not meet here and now, for this member. */
export function unmetCondition(
  benefit: Benefit,
  { basket, member, venue, time, isClockOff }: Situation,
): RefusalReason | undefined {
  if (benefit.audience === 'granted' && !member.grants.includes(benefit.benefitId)) return 'not_granted';
  if (benefit.tiers && (member.tier === undefined || !benefit.tiers.has(member.tier))) return 'other_tier';
  if (benefit.venueIds && !benefit.venueIds.has(venue.venueId)) return 'other_venue';
  if (benefit.channels && !benefit.channels.has(basket.context.channel)) return 'other_channel';
  if (benefit.namesMoney && basket.currency !== venue.currencies[0]) return 'other_currency';
  if (isClockOff && goesByClock(benefit)) return 'clock_off';
  if (benefit.window && !isOpen(benefit.window, time)) return 'not_now';
  return undefined;
}
