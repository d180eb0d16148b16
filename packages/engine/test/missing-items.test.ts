/** What a bundle lacks where its items may have some of the same products. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawn } from '../../../test/support/effort.ts';
import { shortItems } from '../src/offers/missing-items.ts';
import { line } from './support/choices.ts';
import { told } from './support/told.ts';

const c = { appliesTo: { productIds: ['c'] } };
const t = { appliesTo: { productIds: ['t'] } };
const u = { appliesTo: { productIds: ['u'] } };
const either = { appliesTo: { productIds: ['c', 't'] } };

it.each<[what: string, items: object[], units: Record<string, number>, change: string]>([
  ['its own and any', [{ ...c, quantity: 2 }, { quantity: 1 }], { c: 1 }, '1 more of c, 1 more of any product'],
  ['any and its own', [{ quantity: 1 }, { ...c, quantity: 2 }], { c: 1 }, '1 more of c, 1 more of any product'],
  ['any alone', [{ ...c, quantity: 2 }, { quantity: 1 }], { c: 2 }, '1 more of any product'],
  ['two that share one unit, beside a third that has more', [either, c, u], { c: 1, u: 3 }, '1 more of c or t'],
  ['either of two', [either, c, t], { c: 1, t: 1 }, '1 more of c or t'],
  ['one of two, and both', [either, { ...c, quantity: 2 }, t], { t: 2 }, '2 more of c'],
])('%s', (_, items, units, change) => {
  const lines = Object.entries(units).map(([name, quantity]) => line(name, quantity, 1_000));
  const all = items.map((item) => ({ quantity: 1, ...item }));
  const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: all } as never;
  expect(told([menu], {}, lines)).toMatchObject({ reason: 'too_few_units', change });
});

it('is as many units as no way to deal them out can spare', () => {
  const places = [0, 1, 2, 3];
  const item = fc.record({ quantity: fc.integer({ min: 1, max: 4 }), own: fc.subarray(places) });
  const units = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: places.length, maxLength: places.length });
  const property = fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), units, (items, unitsOf) => {
    const short = shortItems(items, (place) => unitsOf[place]!);
    // Of any items together at least as many are missing as they need more than their lines have (Hall's theorem).
    const lacks = (group: typeof items) => {
      const own = new Set(group.flatMap((one) => one.own));
      const needed = group.reduce((sum, { quantity }) => sum + quantity, 0);
      return [...own].reduce((left, place) => left - unitsOf[place]!, needed);
    };
    const groups = Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_, at) => bits & (1 << at)));
    const missing = short.reduce((sum, { alone, shared }) => sum + alone + shared, 0);
    expect(missing).toBe(Math.max(...groups.map(lacks)));
    for (const [at, { alone, rivals }] of short.entries()) {
      expect(alone).toBe(Math.max(0, lacks([items[at]!])));
      expect(rivals).toContain(at);
    }
  });
  fc.assert(property, drawn(200));
});
