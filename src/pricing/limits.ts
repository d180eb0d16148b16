import type { Limit } from './benefit-definition.ts';
import { type LocalTime, localTime, periodName } from './calendar.ts';
import type { Benefit } from './programme.ts';
import type { LimitedUse, Venue } from './types.ts';

/**
 * Every limited benefit of the venue's programme with the key of the period that `requestedAt` (RFC 3339) falls into,
 * in the venue's time zone. The number left under each key has to be known before a basket can be priced.
 */
export function limitedUses(venue: Venue, requestedAt: string): LimitedUse[] {
  const { limited } = venue.programme;
  if (limited.length === 0) return [];
  const time = localTime(requestedAt, venue.timeZone);
  return limited.map((benefit) => limitedUse(benefit, time));
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
