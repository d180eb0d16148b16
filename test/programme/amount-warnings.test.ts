/** Benefits that take nearly everything, and amounts that look like major units: the last usual one, and the first that is told. */
import { describe, expect, it } from 'vitest';
import { type Around, bun, coffee, ofCoffee, oslo, ten, warn } from './warned.ts';

describe('a benefit that takes over 90 %', () => {
  const over = (benefit: object, around?: Around) =>
    warn(benefit, around).filter((text) => text.includes('can take over'));

  it('is told of the product that loses most', () => {
    expect(over({ kind: 'line_amount', amount: 3_700, per: 'unit' })).toEqual([
      '[0]: can take over 90 % off: 3700 of 3900, 4711 Coffee at oslo',
    ]);
    expect(
      over({ kind: 'line_amount', amount: 3_700, per: 'unit' }, { venues: [{ ...oslo, products: [bun, coffee] }] }),
    ).toEqual(['[0]: can take over 90 % off: 3700 of 3900, 4711 Coffee at oslo']);
    const dear = { ...oslo, venueId: 'bergen', terminalSetups: ['2'], products: [{ ...coffee, unitPrice: 4_000 }] };
    expect(over({ kind: 'unit_price', unitPrice: 380, ...ofCoffee }, { venues: [oslo, dear] })).toEqual([
      '[0]: can take over 90 % off: 3620 of 4000, 4711 Coffee at bergen',
    ]);
  });

  it('is not told of what it does not take', () => {
    const half = { kind: 'line_percent', percent: 95, ...ofCoffee };
    const sells = (change: object) => ({ venues: [{ ...oslo, products: [{ ...coffee, ...change }, bun] }] });
    expect(over(half)).toHaveLength(1);
    for (const change of [{ noDiscount: true }, { noPercentageDiscount: true }, { unitPrice: 0 }]) {
      expect(over(half, sells(change))).toEqual([]);
    }
    expect(over(half, { programme: { exclude: { productIds: ['4711'] } } })).toEqual([]);
    expect(over({ ...half, maximumDiscount: { NOK: 3_510 } })).toEqual([]);
    expect(over({ ...half, maximumDiscount: { NOK: 3_511 } })).toHaveLength(1);
    // Free for holders of a grant is meant; for everybody it may not be.
    const free = { kind: 'line_percent', percent: 100, ...ofCoffee };
    expect(over(free)).toHaveLength(1);
    expect(over({ ...free, audience: 'granted' })).toEqual([]);
    expect(over({ ...free, percent: 99, audience: 'granted' })).toHaveLength(1);
  });

  it('by amounts in the currency of the list alone', () => {
    const both = { venues: [{ ...oslo, currencies: ['SEK', 'NOK'] }] };
    expect(over({ kind: 'line_amount', amount: { NOK: 3_900 }, per: 'unit' }, both)).toEqual([]);
    expect(over({ kind: 'unit_price', unitPrice: { NOK: 1 }, ...ofCoffee }, both)).toEqual([]);
    expect(over({ kind: 'unit_price', unitPrice: { NOK: 100, SEK: 200 }, ...ofCoffee }, both)).toEqual([
      '[0]: can take over 90 % off: 3700 of 3900, 4711 Coffee at oslo',
    ]);
    expect(over({ kind: 'order_amount', amount: { NOK: 3_900 }, minimumSpend: { NOK: 1, SEK: 1 } }, both)).toEqual([]);
    expect(over({ kind: 'bundle_price', items: [{ quantity: 1, ...ofCoffee }], amount: { NOK: 3_900 } }, both)).toEqual(
      [],
    );
  });

  it('of a bundle with its cheapest other products', () => {
    const bundle = (amount: number, ...items: object[]) => over({ kind: 'bundle_price', items, amount });
    const [cup, pastry] = [
      { quantity: 1, ...ofCoffee },
      { quantity: 2, appliesTo: { productGroupIds: ['pastry'] } },
    ];
    expect(bundle(11_700, cup, pastry)).toEqual(['[0]: can take over 90 % off: 11700 of 12900, 4711 Coffee at oslo']);
    expect(bundle(11_600, cup, pastry)).toEqual([]);
    const cake = { ...bun, productId: '4714', unitPrice: 9_000 };
    const cheapest = { kind: 'bundle_price', items: [cup, { ...pastry, quantity: 1 }], amount: 7_600 };
    expect(over(cheapest, { venues: [{ ...oslo, products: [coffee, cake, bun] }] })).toEqual([
      '[0]: can take over 90 % off: 7600 of 8400, 4711 Coffee at oslo',
    ]);
    const half = { kind: 'bundle_price', items: [cup], percent: 95 };
    expect(over(half, { venues: [{ ...oslo, products: [bun, coffee] }] })).toEqual([
      '[0]: can take over 90 % off: 3705 of 3900, 4711 Coffee at oslo',
    ]);
    // Nothing that a venue sells completes it.
    expect(over({ ...half, items: [cup, { quantity: 1, appliesTo: { productGroupIds: ['tea'] } }] })).toEqual([]);
    expect(bundle(11_700, cup, { quantity: 2, appliesTo: { productGroupIds: ['tea'] } })).toEqual([]);
    const percent = { kind: 'bundle_price', items: [cup], percent: 95 };
    expect(over(percent, { venues: [{ ...oslo, products: [{ ...coffee, noPercentageDiscount: true }] }] })).toEqual([]);
    expect(over({ ...percent, percent: undefined, bundlePrice: 100 })).toEqual([]);
  });

  it('for every part of the spend, and of units that are given', () => {
    const every = (amount: number, perSpend: number, minimumSpend?: number) =>
      over({ kind: 'order_amount', amount, perSpend, minimumSpend });
    expect(every(950, 1_000)).toEqual([]);
    expect(every(1_250, 1_300)).toEqual(['[0]: can take over 90 % off: 3750 of 3900, 4711 Coffee at oslo']);
    expect(every(9_500, 10_000)).toEqual(['[0]: can take over 90 % off: 9500 of 10000, 4711 Coffee at oslo']);
    expect(every(4_600, 5_000, 10_000)).toEqual(['[0]: can take over 90 % off: 9200 of 10000, 4711 Coffee at oslo']);
    const given = (get: object) =>
      over({ kind: 'buy_x_get_y', buy: { quantity: 1, ...ofCoffee }, get: { quantity: 19, ...get } });
    expect(given({ ...ofCoffee, percent: 94 })).toEqual([]);
    expect(given({ ...ofCoffee, percent: 95 })).toEqual([
      '[0]: can take over 90 % off: 70395 of 78000, 4711 Coffee at oslo',
    ]);
    expect(given({ appliesTo: { productGroupIds: ['pastry'] } })).toEqual([]);
  });
});

