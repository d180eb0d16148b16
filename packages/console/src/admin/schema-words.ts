import { type TArray, type TSchema, Type } from '@loyalty/contract/schema-type';

/** Pieces of the schemas of the administration, from which the types of its requests and answers follow. */

export const text = Type.String();
export const count = Type.Integer({ minimum: 0 });
export const instant = Type.String({ format: 'date-time' });
export const money = Type.Integer({ description: 'Minor units.' });
export const number = Type.Number();
export const flag = Type.Boolean();
export const counts = Type.Enum(['baskets', 'items', 'money']);

export const optional = Type.Optional;

export function object<P extends Readonly<Record<string, TSchema>>>(properties: P) {
  return Type.Object(properties);
}

/** An object that has no other names. */
export function closed<P extends Readonly<Record<string, TSchema>>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

export function list<S extends TSchema>(items: S, bounds: { minItems?: number; maxItems?: number } = {}): TArray<S> {
  return { type: 'array', items, ...bounds } as never;
}

/** Describes a schema; what is optional is said around this. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description };
}

export const token = described(
  text,
  'The pseudonym of the member, in place of the loyalty ID: the same in the event stream and in the audit log.',
);
export const period = described(text, '`2026-11-21`, `2026-W47`, `2026-11`, `2026`, or `*` for the lifetime.');
