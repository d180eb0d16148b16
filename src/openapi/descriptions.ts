/** What the specification's tables (section 2) say of schemas and fields. Types, bounds and enums come from the contract. */

type Descriptions = Readonly<Record<string, string>>;

export const SCHEMA_DESCRIPTIONS: Descriptions = {
  BasketRequest: 'The full basket, as it stands before loyalty. Unknown fields are ignored.',
  Context: 'Where the basket is. `venueId` and `baxId` must both belong to the same venue of this environment.',
  BasketLine:
    'A line before loyalty. `originalLinePrice = quantity × unitPrice`, exact decimal arithmetic rounded half up; `orderLinePrice = originalLinePrice − existingLineDiscountAmount − Σ orderDiscountAllocationAmount`.',
  OrderDiscountAllocation: 'The share of an order discount that this line bears.',
  OrderDiscount: 'A discount on the whole order. The allocations to lines add up to `amount`.',
  Totals: 'The five sums over the lines.',
  AppliedResponse: 'The full basket after loyalty. The caller replaces its basket with it, after validating it.',
  BasketLineOut:
    'A line after loyalty. `linePrice = quantity × (overrideUnitPrice ?? unitPrice)`; `orderLinePrice = linePrice − existingLineDiscountAmount − lineDiscountAmount − Σ orderDiscountAllocationAmount`.',
  UnchangedResponse: 'Nothing applies. The caller keeps its basket.',
  MemberNotFoundResponse: 'The loyalty ID is unknown to the venue’s programme. The caller keeps its basket.',
  SaleEvent:
    'The outcome of a calculation. `transactionId` is required unless the status is `cancelled`; `failureReason` is required with `failed` and refused with any other status.',
  Uuid: 'A UUID in lower case with hyphens.',
  LoyaltyId: 'Opaque member identifier; holds no personal data.',
  Currency: 'ISO 4217.',
  Money: 'Integer minor units of the basket currency. Never negative, never fractional.',
  Percent: 'Per cent with at most two decimals.',
  DiscountType: '`none` goes with an amount of 0.',
  Channel: '`pos`: Windows POS. `mpos`: Android mPOS.',
  Identifier: 'Unique in its scope; opaque to the service.',
  Text40: 'At most 40 characters (code points).',
  DateTime: 'RFC 3339 with a UTC offset.',
  Quantity: 'Above 0; decimals for goods sold by weight.',
};

