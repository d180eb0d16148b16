/** What is recorded of a basket: the fields of the interface alone, at every depth, as typebox would clean it. */
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { BasketRequest } from '../../src/contract/basket-request.ts';
import { keepKnownFields } from '../../src/contract/known-fields.ts';
import { randomBasket } from '../support/baskets.ts';

/** A copy with a foreign field in every object. */
function spoil(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoil);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, spoil(field)]);
  return Object.fromEntries([['guestName', 'Anna'], ...fields, ['constructor', { street: 'A 1' }], ['__proto__', {}]]);
}

test('unknown fields are left out at every depth, and the rest stays as it was', () => {
  const random = new Random(1);
  for (let count = 0; count < 20; count += 1) {
    const basket = randomBasket(random, random.between(1, 40));
    const spoilt = spoil(basket);
    const before = structuredClone(spoilt);
    const kept = keepKnownFields(BasketRequest, spoilt);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(basket));
    expect(JSON.stringify(kept)).toBe(JSON.stringify(Value.Clean(BasketRequest, structuredClone(spoilt))));
    expect(spoilt).toEqual(before);
  }
});
