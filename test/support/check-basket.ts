/**
 * What an `applied` basket owes to the basket that was sent (interface, sections 2 and 4.6): the echo,
 * the splits, the protected lines, every identity. Both bodies have passed check-fields.ts before they come here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Report } from './check-fields.ts';
import { allocatedTo, checkOrderDiscounts, checkTotals } from './check-sums.ts';
import { addUpTo, linePriceOf, percentageOf, sumOf } from './decimal.ts';
import type { AppliedBody, BasketBody, LineBody, LineOutBody, OrderDiscountBody } from './wire.ts';

export interface Expectations {
  /** The one predefined code of the integration. */
  readonly discountCode: string;
  /** Products of the venue: what the service may add, by productId. */
  readonly products: ReadonlyMap<string, { name: string; unitPrice: number }>;
}

/** Identity and quantity fields, which the service echoes verbatim on every line it keeps. */
const ECHOED = [
  'lineId',
  'productId',
  'productMasterId',
  'productGroupId',
  'ean',
  'name',
  'quantity',
  'unitPrice',
  'originalLinePrice',
  'parentLineId',
  'noDiscount',
  'noPercentageDiscount',
] as const satisfies readonly (keyof LineBody)[];

/** A split shares the line's identity, but takes a name, a quantity and a price of its own. */
const OWN_OF_A_SPLIT: ReadonlySet<string> = new Set(['lineId', 'quantity', 'originalLinePrice']);

const EXISTING_DETAILS = [
  'existingLineDiscountPercent',
  'existingLineDiscountText',
  'existingLineDiscountCampaignId',
] as const satisfies readonly (keyof LineBody)[];

/** Reports every way in which an `applied` answer breaks the interface for this request. */
export function checkBasket(
  request: BasketBody,
  answer: AppliedBody,
  expectations: Expectations,
  report: Report,
): void {
  const staff = new Map(request.orderDiscounts.map((discount) => [discount.orderDiscountId, discount]));
  checkLineIds(answer, report);
  for (const line of answer.lines) {
    checkLineIdentities(line, expectations.discountCode, report);
    checkProtection(line, answer.orderDiscounts, staff, report);
    checkOrigin(line, request, expectations, report);
  }
  for (const line of request.lines) checkParts(line, answer, report);
  checkOrderDiscounts(request, answer, expectations.discountCode, staff, report);
  checkTotals(answer, staff, report);
  if (!changesSomething(request, answer)) report('/status: is applied, but the answer changes nothing');
}

function checkLineIds(answer: AppliedBody, report: Report): void {
  const known = new Set<string>();
  for (const { lineId, splitFromLineId } of answer.lines) {
    if (known.has(lineId)) report(`line ${lineId}: stands twice in the answer`);
    known.add(lineId);
    if (splitFromLineId !== undefined) known.add(splitFromLineId);
  }
  for (const { lineId, parentLineId } of answer.lines) {
    if (parentLineId !== undefined && !known.has(parentLineId))
      report(`line ${lineId}: its parent ${parentLineId} is gone`);
  }
}

function checkLineIdentities(line: LineOutBody, discountCode: string, report: Report): void {
  const at = `line ${line.lineId}`;
  if (linePriceOf(line.quantity, line.unitPrice) !== BigInt(line.originalLinePrice)) {
    report(`${at}: originalLinePrice ${line.originalLinePrice} is not quantity × unitPrice`);
  }
  const linePrice = linePriceOf(line.quantity, line.overrideUnitPrice ?? line.unitPrice);
  const rest =
    linePrice - BigInt(line.existingLineDiscountAmount) - BigInt(line.lineDiscountAmount) - allocatedTo(line);
  if (rest !== BigInt(line.orderLinePrice)) report(`${at}: orderLinePrice ${line.orderLinePrice} should be ${rest}`);
  if (line.overrideUnitPrice !== undefined && line.overrideUnitPrice >= line.unitPrice) {
    report(`${at}: overrideUnitPrice ${line.overrideUnitPrice} does not lower the price`);
  }
  if (line.existingLineDiscountType === 'none' && line.existingLineDiscountAmount !== 0) {
    report(`${at}: an existing discount of type none has an amount`);
  }
  const isPercent = line.lineDiscountType === 'percent';
  if (isPercent !== (line.lineDiscountPercent !== undefined))
    report(`${at}: lineDiscountPercent and its type disagree`);
  if (isPercent && line.lineDiscountPercent !== undefined) {
    const expected = percentageOf(BigInt(line.originalLinePrice), line.lineDiscountPercent);
    if (expected !== BigInt(line.lineDiscountAmount)) {
      report(`${at}: lineDiscountAmount ${line.lineDiscountAmount} should be ${expected}`);
    }
  }
  const isDiscounted = line.lineDiscountType !== 'none';
  if (!isDiscounted && line.lineDiscountAmount !== 0) report(`${at}: a discount of type none has an amount`);
  if (isDiscounted && line.lineDiscountCode !== discountCode) {
    report(`${at}: lineDiscountCode ${line.lineDiscountCode} should be ${discountCode}`);
  }
  if (!isDiscounted && line.lineDiscountCode !== undefined) report(`${at}: lineDiscountCode without a discount`);
  if (line.showLineDiscountText && !line.lineDiscountText) report(`${at}: showLineDiscountText without a text`);
}

