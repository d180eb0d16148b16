import type { Limit } from './benefit-definition.ts';
import { type LocalTime, localTime, periodName } from './calendar.ts';
import { grantUses } from './grants.ts';
import type { Benefit } from './programme.ts';
import type { LimitedUse, Member, Venue } from './types.ts';

/**
 * Every limited benefit of the venue's programme with the key of the period that `requestedAt` (RFC 3339) falls into,
 * in the venue's time zone, and every grant of the member, if there is one, that has a quantity. The number left under each key has to be
 * known before a basket can be priced.
 */
export function limitedUses(venue: Venue, requestedAt: string, member?: Member): LimitedUse[] {
  const { limited, benefits } = venue.programme;
  const mayHoldCounters = member !== undefined && member.grants.length > 0;
  if (limited.length === 0 && !mayHoldCounters) return [];
  const time = localTime(requestedAt, venue.timeZone);
  const uses = limited.map((benefit) => limitedUse(benefit, time));
  return mayHoldCounters ? [...uses, ...grantUses(member, benefits, time)] : uses;
}

/** The use of one limited benefit at a local time; the benefit has a limit. */
export function limitedUse(benefit: Benefit, time: LocalTime): LimitedUse {
  const limit = benefit.limit as Limit;
  return {
    benefitId: benefit.benefitId,
    usageKey: `${benefit.benefitId}:${periodName(limit.period, time.day)}`,
    limit: limit.quantity,
  };
}
