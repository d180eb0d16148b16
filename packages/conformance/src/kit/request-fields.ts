import {
  BasketLine,
  BasketRequest,
  Context,
  OrderDiscount,
  OrderDiscountAllocation,
  Totals,
} from '@loyalty/contract/basket-request';

/** The objects of a basket request with their fields (interface, section 2). `packages/contract/test` holds the schemas against the page. */

type Json = Record<string, unknown>;

interface FieldSchema {
  readonly type?: string;
  readonly enum?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

interface RequestObject {
  readonly schema: { readonly properties: Readonly<Record<string, FieldSchema>>; readonly required: readonly string[] };
  /** The object in a request, and of a list its first one. */
  readonly at: (body: Json) => Json;
}

const firstOf = (list: unknown): Json => (list as Json[])[0] as Json;

export const REQUEST_OBJECTS: Readonly<Record<string, RequestObject>> = {
  BasketRequest: { schema: BasketRequest, at: (body) => body },
  Context: { schema: Context, at: (body) => body['context'] as Json },
  BasketLine: { schema: BasketLine, at: (body) => firstOf(body['lines']) },
  OrderDiscountAllocation: {
    schema: OrderDiscountAllocation,
    at: (body) => firstOf(firstOf(body['lines'])['orderDiscountAllocation']),
  },
  OrderDiscount: { schema: OrderDiscount, at: (body) => firstOf(body['orderDiscounts']) },
  Totals: { schema: Totals, at: (body) => body['totals'] as Json },
};

/**
 * Values of another type, each of which a lenient reader would take for the right one: text for a number, a number for text, a
 * list of one for a string of a given form, such as a UUID or a value of an enum.
 */
export function wrongValues(schema: FieldSchema, right: unknown): readonly unknown[] {
  const hasForm = schema.enum !== undefined || schema.format !== undefined || schema.pattern !== undefined;
  if (hasForm) return [[right ?? '00000000-0000-4000-8000-000000000000']];
  switch (schema.type) {
    case 'string':
      return [7];
    case 'boolean':
      return [null, String(right), Number(right)];
    case 'array':
      return [{}, null];
    case 'object':
      return [[], null];
    default:
      return [String(right ?? 10)];
  }
}
