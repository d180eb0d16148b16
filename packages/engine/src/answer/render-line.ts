import type { BasketLine, OrderDiscountAllocation } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { PERCENT_SCALE } from '@loyalty/contract/money/round';
import type { AddedProduct, Cut, LineEffect } from './content.ts';

/**
 * Lines of the answer: the known fields of the request in the order of the interface, unknown ones dropped. Fields are
 * assigned one by one, because spreading optional ones costs more than all the arithmetic of a usual basket.
 */

/** How a line, or a part of it, differs from the request. Money in minor units. */
export interface LineRendering {
  readonly lineId: string;
  readonly cut: Cut | undefined;
  readonly isCleared: boolean;
  readonly effect: LineEffect | undefined;
  /** What the effect takes off. */
  readonly amount: number;
  readonly text: string | undefined;
  readonly discountCode: string;
  /** Staff order discounts that gave way, by ID. */
  readonly removed: ReadonlySet<string>;
  /** Shares of the order discounts that the service adds. */
  readonly added: readonly OrderDiscountAllocation[];
}

/** A line of the basket, or a part of it, as it leaves the service. */
export function renderPart(line: BasketLine, rendering: LineRendering): BasketLineOut {
  const { cut, amount } = rendering;
  const out = beginLine(rendering.lineId, line);
  out.quantity = cut ? cut.units : line.quantity;
  out.unitPrice = line.unitPrice;
  out.originalLinePrice = cut ? cut.units * line.unitPrice : line.originalLinePrice;
  if (line.parentLineId !== undefined) out.parentLineId = line.parentLineId;
  out.noDiscount = line.noDiscount;
  out.noPercentageDiscount = line.noPercentageDiscount;
  renderExisting(out, line, rendering);
  out.orderDiscountAllocation = renderAllocations(line, rendering);
  renderEffect(out, rendering);
  if (cut) out.splitFromLineId = line.lineId;
  let orderLinePrice = out.originalLinePrice - out.existingLineDiscountAmount - amount;
  for (const allocation of out.orderDiscountAllocation) orderLinePrice -= allocation.orderDiscountAllocationAmount;
  out.orderLinePrice = orderLinePrice;
  return out;
}

/** A line with the names of its product; the other fields follow. */
function beginLine(lineId: string, product: BasketLine | AddedProduct): BasketLineOut {
  const out = { lineId, productId: product.productId } as BasketLineOut;
  if (product.productMasterId !== undefined) out.productMasterId = product.productMasterId;
  if (product.productGroupId !== undefined) out.productGroupId = product.productGroupId;
  if (product.ean !== undefined) out.ean = product.ean;
  out.name = product.name;
  return out;
}

function renderExisting(out: BasketLineOut, line: BasketLine, { isCleared, cut }: LineRendering): void {
  if (isCleared) {
    out.existingLineDiscountType = 'none';
    out.existingLineDiscountAmount = 0;
    return;
  }
  out.existingLineDiscountType = line.existingLineDiscountType;
  out.existingLineDiscountAmount = cut ? cut.existing : line.existingLineDiscountAmount;
  if (line.existingLineDiscountPercent !== undefined)
    out.existingLineDiscountPercent = line.existingLineDiscountPercent;
  if (line.existingLineDiscountText !== undefined) out.existingLineDiscountText = line.existingLineDiscountText;
  if (line.existingLineDiscountCampaignId !== undefined) {
    out.existingLineDiscountCampaignId = line.existingLineDiscountCampaignId;
  }
}

function renderAllocations(
  { orderDiscountAllocation }: BasketLine,
  { cut, removed, added }: LineRendering,
): OrderDiscountAllocation[] {
  const out: OrderDiscountAllocation[] = [];
  let at = 0;
  for (const { orderDiscountId, orderDiscountAllocationAmount } of orderDiscountAllocation) {
    if (removed.has(orderDiscountId)) continue;
    const share = cut ? cut.allocations[at++]! : orderDiscountAllocationAmount;
    // A whole line echoes every allocation, even of 0. A part leaves out allocations of which it has no share.
    if (cut && share === 0) continue;
    out.push({ orderDiscountId, orderDiscountAllocationAmount: share });
  }
  for (const allocation of added) out.push(allocation);
  return out;
}

function renderEffect(out: BasketLineOut, { effect, amount, text, discountCode }: LineRendering): void {
  // A cheap unit of a bundle has an effect of nothing.
  const shown = amount > 0 ? effect : undefined;
  if (!shown || shown.overrideUnitPrice !== undefined) {
    out.lineDiscountType = 'none';
    out.lineDiscountAmount = 0;
    out.showLineDiscountText = false;
    if (shown?.overrideUnitPrice !== undefined) out.overrideUnitPrice = shown.overrideUnitPrice;
    return;
  }
  if (shown.percentHundredths === undefined) {
    out.lineDiscountType = 'amount';
  } else {
    out.lineDiscountType = 'percent';
    out.lineDiscountPercent = shown.percentHundredths / PERCENT_SCALE;
  }
  out.lineDiscountAmount = amount;
  if (text !== undefined) out.lineDiscountText = text;
  out.showLineDiscountText = text !== undefined;
  out.lineDiscountCode = discountCode;
}

/** A product that the service adds, discounted by its whole price. */
export function renderGift(
  product: AddedProduct,
  lineId: string,
  text: string | undefined,
  discountCode: string,
): BasketLineOut {
  const worth = product.units * product.unitPrice;
  const out = beginLine(lineId, product);
  out.quantity = product.units;
  out.unitPrice = product.unitPrice;
  out.originalLinePrice = worth;
  out.noDiscount = product.noDiscount;
  out.noPercentageDiscount = product.noPercentageDiscount;
  out.existingLineDiscountType = 'none';
  out.existingLineDiscountAmount = 0;
  out.orderDiscountAllocation = [];
  out.lineDiscountType = 'amount';
  out.lineDiscountAmount = worth;
  if (text !== undefined) out.lineDiscountText = text;
  out.showLineDiscountText = text !== undefined;
  out.lineDiscountCode = discountCode;
  out.addedByLoyalty = true;
  out.orderLinePrice = 0;
  return out;
}
