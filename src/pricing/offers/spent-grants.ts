import type { Grant, Venue } from '../types.ts';
import { grantUsageKey } from './grants.ts';
import { limitedUses } from './limits.ts';

/** The counters of a member at an instant (RFC 3339). */
export interface Counters {
  readonly at: string;
  readonly left: (usageKey: string, limit: number) => number;
  readonly consumed: (usageKey: string) => number;
}

/**
 * Says why a grant can give nothing now: its own counter is used up, or a limit of its benefit is at every venue. Undefined
 * when it can. `venues` are those of the programme; limits over all members are not looked at.
 */
export function describeSpentGrant(
  venues: readonly Venue[],
  grant: string | Grant,
  { at, left, consumed }: Counters,
): string | undefined {
  const benefitId = typeof grant === 'string' ? grant : grant.benefitId;
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
