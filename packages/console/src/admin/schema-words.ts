import { type TArray, type TObject, type TOptional, type TSchema, Type } from '@loyalty/contract/schema-type';

/** Pieces of the schemas of the administration, from which the types of its requests and answers follow. */

export const text = Type.String();
export const count = Type.Integer({ minimum: 0 });
export const instant = Type.String({ format: 'date-time' });
export const money = Type.Integer({ description: 'Minor units.' });
export const number = Type.Number();
export const flag = Type.Boolean();
export const counts = Type.Enum(['baskets', 'items', 'money']);

type Properties = Readonly<Record<string, TSchema>>;

export function object<P extends Properties, O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
): TObject<{ [Name in keyof P]: Name extends O ? TOptional<P[Name]> : P[Name] }> {
  const required = Object.keys(properties).filter((name) => !optional.includes(name as O));
  return { type: 'object', required, properties } as never;
}

/** An object that has no other names. */
export function closed<P extends Properties, O extends keyof P & string = never>(
  properties: P,
  optional: readonly O[] = [],
) {
  return { ...object(properties, optional), additionalProperties: false };
}

export function list<S extends TSchema>(items: S, bounds: { minItems?: number; maxItems?: number } = {}): TArray<S> {
  return { type: 'array', items, ...bounds } as never;
}

export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description };
}

export const token = described(
  text,
  'The pseudonym of the member, in place of the loyalty ID: the same in the event stream and in the audit log.',
);
export const period = described(text, '`2026-11-21`, `2026-W47`, `2026-11`, `2026`, or `*` for the lifetime.');
