import { formatDate, type LocalTime } from '../compile/calendar.ts';
import type { Benefit } from '../compile/programme.ts';
import type { Grant, LimitedUse, Member } from '../types.ts';
import { COST } from '../work.ts';

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

/**
 * The work that the grants of a member add to a basket, in steps: to index them here, to know what is left of each, and to
 * keep them with the calculation. It grows with the member and not with the basket, and none of it can be left out.
 */
export function grantSteps({ grants }: Pick<Member, 'grants'>): number {
  return grants.length * COST.grant;
}

/** The uses of every grant with a quantity that is there on the day and whose benefit is `audience: granted`. */
export function grantUses({ grants }: Member, benefits: readonly Benefit[], { day }: LocalTime): LimitedUse[] {
  if (!grants.some(isCounted)) return NO_USES;
  const granted = indexOf(grants);
  const today = formatDate(day);
  const uses: LimitedUse[] = [];
  for (const { audience, benefitId } of benefits) {
    const own = audience === 'granted' ? granted.get(benefitId) : undefined;
    for (const { grant, use } of own?.grants ?? []) {
      if (use && isThere(grant, today)) uses.push(use);
    }
  }
  return uses;
}

/** How long the grants of a benefit are there: `for good` where one of them depends on no date and no counter. */
export function grantedFor(
  { grants }: Member,
  benefitId: string,
  { day }: LocalTime,
): 'for good' | 'this day' | undefined {
  const own = indexOf(grants).get(benefitId);
  if (!own) return undefined;
  if (own.isForGood) return 'for good';
  const today = formatDate(day);
  return own.grants.some(({ grant }) => isThere(grant, today)) ? 'this day' : undefined;
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
  const own = indexOf(grants).get(benefitId)!;
  if (own.isForGood) return OPEN_FOR_GOOD;
  const today = formatDate(day);
  let chosen: { readonly grant: Grant; readonly use: LimitedUse } | undefined;
  let used = 0;
  let quantity = 0;
  for (const { grant, use } of own.grants) {
    if (!isThere(grant, today)) continue;
    if (!use) return OPEN_FOR_GOOD;
    const left = Math.min(use.limit, available.get(use.usageKey) ?? 0);
    quantity += use.limit;
    used += use.limit - left;
    if (left > 0 && (!chosen || endsBefore(grant, chosen.grant))) chosen = { grant, use };
  }
  return chosen ? { outcome: 'open', use: chosen.use, used, quantity } : { outcome: 'used up', used, quantity };
}

/** The first day on which a grant of the benefit will be there, `2026-12-01`. Undefined when none is to come. */
export function grantedFrom({ grants }: Member, benefitId: string, { day }: LocalTime): string | undefined {
  const today = formatDate(day);
  let first: string | undefined;
  for (const { grant } of indexOf(grants).get(benefitId)?.grants ?? []) {
    const { from } = grant;
    if (from !== undefined && from > today && (first === undefined || from < first)) first = from;
  }
  return first;
}

/** The grants of one benefit. */
interface OwnGrants {
  /** True where one of them depends on no date and no counter. */
  isForGood: boolean;
  readonly grants: IndexedGrant[];
}

/** A grant with the use of its counter, if it has a quantity. */
interface IndexedGrant {
  readonly grant: Grant;
  readonly use?: LimitedUse | undefined;
}

/**
 * The grants of a member by benefit, made once of each list of grants. A member with 3,000 grants of 200 benefits would
 * otherwise be walked 3,000 grants long for every one of them, which took 21 ms for a basket of two lines.
 */
const indexes = new WeakMap<Member['grants'], ReadonlyMap<string, OwnGrants>>();

function indexOf(grants: Member['grants']): ReadonlyMap<string, OwnGrants> {
  if (grants.length === 0) return NOTHING_GRANTED;
  const known = indexes.get(grants);
  if (known) return known;
  const index = new Map<string, OwnGrants>();
  for (const grant of grants) {
    const benefitId = typeof grant === 'string' ? grant : grant.benefitId;
    let own = index.get(benefitId);
    if (!own) {
      own = { isForGood: false, grants: [] };
      index.set(benefitId, own);
    }
    if (typeof grant === 'string') own.isForGood = true;
    else {
      own.grants.push({ grant, use: isCounted(grant) ? grantUse(grant) : undefined });
      if (grant.from === undefined && grant.to === undefined && grant.quantity === undefined) own.isForGood = true;
    }
  }
  indexes.set(grants, index);
  return index;
}

type CountedGrant = Grant & { readonly quantity: number };

const NO_USES: LimitedUse[] = [];
const NOTHING_GRANTED: ReadonlyMap<string, OwnGrants> = new Map();
const OPEN_FOR_GOOD: GrantStanding = { outcome: 'open', use: undefined };

function isCounted(grant: string | Grant): grant is CountedGrant {
  return typeof grant !== 'string' && grant.quantity !== undefined;
}

/** Dates are days of the venue's calendar, both included. `2026-11-21` is compared as a text, which orders days too. */
function isThere({ from, to }: Grant, today: string): boolean {
  return (from === undefined || from <= today) && (to === undefined || today <= to);
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
