import type { OrderDiscountAllocation } from '../contract/basket-request.ts';
import type { BasketLineOut } from '../contract/basket-response.ts';
import { PERCENT_SCALE } from '../money/round.ts';
import type { Gift } from './gifts.ts';
import type { SettledPart } from './settle.ts';

/**
 * Lines of the answer: the known fields of the request in the order of the interface, unknown ones dropped. Fields are
 * assigned one by one, because spreading optional ones costs more than all the arithmetic of a usual basket.
 */

export interface LineRendering {
  readonly lineId: string;
  readonly discountCode: string;
  /** Shares of the order discounts that the service adds. */
  readonly added: readonly OrderDiscountAllocation[];
  /** The price of the line after all discounts, in minor units. */
  readonly orderLinePrice: number;
}

/** A line of the basket, or a part of it, as it leaves the service. */
export function renderPart(part: SettledPart, rendering: LineRendering): BasketLineOut {
  const { line } = part.line;
  const isSplit = part.units !== part.line.units;
  const out = {
    lineId: rendering.lineId,
    productId: line.productId,
  } as BasketLineOut;
  if (line.productMasterId !== undefined) out.productMasterId = line.productMasterId;
  if (line.productGroupId !== undefined) out.productGroupId = line.productGroupId;
  if (line.ean !== undefined) out.ean = line.ean;
  out.name = line.name;
  out.quantity = isSplit ? part.units : line.quantity;
  out.unitPrice = line.unitPrice;
  out.originalLinePrice = part.original;
  if (line.parentLineId !== undefined) out.parentLineId = line.parentLineId;
  out.noDiscount = line.noDiscount;
  out.noPercentageDiscount = line.noPercentageDiscount;
  renderExisting(out, part);
  out.orderDiscountAllocation = renderAllocations(part, rendering.added);
  renderEffect(out, part, rendering.discountCode);
  if (isSplit) out.splitFromLineId = line.lineId;
  out.orderLinePrice = rendering.orderLinePrice;
  return out;
}

function renderExisting(out: BasketLineOut, part: SettledPart): void {
  if (part.isCleared) {
    out.existingLineDiscountType = 'none';
    out.existingLineDiscountAmount = 0;
    return;
  }
  const { line } = part.line;
  out.existingLineDiscountType = line.existingLineDiscountType;
  out.existingLineDiscountAmount = part.existing;
  if (line.existingLineDiscountPercent !== undefined)
    out.existingLineDiscountPercent = line.existingLineDiscountPercent;
  if (line.existingLineDiscountText !== undefined) out.existingLineDiscountText = line.existingLineDiscountText;
  if (line.existingLineDiscountCampaignId !== undefined) {
    out.existingLineDiscountCampaignId = line.existingLineDiscountCampaignId;
  }
}

function renderAllocations(
  { line, allocations }: SettledPart,
  added: readonly OrderDiscountAllocation[],
): OrderDiscountAllocation[] {
  const out: OrderDiscountAllocation[] = [];
  if (line.allocations.length === 0 && added.length === 0) return out;
  line.allocations.forEach(({ orderDiscountId, orderDiscountAllocationAmount }, at) => {
    const share = allocations ? allocations[at]! : orderDiscountAllocationAmount;
    // A whole line echoes every allocation, even of 0. A part leaves out allocations of which it has no share.
    if (allocations && share === 0) return;
    out.push({ orderDiscountId, orderDiscountAllocationAmount: share });
  });
  for (const allocation of added) out.push(allocation);
  return out;
}

function renderEffect(out: BasketLineOut, { effect, expression, offer }: SettledPart, discountCode: string): void {
  const { percentHundredths, overrideUnitPrice } = expression;
  if (effect === 0 || overrideUnitPrice !== undefined) {
    out.lineDiscountType = 'none';
    out.lineDiscountAmount = 0;
    out.showLineDiscountText = false;
    if (effect > 0 && overrideUnitPrice !== undefined) out.overrideUnitPrice = overrideUnitPrice;
    return;
  }
  const text = offer?.benefit.text;
  if (percentHundredths === undefined) {
    out.lineDiscountType = 'amount';
  } else {
    out.lineDiscountType = 'percent';
    out.lineDiscountPercent = percentHundredths / PERCENT_SCALE;
  }
  out.lineDiscountAmount = effect;
  if (text !== undefined) out.lineDiscountText = text;
  out.showLineDiscountText = text !== undefined;
  out.lineDiscountCode = discountCode;
}

/** A product that the service adds, discounted by its whole price. */
export function renderGift(
  { product, units, worth, offer }: Gift,
  lineId: string,
  discountCode: string,
): BasketLineOut {
  const out = { lineId, productId: product.productId } as BasketLineOut;
  if (product.productMasterId !== undefined) out.productMasterId = product.productMasterId;
  if (product.productGroupId !== undefined) out.productGroupId = product.productGroupId;
  if (product.ean !== undefined) out.ean = product.ean;
  out.name = product.name;
  out.quantity = units;
  out.unitPrice = product.unitPrice;
  out.originalLinePrice = worth;
  out.noDiscount = product.noDiscount;
  out.noPercentageDiscount = product.noPercentageDiscount;
  out.existingLineDiscountType = 'none';
  out.existingLineDiscountAmount = 0;
  out.orderDiscountAllocation = [];
  out.lineDiscountType = 'amount';
  out.lineDiscountAmount = worth;
  if (offer.benefit.text !== undefined) out.lineDiscountText = offer.benefit.text;
  out.showLineDiscountText = offer.benefit.text !== undefined;
  out.lineDiscountCode = discountCode;
  out.addedByLoyalty = true;
  out.orderLinePrice = 0;
  return out;
}
