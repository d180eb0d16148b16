import type { BasketRequest } from '../contract/basket-request.ts';
import type { RefusalDetails } from '../contract/errors.ts';

type LinesAndDiscounts = Pick<BasketRequest, 'lines' | 'orderDiscounts'>;

/** Checks the rules that a schema cannot express: unique IDs, and references to existing entries. */
export function findReferenceFault(basket: BasketRequest): RefusalDetails | undefined {
  if (basket.supersedesCalculationId === basket.calculationId) {
    return { field: '/supersedesCalculationId', expected: 'another calculation than this one', received: 'this one' };
  }
  return findIdFault(basket) ?? findParentFault(basket);
}

/**
 * Checks that IDs are unique and that allocations refer to known order discounts. Our own answers must satisfy this
 * too. Parents are checked in requests only: an answer may have removed or split a parent.
 */
export function findIdFault(basket: LinesAndDiscounts): RefusalDetails | undefined {
  const discountIds = basket.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId);
  const lineIds = basket.lines.map(({ lineId }) => lineId);
  return (
    findRepeatedId(discountIds, (index) => `/orderDiscounts/${index}/orderDiscountId`) ??
    findRepeatedId(lineIds, (index) => `/lines/${index}/lineId`) ??
    findAllocationFault(basket.lines, new Set(discountIds))
  );
}

function findRepeatedId(ids: readonly string[], fieldOf: (index: number) => string): RefusalDetails | undefined {
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) return { field: fieldOf(index), expected: 'an ID used once', received: 'one used before' };
    seen.add(id);
  }
  return undefined;
}

function findAllocationFault(lines: BasketRequest['lines'], known: ReadonlySet<string>): RefusalDetails | undefined {
  for (const [index, line] of lines.entries()) {
    const unknown = line.orderDiscountAllocation.findIndex(({ orderDiscountId }) => !known.has(orderDiscountId));
    if (unknown < 0) continue;
    const field = `/lines/${index}/orderDiscountAllocation/${unknown}/orderDiscountId`;
    return { field, expected: 'an orderDiscountId of orderDiscounts', received: 'an unknown one' };
  }
  return undefined;
}

/**
 * Checks that each parent is another line of the basket, and that parents form no circle. No line is walked through
 * twice: a walk ends where an earlier one passed, because nothing above that line is a circle.
 */
function findParentFault({ lines }: LinesAndDiscounts): RefusalDetails | undefined {
  const indexes = new Map<string | undefined, number>(lines.map(({ lineId }, index) => [lineId, index]));
  const parents = lines.map(({ parentLineId }) => indexes.get(parentLineId));
  const walks: (number | undefined)[] = lines.map(() => undefined);
  for (const [index, line] of lines.entries()) {
    const field = `/lines/${index}/parentLineId`;
    // Empty from callers that send every field.
    if (!line.parentLineId) continue;
    if (parents[index] === undefined) return { field, expected: 'a lineId of the basket', received: 'an unknown one' };
    let passed: number | undefined = index;
    while (passed !== undefined && walks[passed] === undefined) {
      walks[passed] = index;
      passed = parents[passed];
    }
    const isCircle = passed !== undefined && walks[passed] === index;
    if (isCircle) return { field, expected: 'no circle of parents', received: 'a circle' };
  }
  return undefined;
}
