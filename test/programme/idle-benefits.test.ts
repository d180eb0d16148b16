/** `check` warns of benefits that can take nothing off the listed products, and of none that takes a little of a large basket. */
import { describe, expect, it } from 'vitest';
import { bun, coffee, malmo, ofCoffee, oslo, warn } from './warned.ts';

const single = (...productIds: string[]) => ({ appliesTo: { productIds } });
const sells = (...products: object[]) => ({ venues: [{ ...oslo, products }] });

describe('products that may not be discounted', () => {
  const nobody = 'nobody can get it: no listed product that qualifies may be discounted';
  const tobacco = { ...coffee, productId: '9', productGroupId: 'tobacco', noDiscount: true };
  const ten = { kind: 'line_percent', percent: 10 };

  it('are nothing for a benefit that names these alone', () => {
    expect(warn({ ...ten, ...single('9') }, sells(coffee, tobacco))).toEqual([`[0].appliesTo: ${nobody}`]);
    const set = { kind: 'buy_x_get_y', buy: { quantity: 1, ...ofCoffee }, get: { quantity: 1, ...single('9') } };
    expect(warn(set, sells(coffee, tobacco))).toEqual([`[0].get.appliesTo: ${nobody}`]);
  });

  it('are no reason where others may qualify', () => {
    const around = sells(coffee, tobacco);
    expect(warn({ ...ten, ...single('9', '4711') }, around)).toEqual([]);
    expect(warn({ ...ten, appliesTo: { productGroupIds: ['tobacco'] } }, around)).toEqual([]);
    expect(warn(ten, sells(tobacco))).toEqual([]);
    // The other name is not listed, and may be a product that is sold.
    expect(warn({ ...ten, ...single('9', '10') }, around)).toEqual([]);
    expect(warn({ kind: 'free_product', productId: '4711', ...single('9') }, around)).toEqual([]);
    const both = [
      { ...oslo, products: [tobacco] },
      { ...oslo, venueId: 'bergen', terminalSetups: ['3'], products: [{ ...tobacco, noDiscount: false }] },
    ];
    expect(warn({ ...ten, ...single('9') }, { venues: both })).toEqual([]);
  });
});

describe('a price of a bundle', () => {
  const idle = '[0].bundlePrice: it makes nothing cheaper: no listed products that it takes cost more than this price';
  const items = [
    { quantity: 2, ...ofCoffee },
    { quantity: 1, appliesTo: { productGroupIds: ['pastry'] } },
  ];
  const menu = (bundlePrice: unknown) => ({ kind: 'bundle_price', bundlePrice, items });
  const cake = { ...bun, productId: '4713', unitPrice: 5_000 };

  it('is below what its dearest products cost', () => {
    // Two coffees at 39.00, and a bun at 45.00.
    expect([warn(menu(12_299)), warn(menu(12_300))]).toEqual([[], [idle]]);
    expect(warn(menu(12_300), sells(coffee, bun, cake))).toEqual([]);
    expect(warn(menu(12_300), sells(coffee, bun, { ...cake, noDiscount: true }))).toEqual([idle]);
  });

  it('is not compared where no list has all of it, and may be lower at another venue', () => {
    const halves = [
      { ...oslo, products: [coffee] },
      { ...oslo, venueId: 'bergen', terminalSetups: ['3'], products: [bun] },
    ];
    expect(warn(menu(99_000), { venues: halves })).toEqual([]);
    expect(warn(menu({ NOK: 12_300, SEK: 12_299 }), { venues: [oslo, malmo] })).toEqual([]);
    expect(warn({ kind: 'bundle_price', percent: 10, items })).toEqual([]);
  });
});

it('a percentage off the order with a minimum spend and a maximum takes that part of the spend', () => {
  const most = { kind: 'order_percent', percent: 95, minimumSpend: 50_000 };
  expect(warn({ ...most, maximumDiscount: 5_000 })).toEqual([]);
  expect(warn({ ...most, maximumDiscount: 46_000 })).toEqual([
    '[0]: can take over 90 % off: 46000 of 50000, 4711 Coffee at oslo',
  ]);
  // The spend is on the whole basket, and the percentage off the coffee alone.
  expect(warn({ ...most, ...ofCoffee, minimumSpendOn: 'basket', maximumDiscount: 5_000 })).toEqual([
    '[0]: can take over 90 % off: 3705 of 3900, 4711 Coffee at oslo',
  ]);
});
