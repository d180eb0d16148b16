/** Benefits that take over 90 %, at venues that list no product which qualifies. */
import { expect, it } from 'vitest';
import { type Around, bun, coffee, malmo, ofCoffee, oslo, ten, warn } from './warned.ts';

const told = 'can take over 90 % off';
const bare = { ...oslo, products: undefined };
const over = (benefit: object, around: Around = { venues: [bare] }) =>
  warn(benefit, around).filter((text) => text.includes(told));
const share = (percent: number) => [`[0]: ${told}: ${percent} % of whatever qualifies`];

it.each<[string, object]>([
  ['off lines', { kind: 'line_percent' }],
  ['off the order', { kind: 'order_percent' }],
  ['off a bundle', { kind: 'bundle_price', items: [{ quantity: 2, ...ofCoffee }] }],
])('a percentage %s needs no price list', (_, kind) => {
  for (const percent of [91, 100]) expect(over({ ...kind, percent })).toEqual(share(percent));
  expect(over({ ...kind, percent: 90 })).toEqual([]);
  // A voucher, of which the cap is the value, and a reward.
  expect(over({ ...kind, percent: 100, maximumDiscount: 5_000 })).toEqual([]);
  expect(over({ ...kind, percent: 100, audience: 'granted' })).toEqual([]);
});

it('nor do sets and given products, which are meant', () => {
  expect(over({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1, percent: 100 } })).toEqual([]);
  expect(over({ kind: 'line_amount', amount: 50_000, per: 'unit' })).toEqual([]);
});

it('an amount for every spend that gives it back', () => {
  const every = (amount: unknown, around?: Around) => over({ kind: 'order_amount', amount, perSpend: 1_000 }, around);
  expect(every(1_000)).toEqual([`[0]: ${told}: 1000 for every 1000`]);
  expect([every(901), every(900)]).toEqual([[`[0]: ${told}: 901 for every 1000`], []]);
  expect(over({ kind: 'order_amount', amount: 1_000, minimumSpend: 1_000 })).toEqual([]);
  // With a list, whose coffee costs 39.00: a basket of 40.00 costs nothing.
  expect(every(1_000, {})).toEqual([`[0]: ${told}: 4000 of 4000, 4711 Coffee at oslo`]);
  expect(every(999, {})).toEqual([]);
  const both = { venues: [{ ...bare, currencies: ['NOK', 'SEK'] }] };
  const amounts = (SEK: number) =>
    over({ kind: 'order_amount', amount: { NOK: 100, SEK }, perSpend: { NOK: 1_000, SEK: 1_100 } }, both);
  expect([amounts(1_100), amounts(110)]).toEqual([[`[0]: ${told}: 1100 for every 1100`], []]);
});

it('is told by the list of another venue that has one, and of the venues where it runs', () => {
  const all = { kind: 'line_percent', percent: 100, ...ofCoffee };
  const [listed] = over(all, { venues: [bare, { ...malmo, products: [coffee] }] });
  expect(listed).toBe(`[0]: ${told}: 3900 of 3900, 4711 Coffee at malmo`);
  expect(over(all, { venues: [{ ...oslo, products: [bun] }] })).toEqual(share(100));
  // What a venue lists of it may not be discounted.
  expect(over(all, { venues: [{ ...oslo, products: [{ ...coffee, noDiscount: true }] }] })).toEqual([]);
  expect(over([all, ten], { venues: [bare] })).toEqual(share(100));
});

it('off the listed products that a percentage may be taken off', () => {
  const protectedOne = { venues: [{ ...oslo, products: [{ ...coffee, noPercentageDiscount: true }] }] };
  for (const kind of ['line_percent', 'order_percent']) {
    expect(over({ kind, percent: 95 }, protectedOne)).toEqual([]);
  }
  const spend = { percent: 95, minimumSpend: 10_000, ...ofCoffee };
  expect(['line_percent', 'order_percent'].flatMap((kind) => over({ kind, ...spend }, {}))).toEqual([
    `[0]: ${told}: 3705 of 3900, 4711 Coffee at oslo`,
    `[0]: ${told}: 9500 of 10000, 4711 Coffee at oslo`,
  ]);
});
