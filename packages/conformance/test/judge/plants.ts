/** Right answers to one basket, and ways to plant a fault in them so that it stands alone. */
import { Answer } from '../../../../test/support/answer.ts';
import { basketOf } from '../../../../test/support/baskets.ts';
import { exchangeOf as toExchange } from '../../../../test/support/judge.ts';
import type { Promises } from '../../../../test/support/promises.ts';
import { discountedLine, rightAnswer, withTotals } from '../../../../test/support/right-answer.ts';
import type { AppliedBody, BasketBody, LineOutBody } from '../../../../test/support/wire.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { priceOf } from '../../src/kit/judge/decimal.ts';

export const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A line with one below it, one that is protected, one without percentages, and lines with discounts of the staff. */
const BASKET = basketOf([
  { unitPrice: 10_000, quantity: 3, productGroupId: 'coffee' },
  { unitPrice: 1_999, quantity: 0.345, existing: 90, parentLineId: 'line-1' },
  { unitPrice: 5_000, noDiscount: true, shares: { 'staff-1': 500 } },
  { unitPrice: 7_000, noPercentageDiscount: true, shares: { 'staff-1': 700 } },
  { unitPrice: 2_000, existing: 900 },
  { unitPrice: 4_000, quantity: 2, shares: { 'staff-1': 300 } },
  { unitPrice: 101, quantity: 1.5 },
]);

/** With an order discount that has come to nothing. */
export const REQUEST: BasketBody = {
  ...BASKET,
  orderDiscounts: [
    ...BASKET.orderDiscounts,
    { orderDiscountId: 'staff-2', type: 'amount', amount: 0, text: 'Staff offer' },
  ],
};

/** What a service of ours promises beyond the interface. */
export const PROMISES: Promises = { discountCode: 'loyalty', products: new Map([['4711', { unitPrice: 3_900 }]]) };

type Headers = Record<string, string>;
const HEADERS: Headers = {
  'X-Request-Id': REQUEST_ID,
  'Server-Timing': 'app;dur=1.234',
  'Loyalty-Interface': '0.1.0-draft',
  'Content-Type': 'application/json; charset=utf-8',
};

/** A header of '' is left out. */
export function exchangeOf(
  body: unknown,
  status = 200,
  headers: Headers = {},
  more: Partial<Pick<Exchange, 'endpoint' | 'method' | 'request' | 'requestId' | 'roundTripMs'>> = {},
): Exchange {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const lines = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== '');
  const answer = new Answer(status, lines, bytes);
  return toExchange({ endpoint: 'basket', answer, request: REQUEST, requestId: REQUEST_ID, ...more });
}

/** A change of a right answer. */
export type Change = (lines: LineOutBody[], body: AppliedBody) => void;

/** The right answer to a basket after a change, its totals added up afresh. */
export function answerTo(request: BasketBody, change: Change = () => {}, percent = 20): Exchange {
  const body = rightAnswer(request, percent);
  change(body.lines, body);
  return exchangeOf(withTotals(request, body), 200, {}, { request });
}

/** Gives a line other values, and changes nothing that follows from them; a field of undefined is left out. */
export function patch(
  index: number,
  values: { readonly [name in keyof LineOutBody]?: LineOutBody[name] | undefined },
): Change {
  return (lines) => void Object.assign(lines[index]!, values);
}

export function errorOf(status: number, code: string, details?: object, headers: Headers = {}): Exchange {
  const error = { code, message: 'No.', ...(details && { details }), requestId: REQUEST_ID };
  return exchangeOf({ error }, status, headers);
}

export function unchanged(more: object = {}): Exchange {
  return exchangeOf({ calculationId: REQUEST.calculationId, status: 'unchanged', ...more });
}

export function setPrice(line: LineOutBody, price: number): void {
  line.orderLinePrice += Number(priceOf(line.quantity, price) - priceOf(line.quantity, line.unitPrice));
  line.overrideUnitPrice = price;
}

/** An amount instead of the discount that the line has. */
export function takeOff(line: LineOutBody, amount: number): void {
  line.orderLinePrice += line.lineDiscountAmount - amount;
  delete line.lineDiscountPercent;
  Object.assign(line, { lineDiscountType: 'amount', lineDiscountAmount: amount, lineDiscountCode: 'loyalty' });
}

/** The discount of the staff on a line goes; the price is what it was without. */
export function clearStaff(line: LineOutBody): void {
  line.orderLinePrice += line.existingLineDiscountAmount;
  delete line.existingLineDiscountText;
  Object.assign(line, { existingLineDiscountType: 'none', existingLineDiscountAmount: 0 });
}

export function addedLine(unitPrice = 3_900, productId = '4711'): LineOutBody {
  const words = { unitPrice, productId, lineId: 'added-1', name: 'Filter coffee' };
  return { ...rightAnswer(basketOf([words]), 0).lines[0]!, addedByLoyalty: true };
}

/** The line in two parts, each with its 20 %; the second one has the given quantity. */
export function split(line: LineOutBody, quantity = 1): LineOutBody[] {
  const part = (lineId: string, size: number, more: object = {}): LineOutBody => {
    const originalLinePrice = Number(priceOf(size, line.unitPrice));
    return { ...discountedLine({ ...line, lineId, quantity: size, originalLinePrice }, 20), ...more };
  };
  const rest = Number((line.quantity - quantity).toFixed(3));
  return [part(line.lineId, rest), part(`${line.lineId}-split`, quantity, { splitFromLineId: line.lineId })];
}

/** A line of one unit in two halves, which share its discount of the staff. */
export function halved(line: LineOutBody): LineOutBody[] {
  const half = {
    ...{ quantity: line.quantity / 2, originalLinePrice: line.originalLinePrice / 2 },
    ...{ existingLineDiscountAmount: line.existingLineDiscountAmount / 2, orderLinePrice: line.orderLinePrice / 2 },
  };
  return [
    { ...line, ...half },
    { ...line, ...half, lineId: `${line.lineId}-half`, splitFromLineId: line.lineId },
  ];
}

export function addOrderDiscount(body: AppliedBody, line: LineOutBody, more: object = {}, amount = 100): void {
  const discount = { orderDiscountId: 'ours', type: 'amount' as const, amount, discountCode: 'loyalty', ...more };
  body.orderDiscounts.push(discount);
  line.orderDiscountAllocation.push({ orderDiscountId: 'ours', orderDiscountAllocationAmount: amount });
  line.orderLinePrice -= amount;
}

/** Sets the first share of a line, whose price follows. */
export function setShare(line: LineOutBody, amount: number): void {
  const share = line.orderDiscountAllocation[0]!;
  line.orderLinePrice += share.orderDiscountAllocationAmount - amount;
  share.orderDiscountAllocationAmount = amount;
}

/** A share of the staff's order discount is another, and its amount with it. */
export function withShare(index: number, amount: number): Change {
  return (lines, { orderDiscounts }) => {
    const before = lines[index]!.orderDiscountAllocation[0]!.orderDiscountAllocationAmount;
    setShare(lines[index]!, amount);
    orderDiscounts[0]!.amount += amount - before;
  };
}
