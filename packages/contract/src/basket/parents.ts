import type { BasketRequest } from '../basket-request.ts';
import type { RefusalDetails } from '../errors.ts';

/**
 * Checks that each parent is another line of the basket, and that parents form no circle. No line is walked through
 * twice: a walk ends where an earlier one passed, because nothing above that line is a circle.
 */
export function findParentFault(lines: BasketRequest['lines']): RefusalDetails | undefined {
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
