import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/programme/configuration-error.ts';
import { loadEnvironment } from '../../src/programme/load.ts';

/** What the configuration says about one benefit that is wrong: path, found and allowed. */

const product = {
  productId: 'bun',
  name: 'Bun',
  unitPrice: 500,
  noDiscount: false,
  noPercentageDiscount: false,
};
const venue = {
  venueId: 'oslo',
  terminalSetups: ['1'],
  currencies: ['NOK'],
  timeZone: 'Europe/Oslo',
  programmeId: 'club',
  products: [
    product,
    { ...product, productId: 'tobacco', noDiscount: true },
    { ...product, productId: 'cup', unitPrice: 0 },
  ],
};
const units = { appliesTo: { productIds: ['a'] }, quantity: 1 };

const GOOD: Record<string, Record<string, unknown>> = {
  line_percent: { percent: 33.33 },
  line_amount: { amount: 100, per: 'unit' },
  unit_price: { unitPrice: 0 },
  buy_x_get_y: { buy: units, get: { ...units, percent: 50 } },
  free_product: { productId: 'bun' },
  bundle_price: { items: [units, { quantity: 2 }], bundlePrice: 0 },
  order_percent: { percent: 100 },
  order_amount: { amount: 1 },
};

function load(benefit: Record<string, unknown>) {
  const programmes = [{ programmeId: 'club', benefits: [benefit] }];
  return loadEnvironment(JSON.stringify({ environment: 'staging', venues: [venue], programmes }), 'file');
}

function refusal(kind: string, change: Record<string, unknown>): string {
  try {
    load({ benefitId: 'b', kind, ...GOOD[kind], ...change });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message.replace('file: programmes[0].benefits[0].', '');
  }
  throw new Error('the benefit was accepted');
}

describe('inBasketFirst', () => {
  const shared = { inBasketFirst: true, limit: { quantity: 1, period: 'day', counts: 'items', limitId: 'cakes' } };

  it('is refused beside a limit by items that others share', () => {
    expect(refusal('free_product', shared)).toBe(
      'limit.limitId: found "cakes" with inBasketFirst, allowed: a limit of its own, or counts: baskets, because the benefit gives on lines and adds products',
    );
    const limit = { ...shared.limit, counts: 'baskets' };
    expect(() => load({ benefitId: 'b', kind: 'free_product', productId: 'bun', ...shared, limit })).not.toThrow();
  });
});

describe('minimumSpendBasis', () => {
  const net = { minimumSpend: 100, minimumSpendBasis: 'net' };

  it('is net for discounts on the order alone, and beside a minimum', () => {
    const other =
      'minimumSpendBasis: found "net", allowed: incoming: only order_percent and order_amount come after the benefits that make lines cheaper';
    const lines = Object.keys(GOOD).filter((kind) => !kind.startsWith('order'));
    expect(lines.map((kind) => refusal(kind, net))).toEqual(lines.map(() => other));
    const alone = 'minimumSpendBasis: found "net", allowed: net together with minimumSpend';
    expect(refusal('order_amount', { minimumSpendBasis: 'net' })).toBe(alone);
    for (const kind of ['order_amount', 'order_percent']) {
      expect(() => load({ benefitId: 'b', kind, ...GOOD[kind], ...net })).not.toThrow();
    }
    expect(() =>
      load({ benefitId: 'b', kind: 'unit_price', unitPrice: 1, minimumSpendBasis: 'incoming' }),
    ).not.toThrow();
  });
});

describe('spread', () => {
  it('is refused beside bought units that are open to other benefits', () => {
    expect(refusal('buy_x_get_y', { spread: true, buy: { ...units, combinable: true } })).toBe(
      'buy.combinable: found true, allowed: false where spread is true: the bought units share what is given, and a unit takes one benefit',
    );
    for (const good of [{ spread: true }, { buy: { ...units, combinable: true } }]) {
      expect(() => load({ benefitId: 'b', kind: 'buy_x_get_y', ...GOOD['buy_x_get_y'], ...good })).not.toThrow();
    }
  });
});

describe('the halves of a buy_x_get_y', () => {
  const of = (...productGroupIds: string[]) => ({ productGroupIds });
  const halves = (buy: object, get: object) => ({
    buy: { quantity: 1, appliesTo: buy },
    get: { quantity: 1, appliesTo: get },
  });
  const refused =
    'get.appliesTo: found %, allowed: the goods of buy.appliesTo, other goods, or one of the two within the other';

  it.each([
    ['a group in common, and others', of('coffee', 'cake'), of('cake', 'tea')],
    ['all but one product, each another', { excludeProductIds: ['1'] }, { excludeProductIds: ['2'] }],
    ['a group and all but another group of them', of('coffee', 'cake'), { excludeProductGroupIds: ['coffee'] }],
    [
      'one group less two products',
      { ...of('tea'), excludeProductIds: ['1'] },
      { ...of('tea'), excludeProductIds: ['2'] },
    ],
  ])('are refused with %s', (_, buy, get) => {
    expect(refusal('buy_x_get_y', halves(buy, get))).toBe(refused.replace('%', JSON.stringify(get)));
  });

  it.each([
    ['the same', of('coffee'), of('coffee')],
    ['others', of('coffee'), of('cake')],
    ['within the other', of('coffee', 'cake'), of('cake')],
    ['anything and some', {}, of('cake')],
    ['anything but some', { excludeProductGroupIds: ['tobacco'] }, of('cake')],
    ['a group and a product of any group', of('coffee'), { productIds: ['7'] }],
    ['a group and the same less one product', of('coffee'), { ...of('coffee'), excludeProductIds: ['7'] }],
  ])('may be %s', (_, buy, get) => {
    expect(() => load({ benefitId: 'b', kind: 'buy_x_get_y', ...halves(buy, get) })).not.toThrow();
  });
});

