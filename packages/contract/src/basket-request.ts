import { MAX_LINES } from './limits.ts';
import {
  Channel,
  Currency,
  DateTime,
  DiscountType,
  Ean,
  Identifier,
  LoyaltyId,
  Money,
  Name,
  Percent,
  Quantity,
  Reference,
  Text40,
  Uuid,
} from './scalars.ts';
import { type Static, Type } from './schema-type.ts';

/** Body of the basket call (interface, section 2). Unknown fields are ignored, so the schemas allow them. */

export const Context = Type.Object({
  venueId: Identifier,
  cashRegisterId: Identifier,
  baxId: Identifier,
  terminalId: Type.Optional(Reference),
  clerkNumber: Type.Optional(Type.Integer()),
  channel: Channel,
});

export const OrderDiscountAllocation = Type.Object({
  orderDiscountId: Identifier,
  orderDiscountAllocationAmount: Money,
});

export const OrderDiscount = Type.Object({
  orderDiscountId: Identifier,
  type: Type.Enum(['amount', 'percent']),
  amount: Money,
  percent: Type.Optional(Percent),
  text: Type.Optional(Text40),
  campaignId: Type.Optional(Reference),
  discountCode: Type.Optional(Reference),
});

/** The fields of a line in a request; a line of an answer adds its own (basket-response.ts). */
export const basketLineFields = {
  lineId: Identifier,
  productId: Identifier,
  productMasterId: Type.Optional(Reference),
  productGroupId: Type.Optional(Reference),
  ean: Type.Optional(Ean),
  name: Name,
  quantity: Quantity,
  unitPrice: Money,
  originalLinePrice: Money,
  parentLineId: Type.Optional(Reference),
  noDiscount: Type.Boolean(),
  noPercentageDiscount: Type.Boolean(),
  existingLineDiscountType: DiscountType,
  existingLineDiscountAmount: Money,
  existingLineDiscountPercent: Type.Optional(Percent),
  existingLineDiscountText: Type.Optional(Text40),
  existingLineDiscountCampaignId: Type.Optional(Reference),
  orderDiscountAllocation: Type.Array(OrderDiscountAllocation),
  orderLinePrice: Money,
};

export const BasketLine = Type.Object(basketLineFields);

export const Totals = Type.Object({
  originalTotal: Money,
  existingDiscountTotal: Money,
  orderDiscountTotal: Money,
  loyaltyDiscountTotal: Money,
  total: Money,
});

export const BasketRequest = Type.Object({
  calculationId: Uuid,
  supersedesCalculationId: Type.Optional(Uuid),
  loyaltyId: LoyaltyId,
  currency: Currency,
  requestedAt: DateTime,
  context: Context,
  lines: Type.Array(BasketLine, { minItems: 1, maxItems: MAX_LINES }),
  orderDiscounts: Type.Array(OrderDiscount),
  totals: Totals,
});

export type Context = Static<typeof Context>;
export type OrderDiscountAllocation = Static<typeof OrderDiscountAllocation>;
export type OrderDiscount = Static<typeof OrderDiscount>;
export type BasketLine = Static<typeof BasketLine>;
export type Totals = Static<typeof Totals>;
export type BasketRequest = Static<typeof BasketRequest>;
