import { isDeepStrictEqual } from 'node:util';
import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { type Applied, at } from '../../packages/conformance/src/kit/judge/applied.ts';
import { total } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { EXISTING_DETAILS, ORDER_DISCOUNT_FIELDS } from '../../packages/conformance/src/kit/judge/lines.ts';
import type { Promises } from './promises.ts';

/** The promises about `applied` answers beyond the interface; see promises.ts. */
export function promisedLineFaults(applied: Applied, promises: Promises): string[] {
  const { answer, request, parts } = applied;
  const mayClear = (promises.mayGiveAllUp ?? false) && givesAllUp(applied);
  return [
    ...answer.lines.flatMap((line) => [...discountFaults(line, promises.discountCode), ...addedFaults(line, promises)]),
    ...parentFaults(answer.lines),
    ...request.lines.flatMap((line) => keptFaults(line, parts.get(line.lineId) ?? [], mayClear)),
    ...orderDiscountFaults(applied, promises.discountCode),
    ...worthFaults(applied),
  ];
}

function discountFaults(line: BasketLineOut, discountCode: string): string[] {
  const faults: string[] = [];
  const { lineDiscountType: type, lineDiscountText: text, overrideUnitPrice } = line;
  if (type !== 'none' && line.lineDiscountCode !== discountCode) {
    faults.push(`${at(line)}: lineDiscountCode ${line.lineDiscountCode} should be ${discountCode}`);
  }
  if (type !== 'none' && line.lineDiscountAmount === 0) faults.push(`${at(line)}: the discount is worth nothing`);
  if ((type === 'percent') !== (line.lineDiscountPercent !== undefined)) {
    faults.push(`${at(line)}: lineDiscountPercent and its type disagree`);
  }
  if (overrideUnitPrice !== undefined && overrideUnitPrice >= line.unitPrice) {
    faults.push(`${at(line)}: overrideUnitPrice ${overrideUnitPrice} does not lower the price`);
  }
  if (line.showLineDiscountText !== (text !== undefined) || text === '') {
    faults.push(`${at(line)}: showLineDiscountText and its text disagree`);
  }
  if (line.showLineDiscountText && type === 'none' && overrideUnitPrice === undefined) {
    faults.push(`${at(line)}: a text is shown without a discount or a new price`);
  }
  return faults;
}

/** An added product is one of the venue's, at its price, and comes without a discount of the staff's. */
function addedFaults(line: BasketLineOut, { products }: Promises): string[] {
  if (line.addedByLoyalty !== true) return [];
  const faults: string[] = [];
  const product = products?.get(line.productId);
  if (products && !product) faults.push(`${at(line)}: adds ${line.productId}, which the venue does not have`);
  if (product && product.unitPrice !== line.unitPrice) faults.push(`${at(line)}: is not added at the venue's price`);
  if (line.existingLineDiscountAmount !== 0) faults.push(`${at(line)}: an added line carries an existing discount`);
  return faults;
}

function parentFaults(lines: readonly BasketLineOut[]): string[] {
  const known = new Set(lines.flatMap(({ lineId, splitFromLineId = lineId }) => [lineId, splitFromLineId]));
  return lines
    .filter(({ parentLineId }) => parentLineId && !known.has(parentLineId))
    .map((line) => `${at(line)}: its parent ${line.parentLineId} is gone`);
}

/** No line is removed; an existing discount is kept as it is or makes way for something; a protected line is left alone. */
function keptFaults(line: BasketLine, parts: readonly BasketLineOut[], mayClear: boolean): string[] {
  const [first] = parts;
  if (!first) return [`${at(line)}: was removed`];
  if (line.noDiscount) return untouchedFaults(line, first);
  const faults = parts.flatMap((part) => existingFaults(line, part, parts.length > 1, mayClear));
  if (total(parts.map((part) => part.originalLinePrice)) !== BigInt(line.originalLinePrice)) {
    faults.push(`${at(line)}: the prices of its parts do not add up`);
  }
  return faults;
}

