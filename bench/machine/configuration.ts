import {
  CAMPAIGN_VENUE,
  HOT_MEMBER,
  loyaltyIdOf,
  MEMBER_COUNT,
  PAUSED_MEMBER,
  terminalSetupOf,
  VENUE,
} from '../load/mix.ts';

/** What differs between the environments of scenarios; contestant.ts says what each is. */
interface Differences {
  readonly rateLimit?: { readonly sustained: number; readonly burst: number };
  readonly p95?: number;
  readonly campaign?: number;
  readonly hasCampaignVenue?: boolean;
}

const UNLIMITED = { sustained: 1_000_000, burst: 1_000_000 };

/**
 * The environment of every contestant: a venue with a small programme and a thousand members. One member in ten has a
 * grant with a limit, so uses are read for every call and held for some. The hot member has only benefits with limits
 * that run out, except for one. The rate limit is asked on every call and never reached.
 */
export function benchConfiguration({
  rateLimit = UNLIMITED,
  p95 = 150,
  campaign,
  hasCampaignVenue = false,
}: Differences = {}): object {
  const limited = { limit: { quantity: 1, period: 'day', counts: 'baskets' }, audience: 'granted' };
  return {
    environment: 'staging',
    rateLimit,
    calculation: { holdMinutes: 30, idempotencyHours: 24, retentionDays: 7 },
    latencyBudget: { p95, p99: Math.max(p95, 250), deadline: 400 },
    venues: [
      venueWith(VENUE, 'bench-club'),
      ...(hasCampaignVenue ? [venueWith(CAMPAIGN_VENUE, 'bench-campaigns')] : []),
    ],
    programmes: [
      {
        programmeId: 'bench-club',
        memberLabel: 'Bench Club',
        discountCode: 'loyalty',
        existingLineDiscounts: 'replace_if_larger',
        existingOrderDiscounts: 'keep',
        benefits: [
          { benefitId: 'everything-10', kind: 'line_percent', text: 'Member 10 %', percent: 10 },
          {
            benefitId: 'coffee-20',
            kind: 'line_percent',
            text: 'Coffee 20 %',
            percent: 20,
            appliesTo: { productGroupIds: ['coffee', 'pastry'] },
          },
          {
            benefitId: 'large-basket-15',
            kind: 'line_percent',
            text: 'Large basket 15 %',
            percent: 15,
            minimumSpend: 100_000,
            when: { channels: ['pos'] },
          },
          { benefitId: 'once-a-day-30', kind: 'line_percent', text: 'Daily 30 %', percent: 30, ...limited },
          {
            benefitId: 'fifty-a-day-25',
            kind: 'line_percent',
            text: 'Crew 25 %',
            percent: 25,
            ...limited,
            limit: { quantity: 50, period: 'day', counts: 'baskets' },
          },
          ...(campaign === undefined ? [] : [campaignOf(campaign)]),
        ],
      },
      ...(hasCampaignVenue ? [competingProgramme()] : []),
    ],
    members: [
      ...(hasCampaignVenue ? Array.from({ length: MEMBER_COUNT }, (_, member) => campaignMember(member)) : []),
      ...Array.from({ length: MEMBER_COUNT }, (_, member) => ordinaryMember(member)),
      hotMember(),
      pausedMember(),
    ],
  };
}

function venueWith(venueId: string, programmeId: string): object {
  return {
    venueId,
    terminalSetups: [terminalSetupOf(venueId)],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    programmeId,
    products: [],
  };
}

/** Campaigns on everything: the best choice for a basket of 20 lines is not proven within the steps of a call. */
function competingProgramme(): object {
  const anything = (quantity: number): object => ({ quantity });
  const sets = [2, 3, 4].map((bought) => ({
    benefitId: `one-of-${bought + 1}`,
    kind: 'buy_x_get_y',
    text: `${bought + 1} for ${bought}`,
    buy: anything(bought),
    get: anything(1),
  }));
  const bundles = [2, 3].map((items) => ({
    benefitId: `bundle-of-${items}`,
    kind: 'bundle_price',
    text: `${items} together`,
    items: [anything(items)],
    bundlePrice: 7000 * items,
  }));
  const coupons = [15, 20, 25, 30].map((percent) => ({
    benefitId: `coupon-${percent}`,
    kind: 'line_percent',
    text: `Coupon ${percent} %`,
    percent,
    maximumUnits: 3,
  }));
  return {
    programmeId: 'bench-campaigns',
    memberLabel: 'Bench Club',
    discountCode: 'loyalty',
    benefits: [...sets, ...bundles, ...coupons],
  };
}

/** One budget of all members, on which every basket draws. */
function campaignOf(quantity: number): object {
  const limit = { quantity, period: 'lifetime', counts: 'baskets', of: 'programme' };
  return { benefitId: 'campaign', kind: 'line_percent', text: 'Campaign 40 %', percent: 40, limit };
}

function campaignMember(member: number): object {
  return { programmeId: 'bench-campaigns', loyaltyId: loyaltyIdOf(member), status: 'active' };
}

function ordinaryMember(member: number): object {
  return {
    programmeId: 'bench-club',
    loyaltyId: loyaltyIdOf(member),
    status: 'active',
    ...(member % 10 === 0 && { grants: ['once-a-day-30'] }),
  };
}

function hotMember(): object {
  return {
    programmeId: 'bench-club',
    loyaltyId: loyaltyIdOf(HOT_MEMBER),
    status: 'active',
    grants: ['once-a-day-30', 'fifty-a-day-25'],
  };
}

function pausedMember(): object {
  return { programmeId: 'bench-club', loyaltyId: loyaltyIdOf(PAUSED_MEMBER), status: 'paused' };
}
