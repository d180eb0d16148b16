import type { Limit, LimitCounts } from './benefit-definition.ts';
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
  const uses = limited.flatMap((benefit) => usesOf(benefit, venue, time));
  return mayHoldCounters ? [...uses, ...grantUses(member, benefits, time)] : uses;
}

/** Money is counted for each currency of the venue by itself. */
function usesOf(benefit: Benefit, { currencies, programme }: Venue, time: LocalTime): LimitedUse[] {
  if (benefit.limit?.counts !== 'money') return [limitedUse(benefit, '', time)];
  return currencies.flatMap((currency) => {
    const { benefits } = programme.inCurrency.get(currency) ?? programme;
    const use = limitedUse(benefits[benefit.ordinal]!, currency, time);
    return use.limit > 0 ? use : [];
  });
}

/**
 * The use of one limited benefit at a local time; the benefit has a limit. The unit is part of the key, so that a limit that
 * begins to count another unit begins anew: `coffee` counts baskets, `coffee#items` items and `coffee$NOK` money. The key of a
 * shared limit names its limitId. No benefitId holds these signs.
 */
export function limitedUse({ benefitId, limit }: Benefit, currency: string, time: LocalTime): LimitedUse {
  const { period, counts, quantity, limitId } = limit as Limit;
  const owner = limitId === undefined ? benefitId : `@${limitId}`;
  const unit = unitMark(counts, currency);
  return { benefitId, usageKey: `${owner}${unit}:${periodName(period, time.day)}`, limit: quantity, counts };
}

/** Baskets have no mark, as in the versions that marked money alone. */
function unitMark(counts: LimitCounts, currency: string): string {
  if (counts === 'money') return `$${currency}`;
  return counts === 'items' ? '#items' : '';
}
