import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { LocalTime } from '../compile/calendar.ts';
import type { Benefit } from '../compile/programme.ts';
import { isOpen, type Opening } from '../compile/window.ts';
import { CONDITION_NAMES, CONDITIONS, conditionOf } from '../conditions/register.ts';
import type { Member, RefusalReason, Venue } from '../types.ts';
import { grantedFor } from './grants.ts';

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

/** The first condition that this benefit does not meet here and now, for this member. */
export function unmetCondition(benefit: Benefit, situation: Situation): RefusalReason | undefined {
  const { basket, venue, isClockOff } = situation;
  const unmetGrant = benefit.audience === 'granted' ? unmetByGrants(benefit.benefitId, situation) : undefined;
  if (unmetGrant === 'not_granted') return unmetGrant;
  const unmet = benefit.openings.length === 0 ? undefined : closedBy(benefit.openings, situation);
  if (unmet && !BY_THE_CLOCK.has(unmet)) return unmet;
  if (!benefit.isPriced || (benefit.namesMoney && basket.currency !== venue.currencies[0])) return 'other_currency';
  // A limit for a lifetime goes by the clock too, although it has no period to choose: a scarce benefit is not given on a
  // call that is in doubt.
  if (isClockOff && benefit.limits.length > 0) return 'clock_off';
  return unmetGrant ?? unmet;
}

/** Dates and counters of grants go by the clock as well. */
function unmetByGrants(benefitId: string, { member, time, isClockOff }: Situation): RefusalReason | undefined {
  const granted = grantedFor(member, benefitId, time);
  if (granted === undefined) return 'not_granted';
  return isClockOff && granted !== 'for good' ? 'clock_off' : undefined;
}

/** Why an entry of `when` is closed; the later ones are nearer to being open. */
const CLOSED: readonly ClosedBy[] = [
  ...CONDITION_NAMES.map((name) => CONDITIONS[name].reason),
  ...(['clock_off', 'not_now'] as const),
];
type ClosedBy = `other_${string}` | 'clock_off' | 'not_now';
const BY_THE_CLOCK: ReadonlySet<ClosedBy> = new Set(['clock_off', 'not_now']);

/** Undefined where any entry is open, otherwise the reason of the entry that is nearest to it. */
function closedBy(openings: readonly Opening[], situation: Situation): ClosedBy | undefined {
  let nearest = CLOSED[0]!;
  for (const opening of openings) {
    const reason = openingClosedBy(opening, situation);
    if (reason === undefined) return undefined;
    if (CLOSED.indexOf(reason) > CLOSED.indexOf(nearest)) nearest = reason;
  }
  return nearest;
}

/** Why this entry of `when` is closed; undefined when it is open. */
export function openingClosedBy({ conditions, window }: Opening, situation: Situation): ClosedBy | undefined {
  for (const name of CONDITION_NAMES) {
    const own = conditions[name];
    if (own !== undefined && !conditionOf(name).isMet(own, situation)) return CONDITIONS[name].reason;
  }
  if (window && situation.isClockOff) return 'clock_off';
  return window && !isOpen(window, situation.time) ? 'not_now' : undefined;
}
