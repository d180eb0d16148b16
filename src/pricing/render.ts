import type { BasketLine, OrderDiscount, OrderDiscountAllocation, Totals } from '../contract/basket-request.ts';
import type { BasketLineOut } from '../contract/basket-response.ts';
import { PERCENT_SCALE } from '../money/round.ts';
import type { ExistingLineDiscounts } from './programme.ts';
import type { LineEffect } from './selection.ts';

/** The answer's lines: the request's known fields in the order of the specification, unknown ones dropped. */

export interface RenderOptions {
  readonly policy: ExistingLineDiscounts;
  readonly discountCode: string;
}

/** A line after loyalty, with the effect on it if there is one. */
export function renderLine(line: BasketLine, effect: LineEffect | undefined, options: RenderOptions): BasketLineOut {
  const cleared = effect !== undefined && options.policy === 'replace_if_larger';
  const existing = cleared ? 0 : line.existingLineDiscountAmount;
  return {
    lineId: line.lineId,
    productId: line.productId,
    ...(line.productMasterId !== undefined && { productMasterId: line.productMasterId }),
    ...(line.productGroupId !== undefined && { productGroupId: line.productGroupId }),
    ...(line.ean !== undefined && { ean: line.ean }),
    name: line.name,
    quantity: line.quantity,
    unitPrice: line.unitPrice,
    originalLinePrice: line.originalLinePrice,
    ...(line.parentLineId !== undefined && { parentLineId: line.parentLineId }),
    noDiscount: line.noDiscount,
    noPercentageDiscount: line.noPercentageDiscount,
    ...(cleared ? CLEARED : existingFields(line)),
    orderDiscountAllocation: line.orderDiscountAllocation.map(renderAllocation),
    ...effectFields(effect, options.discountCode),
    orderLinePrice: line.orderLinePrice + line.existingLineDiscountAmount - existing - (effect?.amount ?? 0),
  };
}

const CLEARED = { existingLineDiscountType: 'none', existingLineDiscountAmount: 0 } as const;

function existingFields(line: BasketLine) {
  return {
    existingLineDiscountType: line.existingLineDiscountType,
    existingLineDiscountAmount: line.existingLineDiscountAmount,
    ...(line.existingLineDiscountPercent !== undefined && {
      existingLineDiscountPercent: line.existingLineDiscountPercent,
    }),
    ...(line.existingLineDiscountText !== undefined && { existingLineDiscountText: line.existingLineDiscountText }),
    ...(line.existingLineDiscountCampaignId !== undefined && {
      existingLineDiscountCampaignId: line.existingLineDiscountCampaignId,
    }),
  };
}

function effectFields(effect: LineEffect | undefined, discountCode: string) {
  if (!effect) return { lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false } as const;
  const { benefit } = effect.offer;
  return {
    ...(effect.capped
      ? ({ lineDiscountType: 'amount' } as const)
      : ({
          lineDiscountType: 'percent',
          lineDiscountPercent: benefit.rule.percentHundredths / PERCENT_SCALE,
        } as const)),
    lineDiscountAmount: effect.amount,
    ...(benefit.text !== undefined && { lineDiscountText: benefit.text }),
    showLineDiscountText: benefit.text !== undefined,
    lineDiscountCode: discountCode,
  };
}

function renderAllocation(allocation: OrderDiscountAllocation): OrderDiscountAllocation {
  return {
    orderDiscountId: allocation.orderDiscountId,
    orderDiscountAllocationAmount: allocation.orderDiscountAllocationAmount,
  };
}

/** An order discount with the specification's fields only, in its order. */
export function renderOrderDiscount(discount: OrderDiscount): OrderDiscount {
  return {
    orderDiscountId: discount.orderDiscountId,
    type: discount.type,
    amount: discount.amount,
    ...(discount.percent !== undefined && { percent: discount.percent }),
    ...(discount.text !== undefined && { text: discount.text }),
    ...(discount.campaignId !== undefined && { campaignId: discount.campaignId }),
    ...(discount.discountCode !== undefined && { discountCode: discount.discountCode }),
  };
}

/**
 * The five totals of the answer (specification, Totals). `addedOrderDiscount` is the sum of the order discounts that the
 * service added.
 */
export function sumTotals(lines: readonly BasketLineOut[], addedOrderDiscount: number): Totals {
  const totals = {
    originalTotal: 0,
    existingDiscountTotal: 0,
    orderDiscountTotal: 0,
    loyaltyDiscountTotal: addedOrderDiscount,
    total: 0,
  };
  for (const line of lines) {
    totals.originalTotal += line.originalLinePrice;
    totals.existingDiscountTotal += line.existingLineDiscountAmount;
    for (const allocation of line.orderDiscountAllocation) {
      totals.orderDiscountTotal += allocation.orderDiscountAllocationAmount;
    }
    totals.loyaltyDiscountTotal += line.lineDiscountAmount;
    totals.total += line.orderLinePrice;
  }
  return totals;
}
