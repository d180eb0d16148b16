import type { BasketRequest } from '../contract/basket-request.ts';
import type { RefusalDetails } from '../contract/errors.ts';

type LinesAndDiscounts = Pick<BasketRequest, 'lines' | 'orderDiscounts'>;

/** Judges what a schema cannot say: IDs that must be unique, and references that must lead somewhere. */
export function findReferenceFault(basket: BasketRequest): RefusalDetails | undefined {
  if (basket.supersedesCalculationId === basket.calculationId) {
    return { field: '/supersedesCalculationId', expected: 'another calculation than this one', received: 'this one' };
  }
  return findIdFault(basket) ?? findParentFault(basket);
}

/**
 * IDs used once, and allocations of known order discounts: this must hold for our own answers too. A parent need not: an
 * answer may have removed or split it.
 */
export function findIdFault(basket: LinesAndDiscounts): RefusalDetails | undefined {
  return findOrderDiscountFault(basket) ?? findLineIdFault(basket) ?? findAllocationFault(basket);
}

function findOrderDiscountFault({ orderDiscounts }: LinesAndDiscounts): RefusalDetails | undefined {
  const seen = new Set<string>();
  for (const [index, { orderDiscountId }] of orderDiscounts.entries()) {
    if (seen.has(orderDiscountId)) return duplicate(`/orderDiscounts/${index}/orderDiscountId`);
    seen.add(orderDiscountId);
  }
  return undefined;
}

function findLineIdFault({ lines }: LinesAndDiscounts): RefusalDetails | undefined {
  const seen = new Set<string>();
  for (const [index, { lineId }] of lines.entries()) {
    if (seen.has(lineId)) return duplicate(`/lines/${index}/lineId`);
    seen.add(lineId);
  }
  return undefined;
}

function findAllocationFault({ lines, orderDiscounts }: LinesAndDiscounts): RefusalDetails | undefined {
  const known = new Set(orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  for (const [index, line] of lines.entries()) {
    const unknown = line.orderDiscountAllocation.findIndex(({ orderDiscountId }) => !known.has(orderDiscountId));
    if (unknown < 0) continue;
    const field = `/lines/${index}/orderDiscountAllocation/${unknown}/orderDiscountId`;
    return { field, expected: 'an orderDiscountId of orderDiscounts', received: 'an unknown one' };
  }
  return undefined;
}

/** A parent is another line of the basket, and no line is its own ancestor. */
function findParentFault({ lines }: LinesAndDiscounts): RefusalDetails | undefined {
  const indexes = new Map(lines.map(({ lineId }, index) => [lineId, index]));
  const parents = lines.map(({ parentLineId }) => (parentLineId === undefined ? undefined : indexes.get(parentLineId)));
  for (const [index, line] of lines.entries()) {
    const field = `/lines/${index}/parentLineId`;
    if (line.parentLineId === undefined) continue;
    if (parents[index] === undefined) return { field, expected: 'a lineId of the basket', received: 'an unknown one' };
    let ancestor: number | undefined = parents[index];
    for (let steps = 0; ancestor !== undefined; steps += 1) {
      if (ancestor === index || steps > lines.length)
        return { field, expected: 'no circle of parents', received: 'a circle' };
      ancestor = parents[ancestor];
    }
  }
  return undefined;
}

function duplicate(field: string): RefusalDetails {
  return { field, expected: 'an ID used once', received: 'one used before' };
}
