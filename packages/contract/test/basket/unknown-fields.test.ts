/** What is kept of a basket: the fields of the interface alone, at every depth. */
import { expect, test } from 'vitest';
import { randomBasket } from '../../../../test/support/baskets.ts';
import { Random } from '../../../simulator/src/random.ts';
import { removeUnknownFields } from '../../src/basket/schema.ts';

/** A copy with a foreign field in every object. */
function spoil(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoil);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, spoil(field)]);
  return Object.fromEntries([['guestName', 'Anna'], ...fields, ['constructor', { street: 'A 1' }], ['__proto__', {}]]);
}

test('unknown fields are removed at every depth, and the rest stays as it was', () => {
  const random = new Random(1);
  for (let count = 0; count < 20; count += 1) {
    const basket = randomBasket(random, random.between(1, 40));
    const kept = removeUnknownFields(spoil(basket) as typeof basket);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(basket));
  }
});

test('a field that is nested too deep to be written goes as well', () => {
  const basket = randomBasket(new Random(2), 2);
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  expect(() => JSON.stringify(deep)).toThrow();
  const lines = basket.lines.map((line) => ({ ...line, deep }));
  expect(removeUnknownFields({ ...basket, lines, deep } as typeof basket)).toEqual(basket);
});
