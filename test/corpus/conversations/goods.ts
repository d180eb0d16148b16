/** Lines that the conversations have in common. */
import type { LineWords } from '../../support/baskets.ts';

const goods = (productId: string, productGroupId: string, unitPrice: number) => {
  return (quantity = 1, more: LineWords = {}): LineWords => ({
    ...{ productId, productGroupId, name: productId, quantity, unitPrice },
    ...more,
  });
};

export const coffee = goods('4711', 'coffee', 3900);
export const bun = goods('bun', 'bakery', 4500);
export const soap = goods('soap', 'care', 3000);
export const cream = goods('cream', 'care', 9000);
export const pizza = goods('pizza', 'pizza', 18000);
export const burger = goods('burger', 'burger', 12900);
export const fries = goods('fries', 'fries', 4900);
export const drink = goods('drink', 'drinks', 3900);
export const cake = goods('cake', 'cafe', 6100);