type Allocation = BasketLine['orderDiscountAllocation'][number];

function untouchedFaults(line: BasketLine, part: BasketLineOut): string[] {
  const unDiscounted = { lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
  // A share of 0 goes with its discount.
  const isLeft = ({ orderDiscountId, orderDiscountAllocationAmount: amount }: Allocation): boolean =>
    amount > 0 || part.orderDiscountAllocation.some((own) => own.orderDiscountId === orderDiscountId);
  const orderDiscountAllocation = line.orderDiscountAllocation.filter(isLeft);
  const untouched: Readonly<Record<string, unknown>> = { ...line, ...unDiscounted, orderDiscountAllocation };
  return Object.entries(part)
    .filter(([name, value]) => !isDeepStrictEqual(value, untouched[name]))
    .map(([name]) => `${at(line)}: is noDiscount, and its ${name} was touched`);
}

/** The basket has given up every discount of the staff that may be touched for less to pay, or for products that are worth more. */
function givesAllUp({ request, answer }: Applied): boolean {
  const isGone = ({ noDiscount, existingLineDiscountAmount }: BasketLineOut): boolean =>
    noDiscount || existingLineDiscountAmount === 0;
  const added = answer.lines.filter(({ addedByLoyalty }) => addedByLoyalty);
  const worth = total(added.map(({ originalLinePrice }) => originalLinePrice));
  return answer.lines.every(isGone) && BigInt(answer.totals.total) - worth < BigInt(request.totals.total);
}

function existingFaults(line: BasketLine, part: BasketLineOut, isSplit: boolean, mayClear: boolean): string[] {
  const [before, after] = [line.existingLineDiscountType, part.existingLineDiscountType];
  const isCleared = before !== 'none' && after === 'none';
  const faults: string[] = [];
  if (!isCleared && after !== before)
    faults.push(`${at(line)}: existingLineDiscountType is neither echoed nor cleared`);
  if (isCleared && !mayClear && part.lineDiscountAmount === 0 && part.overrideUnitPrice === undefined) {
    faults.push(`${at(line)}: its existing discount was cleared for nothing`);
  }
  const isKept = !isCleared && (isSplit || part.existingLineDiscountAmount === line.existingLineDiscountAmount);
  for (const name of EXISTING_DETAILS) {
    if (isCleared && part[name] !== undefined) faults.push(`${at(line)}: ${name} outlives the discount it belonged to`);
    if (isKept && part[name] !== line[name]) faults.push(`${at(line)}: ${name} is not echoed`);
  }
  return faults;
}

/** A staff order discount is echoed or removed; an added one is worth something and has the agreed code. */
function orderDiscountFaults({ answer, staff, added }: Applied, discountCode: string): string[] {
  const faults: string[] = [];
  for (const discount of answer.orderDiscounts) {
    const sent = staff.get(discount.orderDiscountId);
    const isEchoed = !sent || ORDER_DISCOUNT_FIELDS.every((name) => discount[name] === sent[name]);
    if (!isEchoed) faults.push(`order discount ${discount.orderDiscountId}: is neither echoed nor removed`);
  }
  for (const { orderDiscountId, amount, discountCode: code, percent, type } of added.values()) {
    const name = `order discount ${orderDiscountId}`;
    if (code !== discountCode) faults.push(`${name}: discountCode ${code} should be ${discountCode}`);
    if (amount === 0) faults.push(`${name}: is added and worth nothing`);
    if ((type === 'percent') !== (percent !== undefined)) faults.push(`${name}: percent and its type disagree`);
  }
  return faults;
}

/** `applied` changes the price of some line, or the set of lines or order discounts. */
function worthFaults({ answer, request, sent, added }: Applied): string[] {
  const isSame =
    answer.lines.length === request.lines.length &&
    answer.orderDiscounts.length === request.orderDiscounts.length &&
    added.size === 0 &&
    answer.lines.every((line) => line.orderLinePrice === sent.get(line.lineId)?.orderLinePrice);
  return isSame ? ['/status: is applied, and no price is changed'] : [];
}
