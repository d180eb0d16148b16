import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse } from '@loyalty/contract/basket-response';
import type { RefusalDetails } from '@loyalty/contract/errors';

/** Order discounts of an applied answer (interface, section 4.6): their names, codes and references. */

/** The first fault, undefined when there is none. That the shares add up to the amounts is judged with the arithmetic. */
export function findOrderDiscountFault(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const before = new Set(request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const present = new Set<string>();
  for (const [index, { orderDiscountId, discountCode }] of answer.orderDiscounts.entries()) {
    const at = `/orderDiscounts/${index}`;
    if (present.has(orderDiscountId)) {
      return { field: `${at}/orderDiscountId`, expected: 'an ID used once', received: 'one used before' };
    }
    present.add(orderDiscountId);
    if (!before.has(orderDiscountId) && (discountCode === undefined || discountCode === '')) {
      return { field: `${at}/discountCode`, expected: 'a code on an added discount', received: 'nothing' };
    }
  }
  for (const [index, line] of answer.lines.entries()) {
    const dangling = line.orderDiscountAllocation.findIndex(({ orderDiscountId }) => !present.has(orderDiscountId));
    if (dangling >= 0) {
      const field = `/lines/${index}/orderDiscountAllocation/${dangling}/orderDiscountId`;
      return { field, expected: 'an order discount of the answer', received: 'an unknown one' };
    }
  }
  return undefined;
}

/** True when the answer differs from the basket in at least one way, which `applied` promises (interface, section 2). */
export function changesBasket(request: BasketRequest, answer: AppliedResponse): boolean {
  if (answer.lines.length !== request.lines.length) return true;
  if (answer.orderDiscounts.length !== request.orderDiscounts.length) return true;
  const amounts = new Map(request.orderDiscounts.map(({ orderDiscountId, amount }) => [orderDiscountId, amount]));
  if (answer.orderDiscounts.some(({ orderDiscountId, amount }) => amounts.get(orderDiscountId) !== amount)) return true;
  const prices = new Map(request.lines.map((line) => [line.lineId, line.orderLinePrice]));
  return answer.lines.some(
    (line) =>
      line.lineDiscountType !== 'none' ||
      line.overrideUnitPrice !== undefined ||
      prices.get(line.lineId) !== line.orderLinePrice,
  );
}