export const FIELD_DESCRIPTIONS: Readonly<Record<string, Descriptions>> = {
  BasketRequest: {
    calculationId: 'Made by the POS for each calculation; also sent as Idempotency-Key.',
    supersedesCalculationId:
      'Set when the basket changed after an earlier calculation; what was reserved for that is released. Never the calculation itself.',
    loyaltyId: 'What the card lookup returned.',
    currency: 'Must be one of the venue’s.',
    requestedAt:
      'Time of the request at the POS; the time by which hours, weekdays and limits of benefits go. Where it is too far from the service’s clock, those benefits are left out; the call is not refused.',
    context: 'Where the basket is.',
    lines: 'The full basket.',
    orderDiscounts: 'Order discounts that staff applied; empty when there are none.',
    totals: 'Sums over the lines; `loyaltyDiscountTotal` is 0 in a request.',
  },
  Context: {
    venueId: 'POS venue ID.',
    cashRegisterId: 'POS terminal setup or till ID.',
    baxId: 'Number of the terminal setup; identifies the venue for the service.',
    terminalId: 'Payment terminal that did the lookup and takes the payment, when the POS knows it.',
    clerkNumber: 'Staff member.',
    channel: 'Kind of till.',
  },
  BasketLine: {
    lineId: 'Unique within the basket.',
    productId: 'Product of the venue.',
    productMasterId: 'Product across venues, when it has one.',
    productGroupId: 'Group of the product.',
    ean: 'Barcode, when known.',
    name: 'Receipt text; never changed by the service.',
    quantity: 'Above 0; decimals for goods sold by weight.',
    unitPrice: 'Price of one unit before any discount.',
    originalLinePrice: '`quantity × unitPrice` before any discount.',
    parentLineId: 'On an option line, the `lineId` of its product line.',
    noDiscount: '`true` when the product may not legally be discounted; the service never does.',
    noPercentageDiscount: 'The product may not receive percentage discounts.',
    existingLineDiscountType: 'Discount that is already on the line. The service may swap it for a larger one.',
    existingLineDiscountAmount: '0 when the type is `none`.',
    existingLineDiscountPercent: 'Percentage of a discount of type `percent`.',
    existingLineDiscountText: 'Receipt text of the discount.',
    existingLineDiscountCampaignId: 'POS campaign of the discount.',
    orderDiscountAllocation: 'Shares of order discounts; empty when there are none.',
    orderLinePrice: 'What the line costs after the discounts named here.',
  },
  OrderDiscountAllocation: {
    orderDiscountId: 'An entry of `orderDiscounts`.',
    orderDiscountAllocationAmount: 'Set by the POS, echoed by the service.',
  },
  OrderDiscount: {
    orderDiscountId: 'Unique within the basket.',
    type: 'How the discount was given.',
    amount: 'Σ of its allocations.',
    percent: 'Percentage of a discount of type `percent`.',
    text: 'Printed at the bottom of the receipt.',
    campaignId: 'POS campaign; on staff discounts only.',
    discountCode: 'The loyalty code, on order discounts that the service added.',
  },
  Totals: {
    originalTotal: 'Σ originalLinePrice.',
    existingDiscountTotal: 'Σ existingLineDiscountAmount.',
    orderDiscountTotal: 'Σ of all allocations on all lines.',
    loyaltyDiscountTotal: 'Σ lineDiscountAmount + Σ amount of the order discounts that the service added.',
    total: 'Σ orderLinePrice: what the guest pays.',
  },
  AppliedResponse: {
    calculationId: 'The calculation that is answered.',
    status: 'Replace the basket.',
    memberLabel: 'May be printed on the receipt.',
    receiptFooterText: 'For the bottom of the receipt; informational.',
    lines: 'Kept, split and added lines; removed lines are left out.',
    orderDiscounts: 'Order discounts as kept or changed, and those that the service added.',
    totals: 'Sums over the answered lines.',
  },
  BasketLineOut: {
    lineDiscountType: '`none` on untouched lines.',
    lineDiscountPercent: 'Present when the type is `percent`.',
    lineDiscountAmount:
      'Loyalty discount; for `percent` it is `round_half_up(originalLinePrice × lineDiscountPercent / 100)`.',
    lineDiscountText: 'Printed under the product.',
    showLineDiscountText: 'Whether that note is printed.',
    lineDiscountCode: 'The integration’s one code; present when the type is not `none`, absent otherwise.',
    overrideUnitPrice: 'New unit price; absent when unchanged.',
    addedByLoyalty: '`true` on a line that the service added; the product exists on the venue.',
    splitFromLineId: 'On parts of a split line; their quantities add up to the original’s.',
    orderLinePrice: 'What the line costs after loyalty.',
  },
  UnchangedResponse: {
    calculationId: 'The calculation that is answered.',
    status: 'Keep the basket.',
    reason: 'Informational; never shown to the guest. New values may be added.',
    memberLabel: 'May be printed on the receipt.',
  },
  MemberNotFoundResponse: {
    calculationId: 'The calculation that is answered.',
    status: 'Keep the basket.',
  },
  SaleEvent: {
    calculationId: 'The calculation whose outcome this is; also sent as Idempotency-Key.',
    status: 'The order’s loyalty status, or `cancelled` when the payment was abandoned.',
    transactionId: 'The finalised sale.',
    failureReason: 'Why the loyalty step failed.',
  },
};
