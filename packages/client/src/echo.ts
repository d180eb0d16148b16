import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import type { RefusalDetails } from '@loyalty/contract/errors';
import { isSumOf } from '@loyalty/contract/money/portion';

/**
 * What an applied answer must leave as it was (interface, sections 2 and 4.6): the identity of every kept line,
 * the quantities of split ones, everything of a protected line. Arithmetic is judged elsewhere.
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

/** Besides these, a line that is not split keeps its quantity and with it the price before any discount. */
const QUANTITY_FIELDS = ['quantity', 'originalLinePrice'] as const satisfies readonly (keyof BasketLine)[];

/** A line in an answer with its place, and the line of the request that it stands for. */
interface Part {
  readonly index: number;
  readonly line: BasketLineOut;
}

/** The first thing of the caller's that the answer changed and may not, undefined when there is none. */
export function findEchoFault(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const originals = new Map(request.lines.map((line) => [line.lineId, line]));
  const parts = new Map<string, Part[]>();
  const seen = new Set<string>();
  for (const [index, line] of answer.lines.entries()) {
    if (seen.has(line.lineId)) return fault(index, 'lineId', 'an ID used once', 'one used before');
    seen.add(line.lineId);
    const place = findOrigin(line, index, originals);
    if ('fault' in place) return place.fault;
    if (place.origin === undefined) continue;
    const changed = findIdentityFault(place.origin, line, index);
    if (changed) return changed;
    const siblings = parts.get(place.origin.lineId);
    if (siblings) siblings.push({ index, line });
    else parts.set(place.origin.lineId, [{ index, line }]);
  }
  for (const original of request.lines) {
    const lost = findOriginalFault(original, parts.get(original.lineId) ?? []);
    if (lost) return lost;
  }
  return undefined;
}

type Origin = { readonly origin: BasketLine | undefined } | { readonly fault: RefusalDetails };

/** The line of the request that a line of the answer stands for; none for a line that the service added. */
function findOrigin(line: BasketLineOut, index: number, originals: ReadonlyMap<string, BasketLine>): Origin {
  const named = originals.get(line.lineId);
  if (line.addedByLoyalty === true) {
    const isNew = named === undefined && line.splitFromLineId === undefined;
    return isNew
      ? { origin: undefined }
      : { fault: fault(index, 'addedByLoyalty', 'true on new lines only', 'a line of the basket') };
  }
  if (line.splitFromLineId === undefined) {
    return named ? { origin: named } : { fault: fault(index, 'lineId', 'a line of the basket', 'an unknown one') };
  }
  const source = originals.get(line.splitFromLineId);
  if (!source) return { fault: fault(index, 'splitFromLineId', 'a line of the basket', 'an unknown one') };
  return named === undefined || named === source
    ? { origin: source }
    : { fault: fault(index, 'lineId', 'a new ID or that of the line that was split', 'another line') };
}

function findIdentityFault(original: BasketLine, line: BasketLineOut, index: number): RefusalDetails | undefined {
  const changed = IDENTITY_FIELDS.find((field) => line[field] !== original[field]);
  return changed && fault(index, changed, 'the value of the request', 'another one');
}

/** Judges what became of one line of the request, over all its parts. A removed line has none. */
function findOriginalFault(original: BasketLine, parts: readonly Part[]): RefusalDetails | undefined {
  const isSplit = parts.some(({ line }) => line.splitFromLineId !== undefined);
  if (original.noDiscount) {
    if (parts.length === 0) return { field: '/lines', expected: 'every noDiscount line', received: 'one less' };
    return isSplit
      ? fault(parts[0]!.index, 'splitFromLineId', 'nothing on a noDiscount line', 'a value')
      : (findQuantityFault(original, parts[0]!) ?? findProtectedFault(original, parts[0]!));
  }
  const percentage = original.noPercentageDiscount && parts.find(({ line }) => line.lineDiscountType === 'percent');
  if (percentage) return fault(percentage.index, 'lineDiscountType', 'no percentage', 'percent');
  if (parts.length === 0) return undefined;
  const existing = parts.reduce((sum, { line }) => sum + line.existingLineDiscountAmount, 0);
  if (existing > original.existingLineDiscountAmount) {
    const most = original.existingLineDiscountAmount;
    return fault(parts[0]!.index, 'existingLineDiscountAmount', `at most ${most}`, existing);
  }
  if (!isSplit) return findQuantityFault(original, parts[0]!);
  const quantities = parts.map(({ line }) => line.quantity);
  return isSumOf(original.quantity, quantities)
    ? undefined
    : fault(parts[0]!.index, 'quantity', `parts that add up to ${original.quantity}`, quantities.join(' + '));
}

function findQuantityFault(original: BasketLine, { line, index }: Part): RefusalDetails | undefined {
  const changed = QUANTITY_FIELDS.find((field) => line[field] !== original[field]);
  return changed && fault(index, changed, original[changed], line[changed]);
}

/** A product that may not legally be discounted stays as it is; an order discount that fell away takes its share along. */
function findProtectedFault(original: BasketLine, { line, index }: Part): RefusalDetails | undefined {
  if (line.lineDiscountType !== 'none') return fault(index, 'lineDiscountType', 'none', line.lineDiscountType);
  const { overrideUnitPrice } = line;
  if (overrideUnitPrice !== undefined && overrideUnitPrice !== original.unitPrice) {
    return fault(index, 'overrideUnitPrice', 'nothing on a noDiscount line', overrideUnitPrice);
  }
  if (
    line.existingLineDiscountType !== original.existingLineDiscountType ||
    line.existingLineDiscountAmount !== original.existingLineDiscountAmount
  ) {
    const { existingLineDiscountAmount: expected } = original;
    return fault(index, 'existingLineDiscountAmount', expected, line.existingLineDiscountAmount);
  }
  const grown = line.orderDiscountAllocation.some(
    ({ orderDiscountId }) => shareOf(line, orderDiscountId) > shareOf(original, orderDiscountId),
  );
  if (!grown) return undefined;
  return fault(index, 'orderDiscountAllocation', 'no share beyond the request', 'a larger one');
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
