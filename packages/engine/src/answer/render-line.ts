import type { BasketLine, OrderDiscountAllocation } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { PERCENT_SCALE } from '@loyalty/contract/money/round';
import type { AddedProduct, Cut, LineEffect } from './content.ts';

/**
 * Lines of the answer: the known fields of the request in the order of the interface, unknown ones dropped. Every line has every
 * field, and JSON leaves out those that are undefined: to check and to write lines of many shapes takes longer.
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

/** A line, at first without any discount. The order in which the fields are declared is their order in the answer. */
class RenderedLine {
  lineId: string;
  productId: string;
  productMasterId: string | undefined;
  productGroupId: string | undefined;
  ean: string | undefined;
  name: string;
  quantity: number;
  unitPrice: number;
  originalLinePrice: number;
  parentLineId: string | undefined;
  noDiscount: boolean;
  noPercentageDiscount: boolean;
  existingLineDiscountType: BasketLine['existingLineDiscountType'] = 'none';
  existingLineDiscountAmount = 0;
  existingLineDiscountPercent: number | undefined;
  existingLineDiscountText: string | undefined;
  existingLineDiscountCampaignId: string | undefined;
  orderDiscountAllocation: OrderDiscountAllocation[] = [];
  lineDiscountType: BasketLineOut['lineDiscountType'] = 'none';
  lineDiscountPercent: number | undefined;
  lineDiscountAmount = 0;
  lineDiscountText: string | undefined;
  showLineDiscountText = false;
  lineDiscountCode: string | undefined;
  overrideUnitPrice: number | undefined;
  addedByLoyalty: true | undefined;
  splitFromLineId: string | undefined;
  orderLinePrice = 0;

  constructor(lineId: string, product: BasketLine | AddedProduct, quantity: number, originalLinePrice: number) {
    this.lineId = lineId;
    this.productId = product.productId;
    this.productMasterId = product.productMasterId;
    this.productGroupId = product.productGroupId;
    this.ean = product.ean;
    this.name = product.name;
    this.quantity = quantity;
    this.unitPrice = product.unitPrice;
    this.originalLinePrice = originalLinePrice;
    this.noDiscount = product.noDiscount;
    this.noPercentageDiscount = product.noPercentageDiscount;
  }

  /** Shows a loyalty discount of `amount`. */
  discount(amount: number, percentHundredths: number | undefined, text: string | undefined, code: string): void {
    this.lineDiscountType = percentHundredths === undefined ? 'amount' : 'percent';
    this.lineDiscountPercent = percentHundredths === undefined ? undefined : percentHundredths / PERCENT_SCALE;
    this.lineDiscountAmount = amount;
    this.lineDiscountCode = code;
    this.note(text);
  }

  /** The note under the product. */
  note(text: string | undefined): void {
    this.lineDiscountText = text;
    this.showLineDiscountText = text !== undefined;
  }
}

/** A line of the basket, or a part of it, as it leaves the service. */
export function renderPart(line: BasketLine, rendering: LineRendering): BasketLineOut {
  const { lineId, cut, amount, effect } = rendering;
  const originalLinePrice = cut ? cut.units * line.unitPrice : line.originalLinePrice;
  const out = new RenderedLine(lineId, line, cut ? cut.units : line.quantity, originalLinePrice);
  out.parentLineId = line.parentLineId;
  if (!rendering.isCleared) {
    out.existingLineDiscountType = line.existingLineDiscountType;
    out.existingLineDiscountAmount = cut ? cut.existing : line.existingLineDiscountAmount;
    out.existingLineDiscountPercent = line.existingLineDiscountPercent;
    out.existingLineDiscountText = line.existingLineDiscountText;
    out.existingLineDiscountCampaignId = line.existingLineDiscountCampaignId;
  }
  out.orderDiscountAllocation = renderAllocations(line, rendering);
  // A cheap unit of a bundle has an effect of nothing.
  if (effect && amount > 0) {
    const { overrideUnitPrice, percentHundredths } = effect;
    out.overrideUnitPrice = overrideUnitPrice;
    if (overrideUnitPrice === undefined) {
      out.discount(amount, percentHundredths, rendering.text, rendering.discountCode);
    } else {
      out.note(rendering.text);
    }
  }
  if (cut) out.splitFromLineId = line.lineId;
  out.orderLinePrice = originalLinePrice - out.existingLineDiscountAmount - amount;
  for (const share of out.orderDiscountAllocation) out.orderLinePrice -= share.orderDiscountAllocationAmount;
  return out as BasketLineOut;
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

/** A product that the service adds, discounted by its whole price. */
export function renderGift(
  product: AddedProduct,
  lineId: string,
  text: string | undefined,
  discountCode: string,
): BasketLineOut {
  const worth = product.units * product.unitPrice;
  const out = new RenderedLine(lineId, product, product.units, worth);
  out.discount(worth, undefined, text, discountCode);
  out.addedByLoyalty = true;
  return out as BasketLineOut;
}
