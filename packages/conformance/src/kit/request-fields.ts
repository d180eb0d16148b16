import {
  BasketLine,
  BasketRequest,
  Context,
  OrderDiscount,
  OrderDiscountAllocation,
  Totals,
} from '@loyalty/contract/basket-request';

/** The objects of a basket request with their fields (interface, section 2). `packages/contract/test` holds the schemas against the page. */

interface FieldSchema {
  readonly type?: string;
  readonly enum?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

export interface RequestObject {
  readonly schema: { readonly properties: Readonly<Record<string, FieldSchema>>; readonly required: readonly string[] };
  /** Where it is in a request; of a list the first one. */
  readonly at: string;
}

export const REQUEST_OBJECTS: Readonly<Record<string, RequestObject>> = {
  BasketRequest: { schema: BasketRequest, at: '' },
  Context: { schema: Context, at: '/context' },
  BasketLine: { schema: BasketLine, at: '/lines/0' },
  OrderDiscountAllocation: { schema: OrderDiscountAllocation, at: '/lines/0/orderDiscountAllocation/0' },
  OrderDiscount: { schema: OrderDiscount, at: '/orderDiscounts/0' },
  Totals: { schema: Totals, at: '/totals' },
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
