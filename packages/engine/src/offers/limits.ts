import { formatDate, type LocalTime, localTime, periodName } from '../compile/calendar.ts';
import type { Benefit } from '../compile/programme.ts';
import type { Limit } from '../compile/words.ts';
import type { Grant, LimitedUse, Member, Venue } from '../types.ts';
import { grantUsageKey, grantUses } from './grants.ts';

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
  return benefit.limits.flatMap((limit, at) => {
    if (limit.counts !== 'money') return [limitedUse(benefit, limit, '', time)];
    return currencies.flatMap((currency) => {
      const { benefits } = programme.inCurrency.get(currency) ?? programme;
      const inOwn = benefits[benefit.ordinal]!;
      const use = limitedUse(inOwn, inOwn.limits[at]!, currency, time);
      return use.limit > 0 ? use : [];
    });
  });
}

/**
 * The use of one limit of a benefit at a local time. What it counts is part of the key, so that a limit that begins to count something
 * else begins anew: `coffee` counts baskets, `coffee#items` items and `coffee$NOK` money. The key of a limit that several
 * benefits share names its limitId, and that of a limit over all members ends with whose it is, `coffee~programme`. No benefitId
 * holds these signs. Limits of a member and of baskets have no mark, as in the versions that knew no others.
 */
export function limitedUse({ benefitId }: Benefit, limit: Limit, currency: string, time: LocalTime): LimitedUse {
  const { period, counts, quantity, limitId, of } = limit;
  const owner = limitId === undefined ? benefitId : `@${limitId}`;
  const counted = counts === 'money' ? `$${currency}` : counts === 'items' ? '#items' : '';
  const mark = `${counted}${of === 'member' ? '' : `~${of}`}`;
  const use = { benefitId, usageKey: `${owner}${mark}:${periodName(period, time.day)}`, limit: quantity, counts };
  return of === 'member' ? use : { ...use, of };
}

/** The counters of a member at an instant (RFC 3339). */
export interface Counters {
  readonly at: string;
  readonly left: (usageKey: string, limit: number) => number;
  readonly consumed: (usageKey: string) => number;
}

/**
 * Says why a grant can give nothing now: its last day is over at every venue, its own counter is used up, or a limit of its
 * benefit is at every venue. Undefined when it can. `venues` are those of the programme; limits over all members are not looked at.
 */
export function describeSpentGrant(
  venues: readonly Venue[],
  grant: string | Grant,
  { at, left, consumed }: Counters,
): string | undefined {
  const benefitId = typeof grant === 'string' ? grant : grant.benefitId;
  const last = typeof grant === 'string' ? undefined : grant.to;
  // Dates such as 2026-01-31 are in order as texts.
  const isOver = ({ timeZone }: Venue): boolean => last !== undefined && last < formatDate(localTime(at, timeZone).day);
  if (venues.length > 0 && venues.every(isOver)) {
    return `The grant ${(grant as Grant).grantId} ended on ${last}, so it gives nothing.`;
  }
  if (typeof grant !== 'string' && grant.quantity !== undefined) {
    const usageKey = grantUsageKey(grant);
    if (left(usageKey, grant.quantity) === 0) {
      const used = consumed(usageKey);
      const state = used >= grant.quantity ? `has been used ${times(used)}` : 'is held by an open calculation';
      return `The grant ${grant.grantId} ${state}, so it gives nothing more: another voucher needs another grantId.`;
    }
  }
  const spent = venues.map((venue) => {
    const own = limitedUses(venue, at).filter((use) => use.benefitId === benefitId && use.of === undefined);
    const isLeft = ({ usageKey, limit }: (typeof own)[number]) => left(usageKey, limit) > 0;
    const money = own.filter(({ counts }) => counts === 'money');
    // A limit in one currency leaves the others.
    const isMoneySpent = money.length > 0 && !money.some(isLeft);
    return own.find((use) => use.counts !== 'money' && !isLeft(use)) ?? (isMoneySpent ? money[0] : undefined);
  });
  const [first] = spent;
  if (!first || spent.includes(undefined)) return undefined;
  const period = first.usageKey.slice(first.usageKey.lastIndexOf(':') + 1);
  const when = period === '*' ? 'for good' : `for ${period}`;
  return `The limit of ${first.limit} of ${benefitId} is used up ${when}, so the grant gives nothing${period === '*' ? '' : ' before the next period'}.`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
