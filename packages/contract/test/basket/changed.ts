import type { BasketRequest } from '../../src/basket-request.ts';

/** Baskets and answers that a test changes in one place. */

export type Writable<T> = { -readonly [Name in keyof T]: T[Name] extends object ? Writable<T[Name]> : T[Name] };
export type Request = Writable<BasketRequest>;

export const share = (orderDiscountId: string, amount: number) => ({
  orderDiscountId,
  orderDiscountAllocationAmount: amount,
});

/** Makes the totals of a changed basket right again. */
export function addUp(basket: Pick<Request, 'lines' | 'totals'>): void {
  const sum = (of: (line: Request['lines'][number]) => number) =>
    basket.lines.reduce((total, line) => total + of(line), 0);
  basket.totals.originalTotal = sum((line) => line.originalLinePrice);
  basket.totals.existingDiscountTotal = sum((line) => line.existingLineDiscountAmount);
  basket.totals.orderDiscountTotal = sum((line) =>
    line.orderDiscountAllocation.reduce((total, one) => total + one.orderDiscountAllocationAmount, 0),
  );
  basket.totals.total = sum((line) => line.orderLinePrice);
}

/** Any value, as JSON may hold it. */
export const put = (target: object, name: string, value: unknown) => Object.assign(target, { [name]: value });
