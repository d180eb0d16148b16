import type * as TypeBox from 'typebox';

/**
 * JSON Schemas with the static types of typebox: what these functions return is what typebox's functions of these names
 * return, and a test compares them. Loading typebox itself costs each thread a fifth of its start.
 */
export type { Static, TArray, TObject, TOptional, TSchema } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
>;

interface Schema {
  readonly '~optional'?: true;
  readonly pattern?: string;
}
type Options = Readonly<Record<string, unknown>>;

const ANY_NAME = '^.*$';

/** typebox keeps the kind out of the JSON. */
function schemaOf(kind: string, fields: object, options: Options | undefined): object {
  return Object.defineProperty({ ...fields, ...options }, '~kind', { value: kind, writable: true, configurable: true });
}

function objectOf(properties: Readonly<Record<string, Schema>>, options?: Options): object {
  const required = Object.keys(properties).filter((name) => !('~optional' in properties[name]!));
  return schemaOf('Object', { type: 'object', ...(required.length > 0 && { required }), properties }, options);
}

function optional(schema: object): object {
  const copy = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(schema)) as object;
  return Object.defineProperty(copy, '~optional', { value: true, writable: true, configurable: true });
}

export const Type = {
  Array: (items: Schema, options?: Options) => schemaOf('Array', { type: 'array', items }, options),
  Boolean: (options?: Options) => schemaOf('Boolean', { type: 'boolean' }, options),
  Enum: (values: readonly unknown[], options?: Options) => schemaOf('Enum', { enum: values }, options),
  Integer: (options?: Options) => schemaOf('Integer', { type: 'integer' }, options),
  Literal: (value: unknown, options?: Options) => schemaOf('Literal', { type: typeof value, const: value }, options),
  Number: (options?: Options) => schemaOf('Number', { type: 'number' }, options),
  Object: objectOf,
  Optional: optional,
  Record: (name: Schema, value: Schema, options?: Options) =>
    schemaOf('Record', { type: 'object', patternProperties: { [name.pattern ?? ANY_NAME]: value } }, options),
  String: (options?: Options) => schemaOf('String', { type: 'string' }, options),
  Union: (forms: readonly Schema[], options?: Options) => schemaOf('Union', { anyOf: forms }, options),
} as unknown as Builders;