function checkProtection(
  line: LineOutBody,
  discounts: readonly OrderDiscountBody[],
  staff: ReadonlyMap<string, OrderDiscountBody>,
  report: Report,
): void {
  const at = `line ${line.lineId}`;
  if (line.noPercentageDiscount && line.lineDiscountType === 'percent')
    report(`${at}: percentage on a noPercentageDiscount line`);
  if (line.noDiscount && (line.lineDiscountType !== 'none' || line.overrideUnitPrice !== undefined)) {
    report(`${at}: a noDiscount line is discounted`);
  }
  if (line.noDiscount && line.splitFromLineId !== undefined) report(`${at}: a noDiscount line is split`);
  for (const { orderDiscountId } of line.orderDiscountAllocation) {
    const discount = discounts.find((entry) => entry.orderDiscountId === orderDiscountId);
    if (!discount) report(`${at}: allocation to ${orderDiscountId}, which is not in the answer`);
    if (staff.has(orderDiscountId)) continue;
    if (line.noDiscount) report(`${at}: an added order discount is allocated to a noDiscount line`);
    if (line.noPercentageDiscount && discount?.type === 'percent') {
      report(`${at}: an added percentage is allocated to a noPercentageDiscount line`);
    }
  }
}

function checkOrigin(line: LineOutBody, request: BasketBody, expectations: Expectations, report: Report): void {
  const at = `line ${line.lineId}`;
  const known = request.lines.some((entry) => entry.lineId === (line.splitFromLineId ?? line.lineId));
  if (!line.addedByLoyalty) {
    if (!known) report(`${at}: comes from no line of the request and is not marked addedByLoyalty`);
    return;
  }
  if (known || line.splitFromLineId !== undefined) report(`${at}: is marked addedByLoyalty but was sent`);
  const product = expectations.products.get(line.productId);
  if (!product) report(`${at}: adds product ${line.productId}, which the venue does not have`);
  else if (product.unitPrice !== line.unitPrice) report(`${at}: is not added at the venue's own price`);
  if (line.existingLineDiscountAmount !== 0) report(`${at}: an added line carries an existing discount`);
}

/** Judges what became of one line of the request: kept, split or removed. */
function checkParts(line: LineBody, answer: AppliedBody, report: Report): void {
  const at = `line ${line.lineId}`;
  const splits = answer.lines.filter((part) => part.splitFromLineId === line.lineId);
  const kept = answer.lines.filter((part) => part.lineId === line.lineId && part.splitFromLineId === undefined);
  const parts = [...kept, ...splits];
  const isSplit = splits.length > 0;
  if (parts.length === 0) {
    if (line.noDiscount) report(`${at}: a noDiscount line was removed`);
    return;
  }
  for (const part of parts) {
    for (const field of ECHOED) {
      if (isSplit && OWN_OF_A_SPLIT.has(field)) continue;
      if (part[field] !== line[field]) report(`${at}: ${field} is not echoed: ${line[field]} became ${part[field]}`);
    }
    checkExisting(line, part, isSplit, report);
  }
  if (isSplit) {
    if (parts.length < 2) report(`${at}: a split needs at least two parts`);
    if (
      !addUpTo(
        parts.map((part) => part.quantity),
        line.quantity,
      )
    )
      report(`${at}: the splits' quantities do not add up`);
    if (sumOf(parts.map((part) => part.originalLinePrice)) !== BigInt(line.originalLinePrice)) {
      report(`${at}: the splits' prices do not add up`);
    }
    const existing = sumOf(parts.map((part) => part.existingLineDiscountAmount));
    if (existing > BigInt(line.existingLineDiscountAmount)) report(`${at}: the splits' existing discounts grew`);
  }
  if (line.noDiscount && !isDeepStrictEqual(echoOfUntouched(line), parts[0]))
    report(`${at}: a noDiscount line was touched`);
}

function checkExisting(line: LineBody, part: LineOutBody, isSplit: boolean, report: Report): void {
  const at = `line ${line.lineId}`;
  if (part.existingLineDiscountAmount > line.existingLineDiscountAmount) report(`${at}: the existing discount grew`);
  const wasCleared = line.existingLineDiscountType !== 'none' && part.existingLineDiscountType === 'none';
  if (!wasCleared && part.existingLineDiscountType !== line.existingLineDiscountType) {
    report(`${at}: existingLineDiscountType is neither echoed nor cleared`);
  }
  const isKept = !wasCleared && (isSplit || part.existingLineDiscountAmount === line.existingLineDiscountAmount);
  for (const field of EXISTING_DETAILS) {
    if (wasCleared && part[field] !== undefined) report(`${at}: ${field} outlives the discount it belonged to`);
    if (isKept && part[field] !== line[field]) report(`${at}: ${field} is not echoed`);
  }
}

/** The line as an answer shows it when nothing happened to it. */
function echoOfUntouched(line: LineBody): LineOutBody {
  const known: Partial<LineBody> = {};
  for (const field of [...ECHOED, ...EXISTING_DETAILS]) {
    if (line[field] !== undefined) Object.assign(known, { [field]: line[field] });
  }
  return {
    ...(known as LineBody),
    existingLineDiscountType: line.existingLineDiscountType,
    existingLineDiscountAmount: line.existingLineDiscountAmount,
    orderDiscountAllocation: line.orderDiscountAllocation,
    orderLinePrice: line.orderLinePrice,
    lineDiscountType: 'none',
    lineDiscountAmount: 0,
    showLineDiscountText: false,
  };
}

function changesSomething(request: BasketBody, answer: AppliedBody): boolean {
  if (answer.lines.length !== request.lines.length) return true;
  if (!isDeepStrictEqual(answer.orderDiscounts, request.orderDiscounts)) return true;
  return answer.lines.some((line) => {
    const sent = request.lines.find((entry) => entry.lineId === line.lineId);
    return (
      !sent ||
      line.lineDiscountAmount > 0 ||
      line.overrideUnitPrice !== undefined ||
      line.existingLineDiscountAmount !== sent.existingLineDiscountAmount
    );
  });
}
