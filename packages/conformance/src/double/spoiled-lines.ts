import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import { addUp, applyTwentyPercent, DISCOUNT_CODE } from './honest.ts';
import { Needs } from './misbehaviour.ts';

/** Answers with wrong lines. Sums are right unless the sum is the fault. */

type Spoil = (request: BasketRequest) => AppliedResponse;

export const negativeLine: Spoil = (request) =>
  addUp(
    onFirstDiscounted(request, (line) => ({
      ...line,
      lineDiscountType: 'amount',
      lineDiscountAmount: line.originalLinePrice + 100,
    })),
  );

export const wrongLinePrice: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const [first, ...rest] = answer.lines;
  const lines = [{ ...first!, orderLinePrice: first!.orderLinePrice + 1 }, ...rest];
  return { ...answer, lines, totals: { ...answer.totals, total: answer.totals.total + 1 } };
};

/** One minor unit off the amount rounded half up, which a caller that computes in floating point overlooks. */
export const wrongPercentAmount: Spoil = (request) =>
  addUp(onFirstDiscounted(request, (line) => ({ ...line, lineDiscountAmount: line.lineDiscountAmount - 1 })));

export const discountWithoutCode: Spoil = (request) =>
  onFirstDiscounted(request, ({ lineDiscountCode: _, ...line }) => line);

export const unknownLine: Spoil = (request) =>
  onFirst(request, (line) => ({ ...line, lineId: `${line.lineId}-unknown` }));

export const duplicateLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  return addUp({ ...answer, lines: [...answer.lines, answer.lines[0]!] });
};

/** Left out of the lines, and still in the totals. */
export const missingLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  return { ...answer, lines: answer.lines.slice(1) };
};

/** The interface lets the service remove a line, sums adjusted. */
export const removedLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = answer.lines.findIndex((line) => !line.noDiscount && line.orderDiscountAllocation.length === 0);
  if (at < 0 || answer.lines.length < 2) throw new Needs('two lines, one without noDiscount and order discounts');
  return addUp({ ...answer, lines: answer.lines.toSpliced(at, 1) });
};

export const missingProtectedLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = protectedAt(answer);
  return addUp({ ...answer, lines: answer.lines.toSpliced(at, 1) });
};

export const changedProtectedLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = protectedAt(answer);
  const line = answer.lines[at]!;
  const discounted: BasketLineOut = {
    ...line,
    lineDiscountType: 'amount',
    lineDiscountAmount: Math.min(1, line.orderLinePrice),
    lineDiscountCode: DISCOUNT_CODE,
  };
  return addUp({ ...answer, lines: answer.lines.with(at, discounted) });
};

export const repricedProtectedLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = protectedAt(answer);
  const line = answer.lines[at]!;
  return addUp({ ...answer, lines: answer.lines.with(at, { ...line, overrideUnitPrice: line.unitPrice - 1 }) });
};

export const percentOnPercentProtectedLine: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = answer.lines.findIndex((line) => line.noPercentageDiscount && !line.noDiscount);
  if (at < 0) throw new Needs('a line with noPercentageDiscount and without noDiscount');
  const line: BasketLineOut = {
    ...answer.lines[at]!,
    lineDiscountType: 'percent',
    lineDiscountPercent: 0,
    lineDiscountCode: DISCOUNT_CODE,
  };
  return addUp({ ...answer, lines: answer.lines.with(at, line) });
};

export const changedName: Spoil = (request) =>
  onFirst(request, (line) => ({ ...line, name: `${line.name} (loyalty)` }));

export const changedProduct: Spoil = (request) =>
  onFirst(request, (line) => ({ ...line, productId: `${line.productId}0` }));

export const changedQuantity: Spoil = (request) =>
  addUp(onFirstDiscounted(request, (line) => withoutDiscount({ ...line, quantity: line.quantity + 1 })));

export const changedUnitPrice: Spoil = (request) =>
  addUp(onFirstDiscounted(request, (line) => withoutDiscount({ ...line, unitPrice: line.unitPrice + 1 })));

export const droppedFlag: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = protectedAt(answer);
  return { ...answer, lines: answer.lines.with(at, { ...answer.lines[at]!, noDiscount: false }) };
};

export const raisedExistingDiscount: Spoil = (request) => {
  const answer = applyTwentyPercent(request);
  const at = answer.lines.findIndex((line) => line.existingLineDiscountType !== 'none' && !line.noDiscount);
  if (at < 0) throw new Needs('a line with an existing discount');
  const line = withoutDiscount(answer.lines[at]!);
  const raised = { ...line, existingLineDiscountAmount: line.existingLineDiscountAmount + 1 };
  return addUp({ ...answer, lines: answer.lines.with(at, raised) });
};

/** The line as it came, without a loyalty discount. */
export function withoutDiscount(line: BasketLineOut): BasketLineOut {
  const { lineDiscountPercent: _percent, lineDiscountCode: _code, lineDiscountText: _text, ...rest } = line;
  return { ...rest, lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
}

function onFirst(request: BasketRequest, change: (line: BasketLineOut) => BasketLineOut): AppliedResponse {
  const answer = applyTwentyPercent(request);
  return { ...answer, lines: answer.lines.with(0, change(answer.lines[0]!)) };
}

export function onFirstDiscounted(
  request: BasketRequest,
  change: (line: BasketLineOut) => BasketLineOut,
): AppliedResponse {
  const answer = applyTwentyPercent(request);
  const at = answer.lines.findIndex(({ lineDiscountType }) => lineDiscountType === 'percent');
  if (at < 0) throw new Needs('a line that may be discounted');
  return { ...answer, lines: answer.lines.with(at, change(answer.lines[at]!)) };
}

function protectedAt({ lines }: AppliedResponse): number {
  const at = lines.findIndex(({ noDiscount, unitPrice }) => noDiscount && unitPrice > 0);
  if (at < 0) throw new Needs('a line with noDiscount and a price');
  return at;
}
