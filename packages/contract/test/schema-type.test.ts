/** Our builders of schemas against typebox's, whose types they borrow. */
import Typebox from 'typebox';
import { expect, it } from 'vitest';
import { Type } from '../src/schema-type.ts';

const CASES: Record<string, (type: typeof Type) => object> = {
  Array: (type) => type.Array(type.Integer(), { maxItems: 3 }),
  Boolean: (type) => type.Boolean({ description: 'yes or no' }),
  Enum: (type) => type.Enum(['a', 'b'], { description: 'a or b' }),
  Integer: (type) => type.Integer({ minimum: 1, maximum: 9 }),
  Literal: (type) => type.Array(type.Union([type.Literal('x'), type.Literal(1), type.Literal(true)])),
  Number: (type) => type.Number({ hundredths: true }),
  Object: (type) => type.Object({ a: type.Optional(type.String()), b: type.Number() }, { additionalProperties: false }),
  Optional: (type) => type.Optional(type.String({ minLength: 1 })),
  Record: (type) => type.Record(type.String({ pattern: '^[A-Z]{3}$' }), type.Integer(), { description: 'amounts' }),
  String: (type) => type.String({ pattern: '^a$' }),
  Union: (type) => type.Union([type.Integer(), type.Record(type.String(), type.Integer())]),
};

it('has a case for every builder', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(Type));
});

it.each(Object.keys(CASES))('%s makes what typebox makes, fields in the same order', (name) => {
  const [own, foreign] = [Type, Typebox].map((type) => CASES[name]!(type as typeof Type));
  expect(JSON.stringify(own)).toBe(JSON.stringify(foreign));
  expect(Object.getOwnPropertyDescriptors(own)).toEqual(Object.getOwnPropertyDescriptors(foreign));
});

it('leaves out what an object need not have, and names no required fields when there are none', () => {
  expect(Type.Object({ a: Type.Optional(Type.Boolean()) })).not.toHaveProperty('required');
});

it('does not make the schema optional that it was given', () => {
  const text = Type.String();
  expect(Type.Object({ a: Type.Optional(text), b: text })).toHaveProperty('required', ['b']);
});
