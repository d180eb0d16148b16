/** The kit's own table of a request's fields, by which it sends each one with another type, has those of the contract. */

import * as contract from '@loyalty/contract/basket-request';
import { expect, test } from 'vitest';
import { REQUEST_OBJECTS, wrongValues } from '../src/kit/request-fields.ts';

const { BasketRequest, Context, BasketLine, OrderDiscountAllocation, OrderDiscount, Totals } = contract;
const SCHEMAS: readonly (readonly [string, { readonly properties: object; readonly required: readonly string[] }])[] =
  Object.entries({ BasketRequest, Context, BasketLine, OrderDiscountAllocation, OrderDiscount, Totals });

test.each(SCHEMAS)('%s: the same fields, required as there', (name, { properties, required }) => {
  const own = REQUEST_OBJECTS[name]!;
  expect(Object.keys(own.required).sort()).toEqual([...required].sort());
  expect(Object.keys({ ...own.required, ...own.optional }).sort()).toEqual(Object.keys(properties).sort());
});

test('each wrong value would be taken by a reader that converts types', () => {
  expect(Object.keys(REQUEST_OBJECTS)).toEqual(SCHEMAS.map(([name]) => name));
  expect(wrongValues('number', 100)).toEqual(['100']);
  expect(wrongValues('flag', false)).toEqual([null, 'false', 0]);
  expect(wrongValues('name', 'NOK')).toEqual([['NOK']]);
  expect(wrongValues('text', '4711')).toEqual([7]);
});