describe('benefits in the configuration', () => {
  it.each(Object.entries(GOOD))('accepts %s with everything it may say', (kind, fields) => {
    const counts = kind.startsWith('order') ? 'baskets' : 'items';
    const environment = load({
      benefitId: 'b',
      kind,
      ...fields,
      text: 'x'.repeat(40),
      when: {
        from: '2026-01-01',
        to: '2026-01-01',
        weekdays: ['thu'],
        hours: '22:00-02:00',
        venueIds: ['oslo'],
        tiers: [],
      },
      minimumSpend: 1,
      minimumQuantity: 1,
      ...(kind !== 'free_product' && { maximumDiscount: 1 }),
      limit: { quantity: 1, period: 'lifetime', counts },
      enabled: true,
      audience: 'granted',
      exclusive: true,
      priority: -1,
    });
    expect(environment.programmes[0]!.benefits).toHaveLength(1);
  });

  it.each([
    ['line_percent', { percent: 120 }, 'percent: found 120, allowed: a percentage above 0 and at most 100'],
    ['line_percent', { percent: 0 }, 'percent: found 0'],
    ['line_percent', { percent: 1.005 }, 'percent: found 1.005'],
    ['line_percent', { text: 'x'.repeat(41) }, 'allowed: a text of 1 to 40 characters'],
    ['line_percent', { text: '' }, 'text: found ""'],
    [
      'line_percent',
      { limit: { quantity: 1, counts: 'items' } },
      'limit.period: found nothing, allowed: one of lifetime',
    ],
    ['line_percent', { limit: { quantity: 0, period: 'day', counts: 'items' } }, 'limit.quantity: found 0'],
    [
      'line_percent',
      { limit: { quantity: { NOK: 2 }, period: 'day', counts: 'items' } },
      'limit.quantity: found {"NOK":2}, allowed: a whole number from 1 to 1000000, or counts: money',
    ],
    [
      'line_percent',
      { limit: { quantity: 1_000_001, period: 'day', counts: 'baskets' } },
      'limit.quantity: found 1000001',
    ],
    ['free_product', { limit: { quantity: 1, period: 'day', counts: 'money' } }, 'limit.counts: found "money"'],
    ['line_percent', { amount: 1 }, 'found the unknown field "amount"'],
    [
      'line_percent',
      { appliesTo: { productIds: [] } },
      'appliesTo.productIds: found [], allowed: a list with at least one',
    ],
    ['line_percent', { appliesTo: { productIds: [9] } }, 'appliesTo.productIds[0]: found 9'],
    ['line_percent', { appliesTo: { productIds: ['a'], excludeProductIds: ['a', 'b'] } }, 'a list that leaves one'],
    [
      'line_percent',
      { appliesTo: { productGroupIds: ['a'], eans: ['1'], excludeProductGroupIds: ['a'], excludeEans: ['1'] } },
      'appliesTo.excludeProductGroupIds: found ["a"], allowed: a list that leaves one of productGroupIds',
    ],
    ['line_percent', { appliesTo: { excludeProductGroupId: ['a'] } }, 'the unknown field "excludeProductGroupId"'],
    ['line_percent', { when: { from: '2026-02-30' } }, 'when.from: found "2026-02-30", allowed: a date such as'],
    [
      'line_percent',
      { when: { from: '2026-02-02', to: '2026-02-01' } },
      'when.to: found "2026-02-01", allowed: a date from 2026-02-02',
    ],
    [
      'line_percent',
      { when: { from: '2026-02-01T24:00' } },
      'when.from: found "2026-02-01T24:00", allowed: a date such as',
    ],
    [
      'line_percent',
      { when: { from: '2026-02-01T06:00', to: '2026-02-01T06:00' } },
      'when.to: found "2026-02-01T06:00", allowed: a time after 2026-02-01T06:00',
    ],
    [
      'line_percent',
      { when: { from: '2026-02-01T06:00', to: '2026-01-31' } },
      'when.to: found "2026-01-31", allowed: a date from 2026-02-01T06:00',
    ],
    [
      'line_percent',
      { when: { share: { from: 50, below: 50, salt: 'a' } } },
      'when.share.below: found 50, allowed: a whole number from 51 to 100',
    ],
    ['line_percent', { when: { share: { from: 0, below: 50 } } }, 'when.share'],
    [
      'line_percent',
      { when: { from: '2026-01-01', to: '2026-01-02', weekdays: ['sun'] } },
      'when.weekdays: found ["sun"], allowed: one of thu, fri',
    ],
    ['line_percent', { when: { hours: '14-16' } }, 'when.hours: found "14-16", allowed: hours such as'],
    ['line_percent', { when: { hours: '14:00-14:00' } }, 'when.hours: found'],
    ['line_percent', { when: { venueIds: ['bergen'] } }, 'when.venueIds[0]: found "bergen", allowed: one of oslo'],
    ['line_percent', { when: { weekday: ['mon'] } }, 'when: found the unknown field "weekday"'],
    ['line_percent', { when: [] }, 'when: found [], allowed: a list with at least one window'],
    ['line_percent', { when: 'mon' }, 'when: found "mon", allowed: a window, or a list with at least one'],
    ['line_percent', { when: [{}, { weekday: ['mon'] }] }, 'when[1]: found the unknown field "weekday"'],
    ['line_percent', { when: [{ venueIds: ['bergen'] }] }, 'when[0].venueIds[0]: found "bergen", allowed: one of oslo'],
    [
      'line_percent',
      { when: [{}, { from: '2026-02-02', to: '2026-02-01' }] },
      'when[1].to: found "2026-02-01", allowed: a date from 2026-02-02',
    ],
    ['line_percent', { enabled: 'no' }, 'enabled: found "no", allowed: true or false'],
    ['line_percent', { exclusive: null }, 'exclusive: found null, allowed: true or false'],
    ['line_percent', { minimumSpendOn: 'lines' }, 'minimumSpendOn: found "lines", allowed: one of eligible, basket'],
    [
      'line_percent',
      { minimumSaving: -1 },
      'minimumSaving: found -1, allowed: a whole number of minor units, 0 or more',
    ],
    ['line_percent', { maximumUnits: 0 }, 'maximumUnits: found 0, allowed: a whole number from 1'],
    ['order_percent', { maximumUnits: 1 }, 'found the unknown field "maximumUnits"'],
    ['line_amount', { per: 'kilo' }, 'per: found "kilo", allowed: one of unit, line'],
    ['line_amount', { amount: 0.5 }, 'amount: found 0.5, allowed: a whole number of minor units, 1 or more'],
    ['unit_price', { unitPrice: -1 }, 'unitPrice: found -1'],
    ['order_amount', { amount: { NOK: 0 } }, 'amount.NOK: found 0, allowed: a whole number of minor units, 1 or more'],
    ['order_amount', { amount: {} }, 'amount: found {}, allowed: amounts by currency such as { NOK: 5000, SEK: 5500 }'],
    [
      'order_amount',
      { amount: { nok: 5000 } },
      'amount: found the unknown field "nok", allowed: amounts by currency such',
    ],
    [
      'order_amount',
      { amount: '5000' },
      'minor units, 1 or more, or amounts by currency such as { NOK: 5000, SEK: 5500 }',
    ],
    ['order_amount', { minimumSpend: { NOK: 1, SEK: 0.5 } }, 'minimumSpend.SEK: found 0.5, allowed: a whole number'],
    ['buy_x_get_y', { get: { quantity: 0 } }, 'get.quantity: found 0'],
    ['buy_x_get_y', { appliesTo: {} }, 'found the unknown field "appliesTo"'],
    ['bundle_price', { percent: 10 }, 'found bundlePrice and percent, allowed: one of bundlePrice, percent and amount'],
    ['bundle_price', { bundlePrice: undefined }, 'found no price of the bundle, allowed: one of'],
    ['bundle_price', { bundlePrice: undefined, percent: 101 }, 'percent: found 101'],
    ['order_amount', { perSpend: 0 }, 'perSpend: found 0, allowed: a whole number of minor units, 1 or more'],
    ['order_percent', { perSpend: 1 }, 'found the unknown field "perSpend"'],
    ['bundle_price', { items: [] }, 'items: found [], allowed: a list of 1 to 10 items'],
    ['free_product', { productId: 'cake' }, 'productId: found "cake", allowed: a product from the `products` of venue'],
    [
      'free_product',
      { productId: 'tobacco' },
      'productId: found "tobacco", allowed: a product that venue oslo may discount',
    ],
    ['free_product', { productId: 'cup' }, 'allowed: a product that costs something at venue oslo'],
    ['free_product', { maximumDiscount: 1 }, 'found the unknown field "maximumDiscount"'],
    [
      'order_amount',
      { limit: { quantity: 1, period: 'day', counts: 'items' } },
      'limit.counts: found "items", allowed: one of baskets, money',
    ],
  ])('refuses %s with %j', (kind, change, message) => {
    expect(refusal(kind, change)).toContain(message);
  });

  it('asks for a free product only where it is given', () => {
    expect(() =>
      load({ benefitId: 'b', kind: 'free_product', productId: 'bun', when: { venueIds: ['oslo'] } }),
    ).not.toThrow();
  });
});
