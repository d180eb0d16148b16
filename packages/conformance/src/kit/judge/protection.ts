import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { type Applied, type AppliedRule, at, sharesOf } from './applied.ts';
import { total } from './decimal.ts';

/** What an `applied` answer may never do (interface, section 2): touch a protected line, or make the basket dearer. */

/** No loyalty effect touches or removes a `noDiscount` line, and no percentage touches a `noPercentageDiscount` line. */
export const protectionFaults: AppliedRule = (applied) => {
  const sent = applied.request.lines.filter(({ noDiscount }) => noDiscount);
  return [
    ...applied.answer.lines.flatMap((line) => discountFaults(line, applied)),
    ...sent.flatMap((line) => keptFaults(line, applied.parts.get(line.lineId) ?? [], applied)),
  ];
};

function discountFaults(line: BasketLineOut, { added }: Applied): string[] {
  const shared = line.orderDiscountAllocation.flatMap((share) => added.get(share.orderDiscountId) ?? []);
  const isTouched = line.lineDiscountType !== 'none' || line.overrideUnitPrice !== undefined || shared.length > 0;
  if (line.noDiscount && isTouched) return [`${at(line)}: is noDiscount and discounted`];
  const hasPercentage = line.lineDiscountType === 'percent' || shared.some(({ type }) => type === 'percent');
  return line.noPercentageDiscount && hasPercentage
    ? [`${at(line)}: is noPercentageDiscount and has a percentage`]
    : [];
}

/** A protected line comes back whole, with what the staff gave on it; an order discount that shrinks takes its share along. */
function keptFaults(line: BasketLine, parts: readonly BasketLineOut[], { staff }: Applied): string[] {
  const [only, second] = parts;
  if (!only) return [`${at(line)}: is noDiscount and was removed`];
  if (second) return [`${at(line)}: is noDiscount and was split`];
  const isKept =
    only.existingLineDiscountType === line.existingLineDiscountType &&
    only.existingLineDiscountAmount === line.existingLineDiscountAmount;
  return [
    ...(isKept ? [] : [`${at(line)}: is noDiscount, and its existing discount was changed`]),
    ...[...staff.keys()].flatMap((orderDiscountId) => {
      const [before, after] = [line, only].map((one) => total(sharesOf([one], orderDiscountId)));
      return after! > before!
        ? [`${at(line)}: is noDiscount, and its share of ${orderDiscountId} grew from ${before} to ${after}`]
        : [];
    }),
  ];
}

/**
 * A discount of the staff makes way for a larger one of loyalty's and for nothing else, so the lines cost no more than before.
 * An order discount that is gone may have been the service's own, and a product that comes is worth its price.
 */
export const dearerFaults: AppliedRule = ({ request, answer }) => {
  const kept = new Set(answer.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const gone = request.orderDiscounts.filter(({ orderDiscountId }) => !kept.has(orderDiscountId));
  const added = answer.lines.filter(({ addedByLoyalty }) => addedByLoyalty === true);
  const worth = total(added.map(({ originalLinePrice }) => originalLinePrice));
  const most = BigInt(request.totals.total) + total(gone.map(({ amount }) => amount)) + worth;
  const price = total(answer.lines.map(({ orderLinePrice }) => orderLinePrice));
  return price > most ? [`lines: cost ${price} together, and may cost ${most} at most`] : [];
};
