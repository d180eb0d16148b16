import { formatDate, type LocalTime, parseDate } from './calendar.ts';
import type { Benefit } from './programme.ts';
import type { Grant, LimitedUse, Member } from './types.ts';

/**
 * A member's own vouchers. A grant opens its benefit, on its dates; one with a quantity is spent by the baskets in which
 * the benefit applies, and has a counter of its own.
 */

/** How the grants of a member stand to a benefit. */
export type GrantStanding =
  /** The grant that the basket spends; undefined where one without a quantity opens the benefit. */
  | { readonly outcome: 'open'; readonly use: undefined }
  | ({ readonly outcome: 'open'; readonly use: LimitedUse } & Cards)
  /** Every grant that is there has been spent. */
  | ({ readonly outcome: 'used up' } & Cards);

/** The baskets of all the grants of a benefit that are there, and how many of them were used before. */
interface Cards {
  readonly used: number;
  readonly quantity: number;
}

/** The uses of every grant with a quantity that is there on the day and whose benefit is `audience: granted`. */
export function grantUses({ grants }: Member, benefits: readonly Benefit[], { day }: LocalTime): LimitedUse[] {
  if (!grants.some(isCounted)) return NO_USES;
  const granted = new Set(benefits.filter(({ audience }) => audience === 'granted').map(({ benefitId }) => benefitId));
  return grants.flatMap((grant) =>
    isCounted(grant) && granted.has(grant.benefitId) && isThere(grant, day) ? grantUse(grant) : [],
  );
}

/** How long the grants of a benefit are there: `for good` where one of them depends on no date and no counter. */
export function grantedFor(
  { grants }: Member,
  benefitId: string,
  { day }: LocalTime,
): 'for good' | 'this day' | undefined {
  let found: 'this day' | undefined;
  for (const grant of grants) {
    if (typeof grant === 'string') {
      if (grant === benefitId) return 'for good';
      continue;
    }
    if (grant.benefitId !== benefitId || !isThere(grant, day)) continue;
    if (grant.from === undefined && grant.to === undefined && grant.quantity === undefined) return 'for good';
    found = 'this day';
  }
  return found;
}

/**
 * Chooses the grant that opens a benefit: one without a quantity, which spends nothing; otherwise the one that ends first and
 * has something left, of equal ones by grantId. At least one grant is there on the day.
 */
export function chooseGrant(
  { grants }: Member,
  benefitId: string,
  { day }: LocalTime,
  available: ReadonlyMap<string, number>,
): GrantStanding {
  let chosen: CountedGrant | undefined;
  let used = 0;
  let quantity = 0;
  for (const grant of grants) {
    if (typeof grant === 'string') {
      if (grant === benefitId) return OPEN_FOR_GOOD;
      continue;
    }
    if (grant.benefitId !== benefitId || !isThere(grant, day)) continue;
    if (!isCounted(grant)) return OPEN_FOR_GOOD;
    const left = Math.min(grant.quantity, available.get(grantUsageKey(grant)) ?? 0);
    quantity += grant.quantity;
    used += grant.quantity - left;
    if (left > 0 && (!chosen || endsBefore(grant, chosen))) chosen = grant;
  }
  return chosen ? { outcome: 'open', use: grantUse(chosen), used, quantity } : { outcome: 'used up', used, quantity };
}

/** The first day on which a grant of the benefit will be there, `2026-12-01`. Undefined when none is to come. */
export function grantedFrom({ grants }: Member, benefitId: string, { day }: LocalTime): string | undefined {
  const days = grants.flatMap((grant) => {
    if (typeof grant === 'string' || grant.benefitId !== benefitId || grant.from === undefined) return [];
    const from = parseDate(grant.from)!;
    return from > day ? from : [];
  });
  return days.length === 0 ? undefined : formatDate(Math.min(...days));
}

type CountedGrant = Grant & { readonly quantity: number };

const NO_USES: LimitedUse[] = [];
const OPEN_FOR_GOOD: GrantStanding = { outcome: 'open', use: undefined };

function isCounted(grant: string | Grant): grant is CountedGrant {
  return typeof grant !== 'string' && grant.quantity !== undefined;
}

/** Dates are days of the venue's calendar, both included. */
function isThere({ from, to }: Grant, day: number): boolean {
  return (from === undefined || parseDate(from)! <= day) && (to === undefined || day <= parseDate(to)!);
}

function endsBefore(grant: Grant, other: Grant): boolean {
  if (grant.to === other.to) return grant.grantId < other.grantId;
  return grant.to !== undefined && (other.to === undefined || grant.to < other.to);
}

/**
 * The name of a grant's counter. No benefitId holds the stroke, so it is no limit's. The asterisk is that of a lifetime: a
 * counter is kept for good, so that the same grant given once more gives nothing new.
 */
export function grantUsageKey({ benefitId, grantId }: Pick<Grant, 'benefitId' | 'grantId'>): string {
  return `${benefitId}/${grantId}:*`;
}

function grantUse(grant: CountedGrant): LimitedUse {
  return { benefitId: grant.benefitId, usageKey: grantUsageKey(grant), limit: grant.quantity, counts: 'baskets' };
}
