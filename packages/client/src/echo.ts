import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import type { RefusalDetails } from '@loyalty/contract/errors';
import { isSumOf } from '@loyalty/contract/money/portion';
import type { BasketLine, BasketRequest } from './basket.ts';

/**
 * What an applied answer must leave as it was (interface, sections 2 and 4.6): the identity of every kept line,
 * the quantities of split ones, everything of a protected line. Arithmetic and IDs that are used twice are judged elsewhere.
 */

/** Never changed by the service, on a kept line and on every part of a split one. */
const IDENTITY_FIELDS = [
  'productId',
  'productMasterId',
  'productGroupId',
  'ean',
  'name',
  'unitPrice',
  'parentLineId',
  'noDiscount',
  'noPercentageDiscount',
] as const satisfies readonly (keyof BasketLine)[];

/** A line in an answer with its place. */
interface Part {
  readonly index: number;
  readonly line: BasketLineOut;
}

/** The first thing of the caller's that the answer changed and may not, undefined when there is none. */
export function findEchoFault(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const originals = new Map(request.lines.map((line) => [line.lineId, { line, parts: [] as Part[] }]));
  for (const [index, line] of answer.lines.entries()) {
    const named = originals.get(line.lineId);
    if (line.addedByLoyalty === true) {
      if (named === undefined && line.splitFromLineId === undefined) continue;
      return fault(index, 'addedByLoyalty', 'true on new lines only', 'a line of the basket');
    }
    const origin = line.splitFromLineId === undefined ? named : originals.get(line.splitFromLineId);
    if (!origin) {
      const field = line.splitFromLineId === undefined ? 'lineId' : 'splitFromLineId';
      return fault(index, field, 'a line of the basket', 'an unknown one');
    }
    if (named && named !== origin) {
      return fault(index, 'lineId', 'a new ID or that of the line that was split', 'another line');
    }
    const changed = IDENTITY_FIELDS.find((field) => line[field] !== origin.line[field]);
    if (changed) return fault(index, changed, 'the value of the request', 'another one');
    origin.parts.push({ index, line });
  }
  for (const { line, parts } of originals.values()) {
    const lost = parts.length > 0 ? findKeptFault(line, parts) : findRemovedFault(line);
    if (lost) return lost;
  }
  return undefined;
}

function findRemovedFault({ noDiscount }: BasketLine): RefusalDetails | undefined {
  return noDiscount ? { field: '/lines', expected: 'every noDiscount line', received: 'one less' } : undefined;
}

/** Judges what became of one line of the request, over all its parts. */
function findKeptFault(original: BasketLine, parts: readonly Part[]): RefusalDetails | undefined {
  const [{ index, line }] = parts as [Part];
  const isSplit = parts.some((part) => part.line.splitFromLineId !== undefined);
  if (original.noDiscount) {
    if (isSplit) return fault(index, 'splitFromLineId', 'nothing on a noDiscount line', 'a value');
    return findQuantityFault(original, line, index) ?? findProtectedFault(original, line, index);
  }
  const percentage = original.noPercentageDiscount && parts.find((part) => part.line.lineDiscountType === 'percent');
  if (percentage) return fault(percentage.index, 'lineDiscountType', 'no percentage', 'percent');
  const existing = parts.reduce((sum, part) => sum + part.line.existingLineDiscountAmount, 0);
  if (existing > original.existingLineDiscountAmount) {
    return fault(index, 'existingLineDiscountAmount', `at most ${original.existingLineDiscountAmount}`, existing);
  }
  if (!isSplit) return findQuantityFault(original, line, index);
  const quantities = parts.map((part) => part.line.quantity);
  if (isSumOf(original.quantity, quantities)) return undefined;
  return fault(index, 'quantity', `parts that add up to ${original.quantity}`, quantities.join(' + '));
}

/** A line that is not split keeps its quantity; with the unit price and the arithmetic its price before any discount follows. */
function findQuantityFault(original: BasketLine, line: BasketLineOut, index: number): RefusalDetails | undefined {
  return line.quantity === original.quantity ? undefined : fault(index, 'quantity', original.quantity, line.quantity);
}

/** A product that may not legally be discounted stays as it is; an order discount that fell away takes its share along. */
function findProtectedFault(original: BasketLine, line: BasketLineOut, index: number): RefusalDetails | undefined {
  const { lineDiscountType, overrideUnitPrice, existingLineDiscountType, existingLineDiscountAmount } = line;
  if (lineDiscountType !== 'none') return fault(index, 'lineDiscountType', 'none', lineDiscountType);
  if (overrideUnitPrice !== undefined && overrideUnitPrice !== original.unitPrice) {
    return fault(index, 'overrideUnitPrice', 'nothing on a noDiscount line', overrideUnitPrice);
  }
  const expected = original.existingLineDiscountAmount;
  if (existingLineDiscountType !== original.existingLineDiscountType || existingLineDiscountAmount !== expected) {
    return fault(index, 'existingLineDiscountAmount', expected, existingLineDiscountAmount);
  }
  const hasGrown = line.orderDiscountAllocation.some(
    ({ orderDiscountId }) => shareOf(line, orderDiscountId) > shareOf(original, orderDiscountId),
  );
  return hasGrown ? fault(index, 'orderDiscountAllocation', 'no share beyond the request', 'a larger one') : undefined;
}

/** A line may have several shares of one order discount. */
function shareOf({ orderDiscountAllocation }: BasketLine, orderDiscountId: string): number {
  return orderDiscountAllocation.reduce(
    (sum, share) => sum + (share.orderDiscountId === orderDiscountId ? share.orderDiscountAllocationAmount : 0),
    0,
  );
}

function fault(index: number, field: string, expected: string | number, received: string | number): RefusalDetails {
  return { field: `/lines/${index}/${field}`, expected, received };
}
