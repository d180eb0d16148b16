import { isDeepStrictEqual } from 'node:util';
import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { type Applied, type AppliedRule, at, sharesOf } from './applied.ts';
import { quantitiesAddUp, total } from './decimal.ts';

/** The sent lines in an `applied` answer (interface, sections 2 and 4.6). */

/** Identity and quantity fields, but for the ID and the quantity itself, which a split line shares out. */
const ECHOED = [
  'productId',
  'productMasterId',
  'productGroupId',
  'ean',
  'name',
  'unitPrice',
  'parentLineId',
  'noDiscount',
  'noPercentageDiscount',
] as const;

/** The fields of an existing discount beside its type and amount. */
export const EXISTING_DETAILS = [
  'existingLineDiscountPercent',
  'existingLineDiscountText',
  'existingLineDiscountCampaignId',
] as const;

/** Identity and quantity fields come back verbatim; split lines add up; an unknown line was added on purpose. */
export const echoFaults: AppliedRule = (applied) => {
  const { answer, parts, request } = applied;
  const faults = answer.lines.flatMap((line) => originFaults(line, applied));
  if (new Set(answer.lines.map(({ lineId }) => lineId)).size !== answer.lines.length) {
    faults.push('lines: a lineId stands twice');
  }
  for (const line of request.lines) {
    const own = parts.get(line.lineId);
    if (own) faults.push(...partFaults(line, own), ...shareFaults(line, own, applied));
  }
  return faults;
};

/** A line of the answer was sent, split or added, and a sent one keeps its fields. */
function originFaults(line: BasketLineOut, { sent }: Applied): string[] {
  const origin = sent.get(line.splitFromLineId ?? line.lineId);
  if (line.addedByLoyalty === true) {
    const isAdded = origin === undefined && line.splitFromLineId === undefined;
    return isAdded ? [] : [`${at(line)}: is marked addedByLoyalty, but was sent or split`];
  }
  if (!origin) return [`${at(line)}: was not sent, and is neither added nor split`];
  return ECHOED.filter((name) => line[name] !== origin[name]).map((name) => `${at(line)}: ${name} is not echoed`);
}

/** The parts of a line add up to it. */
function partFaults(line: BasketLine, parts: readonly BasketLineOut[]): string[] {
  const faults: string[] = [];
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.splitFromLineId !== undefined) faults.push(`${at(line)}: was split into a single line, ${only.lineId}`);
  const quantities = parts.map((part) => part.quantity);
  if (!quantitiesAddUp(quantities, line.quantity)) {
    faults.push(`${at(line)}: quantity ${line.quantity} came back as ${quantities.join(' + ')}`);
  }
  // An existing discount may be kept, reduced or cleared, and never raised.
  const existing = total(parts.map((part) => part.existingLineDiscountAmount));
  if (existing > BigInt(line.existingLineDiscountAmount)) {
    faults.push(`${at(line)}: the existing discount grew to ${existing}`);
  }
  if (only && isExistingDiscountKept(line, only)) {
    const changed = EXISTING_DETAILS.filter((name) => only[name] !== line[name]);
    faults.push(...changed.map((name) => `${at(line)}: ${name} of a kept discount is not echoed`));
  }
  return faults;
}

function isExistingDiscountKept(line: BasketLine, part: BasketLineOut): boolean {
  return (
    part.existingLineDiscountType === line.existingLineDiscountType &&
    part.existingLineDiscountAmount === line.existingLineDiscountAmount
  );
}

/** A share of an order discount whose amount is unchanged is echoed verbatim, or shared out to the parts of the line. */
function shareFaults(line: BasketLine, parts: readonly BasketLineOut[], { answer, staff }: Applied): string[] {
  const kept = answer.orderDiscounts.filter(({ orderDiscountId, amount }) => {
    return staff.get(orderDiscountId)?.amount === amount;
  });
  return kept.flatMap(({ orderDiscountId }) => {
    const [before, after] = [sharesOf([line], orderDiscountId), sharesOf(parts, orderDiscountId)];
    const isEchoed = parts.length === 1 ? isDeepStrictEqual(before, after) : total(before) === total(after);
    return isEchoed ? [] : [`${at(line)}: the allocation of ${orderDiscountId} is not echoed`];
  });
}

export const ORDER_DISCOUNT_FIELDS = ['type', 'amount', 'percent', 'text', 'campaignId', 'discountCode'] as const;

/**
 * `applied` always changes the basket in at least one way (interface, section 2, invariant); another order of the lines
 * does not count.
 */
export const changeFaults: AppliedRule = ({ answer, request, sent, staff }) => {
  const isSame =
    answer.lines.length === request.lines.length &&
    answer.orderDiscounts.length === request.orderDiscounts.length &&
    answer.orderDiscounts.every((discount) => {
      const before = staff.get(discount.orderDiscountId);
      return before !== undefined && ORDER_DISCOUNT_FIELDS.every((name) => discount[name] === before[name]);
    }) &&
    answer.lines.every((line) => isAsSent(line, sent.get(line.lineId)));
  return isSame ? ['/status: is applied, but nothing is changed'] : [];
};

const COMPARED = [
  ...ECHOED,
  ...EXISTING_DETAILS,
  'quantity',
  'existingLineDiscountType',
  'existingLineDiscountAmount',
  'orderLinePrice',
] as const;

function isAsSent(line: BasketLineOut, before: BasketLine | undefined): boolean {
  return (
    before !== undefined &&
    line.lineDiscountType === 'none' &&
    line.overrideUnitPrice === undefined &&
    COMPARED.every((name) => line[name] === before[name])
  );
}
