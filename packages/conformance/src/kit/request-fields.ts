/** The fields of a basket request, written out from the tables (interface, section 2). */

type Json = Record<string, unknown>;

/** What kind of JSON a field holds. A name is a string of a given form: a Uuid, a Currency, a time, a value of an enum. */
type FieldType = 'text' | 'name' | 'number' | 'flag' | 'list' | 'object';

export interface RequestObject {
  /** The object in a request, and of a list its first one. */
  readonly at: (body: Json) => Json;
  readonly required: Readonly<Record<string, FieldType>>;
  readonly optional: Readonly<Record<string, FieldType>>;
}

const firstOf = (list: unknown): Json => (list as Json[])[0] as Json;

export const REQUEST_OBJECTS: Readonly<Record<string, RequestObject>> = {
  BasketRequest: {
    at: (body) => body,
    required: {
      calculationId: 'name',
      loyaltyId: 'text',
      currency: 'name',
      requestedAt: 'name',
      context: 'object',
      lines: 'list',
      orderDiscounts: 'list',
      totals: 'object',
    },
    optional: { supersedesCalculationId: 'name' },
  },
  Context: {
    at: (body) => body['context'] as Json,
    required: { venueId: 'text', cashRegisterId: 'text', baxId: 'text', channel: 'name' },
    optional: { terminalId: 'text', clerkNumber: 'number' },
  },
  BasketLine: {
    at: (body) => firstOf(body['lines']),
    required: {
      lineId: 'text',
      productId: 'text',
      name: 'text',
      quantity: 'number',
      unitPrice: 'number',
      originalLinePrice: 'number',
      noDiscount: 'flag',
      noPercentageDiscount: 'flag',
      existingLineDiscountType: 'name',
      existingLineDiscountAmount: 'number',
      orderDiscountAllocation: 'list',
      orderLinePrice: 'number',
    },
    optional: {
      productMasterId: 'text',
      productGroupId: 'text',
      ean: 'text',
      parentLineId: 'text',
      existingLineDiscountPercent: 'number',
      existingLineDiscountText: 'text',
      existingLineDiscountCampaignId: 'text',
    },
  },
  OrderDiscountAllocation: {
    at: (body) => firstOf(firstOf(body['lines'])['orderDiscountAllocation']),
    required: { orderDiscountId: 'text', orderDiscountAllocationAmount: 'number' },
    optional: {},
  },
  OrderDiscount: {
    at: (body) => firstOf(body['orderDiscounts']),
    required: { orderDiscountId: 'text', type: 'name', amount: 'number' },
    optional: { percent: 'number', text: 'text', campaignId: 'text', discountCode: 'text' },
  },
  Totals: {
    at: (body) => body['totals'] as Json,
    required: {
      originalTotal: 'number',
      existingDiscountTotal: 'number',
      orderDiscountTotal: 'number',
      loyaltyDiscountTotal: 'number',
      total: 'number',
    },
    optional: {},
  },
};

/**
 * Values of another type, each of which a lenient reader would take for the right one: text for a number, a number for text, a
 * list of one for a name.
 */
export function wrongValues(type: FieldType, right: unknown): readonly unknown[] {
  if (type === 'text') return [7];
  if (type === 'name') return [[right ?? '00000000-0000-4000-8000-000000000000']];
  if (type === 'number') return [String(right ?? 10)];
  if (type === 'flag') return [null, String(right), Number(right)];
  return type === 'list' ? [{}, null] : [[], null];
}
