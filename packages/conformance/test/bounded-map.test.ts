/** What the double remembers of calculations is bounded. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { basketOf } from '../../../test/support/baskets.ts';
import { ContractSide, MAX_CALCULATIONS } from '../src/double/contract-side.ts';

test('the double forgets the oldest calculations, and knows the others', () => {
  const contract = new ContractSide(randomBytes(32), {});
  const basket = basketOf([{}], { loyaltyId: 'member' }) as BasketRequest;
  const ids = Array.from({ length: MAX_CALCULATIONS + 1 }, () => randomUUID());
  for (const calculationId of ids) contract.note({ ...basket, calculationId });
  const settle = (calculationId: string) =>
    contract.settle({ calculationId, status: 'applied', transactionId: 'receipt-1' });
  expect([ids[0]!, ids[1]!, ids.at(-1)!].map(settle)).toEqual(['unknown_calculation', 'recorded', 'recorded']);
});
