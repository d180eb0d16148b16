/** What the double remembers of calculations is bounded. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { basketOf } from '../../../test/support/baskets.ts';
import { BoundedMap } from '../src/double/bounded-map.ts';
import { ContractSide, MAX_CALCULATIONS } from '../src/double/contract-side.ts';

test('a bounded map forgets the oldest key, and one that is set again keeps its age', () => {
  const map = new BoundedMap<number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});

test('the double forgets the oldest calculations, and knows the others', () => {
  const contract = new ContractSide(randomBytes(32), {});
  const basket = basketOf([{}], { loyaltyId: 'member' }) as BasketRequest;
  const ids = Array.from({ length: MAX_CALCULATIONS + 1 }, () => randomUUID());
  for (const calculationId of ids) contract.note({ ...basket, calculationId });
  const settle = (calculationId: string) =>
    contract.settle({ calculationId, status: 'applied', transactionId: 'receipt-1' });
  expect([ids[0]!, ids[1]!, ids.at(-1)!].map(settle)).toEqual(['unknown_calculation', 'recorded', 'recorded']);
});