describe('amounts that look like major units', () => {
  const small = (benefit: object, around?: Around) =>
    warn(benefit, around).filter((text) => text.includes('major units'));
  const about = (amount: number, name: string, means: string) =>
    `[0].${name}: ${amount} looks like major units: it means ${means} NOK, and a product costs 3900; ${amount}.00 is ${amount * 100}`;

  it.each([
    ['minimumSpend', 1_949, 1_950, '19.49'],
    ['maximumDiscount', 194, 195, '1.94'],
    ['minimumSaving', 99, 100, '0.99'],
  ])('%s of %d, and not of %d', (name, least, usual, means) => {
    const benefit = { kind: 'order_percent', percent: 5, ...ofCoffee };
    expect(small({ ...benefit, [name]: least })).toEqual([about(least, name, means)]);
    expect(small({ ...benefit, [name]: usual })).toEqual([]);
  });

  it('and the other amounts of a benefit', () => {
    expect(small({ kind: 'unit_price', unitPrice: 77, ...ofCoffee })).toEqual([about(77, 'unitPrice', '0.77')]);
    expect(small({ kind: 'unit_price', unitPrice: 78, ...ofCoffee })).toEqual([]);
    expect(small({ kind: 'line_amount', amount: 77, per: 'unit', ...ofCoffee })).toEqual([about(77, 'amount', '0.77')]);
    expect(small({ kind: 'line_amount', amount: 78, per: 'unit', ...ofCoffee })).toEqual([]);
    expect(small({ kind: 'order_amount', amount: 99, ...ofCoffee })).toEqual([about(99, 'amount', '0.99')]);
    expect(small({ kind: 'order_amount', amount: 100, ...ofCoffee })).toEqual([]);
    expect(small({ kind: 'bundle_price', bundlePrice: 195, items: [{ quantity: 1, ...ofCoffee }] })).toEqual([]);
    expect(small({ kind: 'order_amount', amount: 1_000, perSpend: 1_950, ...ofCoffee })).toEqual([]);
  });

  it('and what a limit by money has', () => {
    const budget = (quantity: unknown) => ({ quantity, period: 'month', counts: 'money' });
    const order = { kind: 'order_percent', percent: 5, ...ofCoffee };
    expect(small({ ...order, limit: budget(194) })).toEqual([about(194, 'limit.quantity', '1.94')]);
    expect(small({ ...order, limit: budget(195) })).toEqual([]);
    const baskets = { quantity: 5, period: 'day', counts: 'baskets' };
    expect(small({ ...order, limit: [baskets, budget({ NOK: 99 })] })).toEqual([
      about(99, 'limit[1].quantity.NOK', '0.99'),
    ]);
  });

  it('once for several venues, by the cheapest product that the benefit is about', () => {
    const bergen = { ...oslo, venueId: 'bergen', terminalSetups: ['2'] };
    const cheap = { ...coffee, productId: '4713', unitPrice: 2_000 };
    const free = { ...coffee, productId: '4714', unitPrice: 0 };
    const spend = { kind: 'order_percent', percent: 5, minimumSpend: 1_500, ...ofCoffee };
    expect(small(spend, { venues: [oslo, bergen] })).toEqual([about(1_500, 'minimumSpend', '15.00')]);
    expect(small(spend, { venues: [{ ...oslo, products: [coffee, cheap, free, bun] }] })).toEqual([]);
    expect(small({ ...spend, minimumSpend: 50 }, { venues: [{ ...oslo, products: [free] }] })).toEqual([
      '[0].minimumSpend: 50 looks like major units: it means 0.50 NOK; 50.00 is 5000',
    ]);
  });

  it('in each currency with its own minor units, and without a list in the second one', () => {
    const spend = { kind: 'order_percent', percent: 5, minimumSpend: { NOK: 9_900, TND: 999, JPY: 5 }, ...ofCoffee };
    expect(small(spend, { venues: [{ ...oslo, currencies: ['NOK', 'TND', 'JPY'] }] })).toEqual([
      '[0].minimumSpend.TND: 999 looks like major units: it means 0.999 TND; 999.00 is 999000',
    ]);
    expect(
      small(
        { ...spend, minimumSpend: { NOK: 9_900, TND: 1_000 } },
        { venues: [{ ...oslo, currencies: ['NOK', 'TND'] }] },
      ),
    ).toEqual([]);
  });

  it('of a set by whatever it takes, and of a spend without a list', () => {
    const set = {
      kind: 'buy_x_get_y',
      buy: { quantity: 1, ...ofCoffee },
      get: { quantity: 1, appliesTo: { productGroupIds: ['pastry'] } },
    };
    expect(small({ ...set, minimumSpend: 1_949 })).toEqual([about(1_949, 'minimumSpend', '19.49')]);
    const spend = { kind: 'line_amount', amount: 100, per: 'unit', minimumSpend: 50 };
    expect(small(spend, { venues: [{ ...oslo, products: [] }] })).toHaveLength(1);
    expect(small({ kind: 'order_amount', amount: 50 }, { venues: [{ ...oslo, currencies: ['JPY'] }] })).toEqual([]);
  });

  it('in a list of products that all cost less than one', () => {
    const list = (...prices: number[]) =>
      warn(ten, {
        venues: [{ ...oslo, products: prices.map((unitPrice, at) => ({ ...coffee, productId: `${at}`, unitPrice })) }],
      });
    expect([list(), list(0), list(99, 100), list(100)]).toEqual([[], [], [], []]);
    expect(list(0, 99)).toEqual(['venues[0].products: every price is below 100: they look like major units']);
    expect(warn(ten, { venues: [{ ...oslo, currencies: ['JPY'], products: [{ ...coffee, unitPrice: 5 }] }] })).toEqual(
      [],
    );
  });
});
