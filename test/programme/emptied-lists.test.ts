/** A restriction that is emptied opens a benefit to all, which is told. */
import { expect, it } from 'vitest';
import { bun, coffee, ofCoffee, oslo, ten, warn } from './warned.ts';

const list = (means: string) => `an empty list restricts nothing, it means ${means}: leave it out if that is meant`;

it.each([
  ['venueIds', 'every venue'],
  ['tiers', 'every member'],
  ['channels', 'every channel'],
  ['weekdays', 'every day'],
])('an emptied list of %s', (name, means) => {
  expect(warn({ ...ten, when: { [name]: [] } })).toEqual([`[0].when.${name}: ${list(means)}`]);
  const windows = [{ hours: '08:00-10:00' }, { hours: '12:00-13:00', [name]: [] }];
  expect(warn({ ...ten, when: windows })).toEqual([`[0].when[1].${name}: ${list(means)}`]);
  expect(warn({ ...ten, enabled: false, when: { [name]: [] } })).toEqual([]);
});

it('an emptied window, beside which no other one counts', () => {
  const open = 'an empty window is always open: leave it out if that is meant';
  expect(warn({ ...ten, when: {} })).toEqual([`[0].when: ${open}`]);
  expect(warn({ ...ten, when: [{ weekdays: ['mon'] }, {}] })).toEqual([`[0].when[1]: ${open}`]);
  expect(warn({ ...ten, when: { weekdays: ['mon'] } })).toEqual([]);
});

it('an emptied selector, which is no selector that is left out', () => {
  const all = 'an empty selector takes every product: leave it out if that is meant';
  expect(warn({ ...ten, appliesTo: {} })).toEqual([`[0].appliesTo: ${all}`]);
  expect([warn(ten), warn({ ...ten, ...ofCoffee })]).toEqual([[], []]);
  const items = [
    { quantity: 1, ...ofCoffee },
    { quantity: 1, appliesTo: {} },
  ];
  expect(warn({ kind: 'bundle_price', items, percent: 10 })).toEqual([`[0].items[1].appliesTo: ${all}`]);
  const half = { quantity: 1, appliesTo: {} };
  expect(warn({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: half })).toEqual([`[0].get.appliesTo: ${all}`]);
  expect(warn({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 } })).toEqual([]);
  const sells = { venues: [{ ...oslo, products: [coffee, bun] }] };
  expect(warn({ kind: 'unit_price', unitPrice: 3_000, appliesTo: {} }, sells)).toEqual([
    '[0].appliesTo: every product gets this price: select the products with appliesTo',
  ]);
});
