/** The environment of the corpus: every kind of benefit, policy and limit; a member gets what a conversation grants it. */
import type { Configuration } from '../support/configuration.ts';
import type { ContextBody } from '../support/wire.ts';

export const OSLO: ContextBody = { venueId: 'oslo', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' };
export const SECOND_VENUE: ContextBody = {
  venueId: 'second',
  cashRegisterId: 'till-1',
  baxId: '700300',
  channel: 'pos',
};
export const BERGEN: ContextBody = { venueId: 'bergen', cashRegisterId: 'till-7', baxId: '600200', channel: 'mpos' };

/** The venue of a programme, or the first one of the club. */
export function contextOf(programmeId: string): ContextBody {
  if (programmeId === 'club') return OSLO;
  return { venueId: `at-${programmeId}`, cashRegisterId: 'till-1', baxId: `bax-${programmeId}`, channel: 'pos' };
}

const of = (group: string) => ({ productGroupIds: [group] });
const twenty = { benefitId: 'twenty', kind: 'line_percent', percent: 20, text: 'Member 20 %' };
const limited = (limit: object) => ({ kind: 'line_percent', percent: 20, limit });
const lifetime = (quantity: number, more: object = {}) => ({
  quantity,
  period: 'lifetime',
  counts: 'baskets',
  ...more,
});
const ofAll = (quantity: number, more: object = {}) => lifetime(quantity, { of: 'programme', ...more });

/** Benefits of the club, each for whom it is granted to. */
const GRANTED = {
  twenty: twenty,
  'twelve-half': { kind: 'line_percent', percent: 12.5, text: 'Blåbær 12,5 %' },
  'bun-5-off': { kind: 'line_amount', amount: 500, per: 'unit', appliesTo: { productIds: ['bun'] } },
  'line-10-off': { kind: 'line_amount', amount: 1000, per: 'line', maximumDiscount: 1500 },
  'coffee-29': { kind: 'unit_price', unitPrice: 2900, appliesTo: of('coffee'), maximumUnits: 2 },
  'third-free': {
    kind: 'buy_x_get_y',
    text: 'Third free',
    buy: { appliesTo: of('care'), quantity: 2 },
    get: { appliesTo: of('care'), quantity: 1 },
    spread: true,
  },
  'pizza-pair': {
    kind: 'buy_x_get_y',
    buy: { appliesTo: of('pizza'), quantity: 1 },
    get: { appliesTo: of('pizza'), quantity: 1, percent: 50 },
    pick: 'cheapest',
  },
  menu: {
    kind: 'bundle_price',
    text: 'Menu 149.00',
    items: ['burger', 'fries', 'drinks'].map((group) => ({ appliesTo: of(group), quantity: 1 })),
    bundlePrice: 14900,
  },
  'pair-25': { kind: 'bundle_price', items: [{ appliesTo: of('cafe'), quantity: 2 }], percent: 25 },
  gift: { kind: 'free_product', productId: '4712', appliesTo: of('coffee'), minimumSpend: 3000, limit: lifetime(1) },
  'gift-rung-up': { kind: 'free_product', productId: '4712', inBasketFirst: true, text: 'Gratulerer! 🎁' },
  'order-10': { kind: 'order_percent', percent: 10, minimumSpend: 20000, text: 'Ten off the order' },
  'order-50': { kind: 'order_amount', amount: 5000, minimumSaving: 5000 },
  'per-hundred': { kind: 'order_amount', amount: 1000, perSpend: 10000, maximumDiscount: 3000, priority: 5 },
  'happy-hour': { kind: 'line_percent', percent: 50, when: { weekdays: ['wed'], hours: '11:00-13:00' } },
  'alone-40': { kind: 'line_percent', percent: 40, exclusive: true, maximumDiscount: 9000 },
  'welcome-500': { kind: 'order_amount', amount: 5000, minimumSpend: 50000, group: 'welcome' },
  'welcome-1000': { kind: 'order_amount', amount: 12000, minimumSpend: 100000, group: 'welcome' },
  'mobile-only': { kind: 'line_percent', percent: 30, when: { channels: ['mpos'], venueIds: ['bergen'] } },
  'spring-half': { kind: 'line_percent', percent: 30, when: { share: { from: 0, below: 50, salt: 'spring' } } },
  'switched-off': { kind: 'line_percent', percent: 90, enabled: false },
  once: limited(lifetime(1)),
  twice: limited(lifetime(2)),
  'items-a-day': limited({ quantity: 3, period: 'day', counts: 'items' }),
  'money-a-month': { kind: 'line_percent', percent: 50, limit: { quantity: 10000, period: 'month', counts: 'money' } },
  'a-week-a': limited({ quantity: 1, period: 'week', counts: 'baskets', limitId: 'weekly' }),
  'a-week-b': { ...limited({ quantity: 1, period: 'week', counts: 'baskets', limitId: 'weekly' }), percent: 30 },
  'stamp-card': { kind: 'line_percent', percent: 100, appliesTo: of('coffee'), maximumUnits: 1 },
};

const product = (productId: string, productGroupId: string, name: string, unitPrice: number) => ({
  ...{ productId, productGroupId, name, unitPrice },
  noDiscount: false,
  noPercentageDiscount: false,
});
const PRODUCTS = [product('4711', 'coffee', 'Filter coffee', 3900), product('4712', 'bakery', 'Kanelbolle', 4500)];

const venue = (context: ContextBody, programmeId: string, more: object = {}) => ({
  venueId: context.venueId,
  terminalSetups: [context.baxId],
  currencies: ['NOK'],
  timeZone: 'Europe/Oslo',
  programmeId,
  products: PRODUCTS,
  ...more,
});

/** Limits over all members, each of a programme that one conversation has for itself. */
const COMMON = {
  'first-two': limited(ofAll(2)),
  'one-at-venue': limited({ quantity: 1, period: 'day', counts: 'baskets', of: 'venue' }),
  budget: { kind: 'order_percent', percent: 10, limit: { ...ofAll(3000), counts: 'money' } },
  'one-swapped': limited(ofAll(1)),
  'one-sold-late': limited(ofAll(1)),
  'one-returned': limited(ofAll(1)),
  'both-limits': limited([ofAll(3), lifetime(1)]),
  rushed: limited(ofAll(3)),
};

/** Programmes with one policy each, and a venue each. */
const POLICIES = {
  keeper: { existingLineDiscounts: 'keep' },
  stacker: { existingLineDiscounts: 'stack' },
  replacer: { existingOrderDiscounts: 'replace_if_larger' },
  whole: {
    ...{ existingLineDiscounts: 'replace_if_larger', existingOrderDiscounts: 'replace_if_larger' },
    existingDiscountScope: 'basket',
  },
  kitchen: {
    modifiers: 'together',
    exclude: of('tobacco'),
    weighed: of('fruit'),
    benefits: [
      twenty,
      {
        benefitId: 'burgers',
        kind: 'buy_x_get_y',
        buy: { appliesTo: of('burger'), quantity: 1 },
        get: { appliesTo: of('burger'), quantity: 1 },
      },
    ],
  },
  fair: {
    returns: 'repriced',
    benefits: [
      { benefitId: 'fair-order', kind: 'order_percent', percent: 10, minimumSpend: 30000, limit: lifetime(1) },
      { ...twenty, appliesTo: of('coffee') },
    ],
  },
  harbour: {
    memberLabel: { nb: 'Havnekortet', en: 'Harbour card', fi: 'Satamakortti' },
    benefits: [
      { ...twenty, text: { fi: 'Jäsenhinta', en: 'Member price' }, appliesTo: of('coffee') },
      {
        benefitId: 'harbour-order',
        kind: 'order_amount',
        amount: { NOK: 5000, EUR: 450 },
        minimumSpend: { NOK: 30000, EUR: 2700 },
      },
    ],
  },
};

/** A fraction of a minute where a conversation waits for the end of a hold; other settings as the file has them. */
export function corpusConfiguration(words: { holdMinutes?: number; [name: string]: unknown } = {}): Configuration {
  const { holdMinutes = 30, ...more } = words;
  const common = Object.entries(COMMON).map(
    ([programmeId, benefit]) => [programmeId, { benefits: [{ ...benefit, benefitId: programmeId }] }] as const,
  );
  const policies: (readonly [string, object])[] = [...Object.entries(POLICIES), ...common];
  const configuration = {
    environment: 'staging',
    rateLimit: { sustained: 10_000, burst: 20_000 },
    calculation: { holdMinutes, idempotencyHours: 24, retentionDays: 7 },
    latencyBudget: { p95: 150, p99: 250, deadline: 499 },
    events: { lines: true },
    venues: [
      venue(OSLO, 'club', { terminalSetups: ['500123', '500124'] }),
      venue(BERGEN, 'club'),
      venue(SECOND_VENUE, 'one-at-venue'),
      ...policies.map(([id]) =>
        venue(
          contextOf(id),
          id,
          id === 'harbour' ? { currencies: ['EUR', 'NOK'], timeZone: 'Europe/Helsinki', language: 'fi' } : {},
        ),
      ),
    ],
    programmes: [
      {
        programmeId: 'club',
        memberLabel: 'Coffee Club',
        groups: { welcome: { atMost: 1 } },
        benefits: [
          ...Object.entries(GRANTED).map(([benefitId, benefit]) => ({ ...benefit, benefitId, audience: 'granted' })),
          { ...twenty, benefitId: 'gold-15', percent: 15, when: { tiers: ['gold'] }, priority: 1 },
        ],
      },
      ...policies.map(([programmeId, policy]) => ({
        programmeId,
        memberLabel: `Card of ${programmeId}`,
        benefits: [twenty],
        ...policy,
      })),
    ],
    members: [{ programmeId: 'club', loyaltyId: 'of-the-file', status: 'active', grants: ['twenty'] }],
    ...more,
  };
  return configuration as unknown as Configuration;
}
