/** The environment's file as the tests need it: right in every part, and changed by a few words. */

export interface Benefit {
  benefitId: string;
  kind: 'line_percent';
  percent: number;
  text?: string | Record<string, string>;
  minimumSpend?: number;
  when?: {
    from?: string;
    to?: string;
    weekdays?: string[];
    hours?: string;
    share?: { from: number; below: number; salt: string };
  };
  limit?: LimitWords | LimitWords[];
  audience?: 'everyone' | 'granted';
  priority?: number;
}

export interface LimitWords {
  quantity: number | Record<string, number>;
  period: 'lifetime' | 'year' | 'month' | 'week' | 'day';
  counts: 'baskets' | 'items' | 'money';
  limitId?: string;
  of?: 'member' | 'programme' | 'venue';
}

export interface Member {
  programmeId: string;
  loyaltyId: string;
  status: 'active' | 'paused' | 'expired' | 'blocked';
  memberLabel?: string;
  grants?: string[];
}

export interface Programme {
  programmeId: string;
  memberLabel?: string | Record<string, string>;
  discountCode: string;
  existingLineDiscounts: 'replace_if_larger' | 'keep' | 'stack';
  existingOrderDiscounts: 'keep';
  weighed?: { productGroupIds: string[] };
  benefits: Benefit[];
}

export interface Venue {
  venueId: string;
  terminalSetups: string[];
  currencies: string[];
  timeZone: string;
  language?: string;
  programmeId: string;
  products: {
    productId: string;
    name: string;
    unitPrice: number;
    noDiscount: boolean;
    noPercentageDiscount: boolean;
  }[];
}

export interface Configuration {
  environment: string;
  rateLimit: { sustained: number; burst: number };
  calculation: { holdMinutes: number; idempotencyHours: number; retentionDays: number };
  latencyBudget: { p95: number; p99: number; deadline: number };
  /** How far a basket's time may be from Redis' clock; without it every time is believed. */
  requestedAt?: { pastHours: number; aheadMinutes: number };
  venues: Venue[];
  programmes: Programme[];
  members: Member[];
  /** Members whose clock a test may move. */
  testMembers?: string[];
  /** What events carry beside the sale itself. */
  events?: { lines: boolean };
}

const COFFEE = {
  productId: '4711',
  name: 'Filter coffee',
  unitPrice: 3900,
  noDiscount: false,
  noPercentageDiscount: false,
};

/** 20 % on every line that may have it, for the members it is granted to. */
export const TWENTY: Benefit = {
  benefitId: 'twenty',
  kind: 'line_percent',
  percent: 20,
  text: 'Member price 20 %',
  audience: 'granted',
};

/** 12.5 %, which leaves halves of a minor unit to round. */
const TWELVE_AND_A_HALF: Benefit = { ...TWENTY, benefitId: 'half-units', percent: 12.5, text: 'Member price 12.5 %' };

/** 20 %, but once in a lifetime: the benefit that two tills fight for. */
export const SINGLE_USE: Benefit = {
  ...TWENTY,
  benefitId: 'single-use',
  text: 'Welcome 20 %',
  limit: { quantity: 1, period: 'lifetime', counts: 'baskets' },
};

/** A member of the coffee club who is granted these benefits. */
export function memberOf(loyaltyId: string, grants: string[] = [], more: Partial<Member> = {}): Member {
  return { programmeId: 'coffee-club', loyaltyId, status: 'active', grants, ...more };
}

/** Creates `count` members of the coffee club, `prefix-0` and up, each with the single-use benefit. */
export function singleUseMembers(prefix: string, count: number): Member[] {
  return Array.from({ length: count }, (_, index) => memberOf(`${prefix}-${index}`, ['single-use']));
}

export interface ConfigurationWords extends Partial<Omit<Configuration, 'calculation'>> {
  /** How long a hold lives; a fraction of a minute where a test waits for its end. */
  readonly holdMinutes?: number;
  /** Where a test brings benefits of its own NOK alone, because their amounts name no currency; otherwise EUR too. */
  readonly bergenCurrencies?: string[];
  /** Changes to the coffee club. */
  readonly programme?: Partial<Programme>;
  /** Members besides the standing ones. */
  readonly moreMembers?: Member[];
  readonly deadline?: number;
}

/**
 * Two venues of the coffee club and a club without benefits. The rate limit is out of every test's way, and the deadline
 * as late as the caller's patience allows, since several services share the machine while the tests run.
 */
export function configurationOf(words: ConfigurationWords = {}): Configuration {
  const { holdMinutes = 30, programme = {}, moreMembers = [], deadline = 450, ...more } = words;
  const { bergenCurrencies = programme.benefits ? ['NOK'] : ['NOK', 'EUR'], ...given } = more;
  // A copy, so that a test which changes its configuration does not affect the others.
  return structuredClone({
    environment: 'staging',
    rateLimit: { sustained: 10_000, burst: 20_000 },
    calculation: { holdMinutes, idempotencyHours: 24, retentionDays: 7 },
    latencyBudget: { p95: 150, p99: 250, deadline },
    venues: [
      {
        venueId: 'oslo-central',
        terminalSetups: ['500123', '500124'],
        currencies: ['NOK'],
        timeZone: 'Europe/Oslo',
        programmeId: 'coffee-club',
        products: [COFFEE],
      },
      {
        venueId: 'bergen-quay',
        terminalSetups: ['600200'],
        currencies: bergenCurrencies,
        timeZone: 'Europe/Oslo',
        programmeId: 'coffee-club',
        products: [],
      },
    ],
    programmes: [
      {
        programmeId: 'coffee-club',
        memberLabel: 'Coffee Club',
        discountCode: 'loyalty',
        existingLineDiscounts: 'replace_if_larger',
        existingOrderDiscounts: 'keep',
        benefits: [TWENTY, SINGLE_USE, TWELVE_AND_A_HALF],
        ...programme,
      },
    ],
    members: [
      memberOf('member-twenty', ['twenty']),
      memberOf('member-plain'),
      memberOf('member-paused', ['twenty'], { status: 'paused' }),
      memberOf('member-expired', ['twenty'], { status: 'expired' }),
      memberOf('member-blocked', ['twenty'], { status: 'blocked' }),
      memberOf('member-single', ['single-use']),
      // A test with benefits of its own has no such grant.
      ...(programme.benefits ? [] : [memberOf('member-half', ['half-units'])]),
      ...moreMembers,
    ],
    ...given,
  });
}
