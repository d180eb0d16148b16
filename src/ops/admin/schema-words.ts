import type { Json } from '../../openapi/schemas.ts';

/** Pieces of the schemas of the administration. */

export const text: Json = { type: 'string' };
export const count: Json = { type: 'integer', minimum: 0 };
export const instant: Json = { type: 'string', format: 'date-time' };
export const money: Json = { type: 'integer', description: 'Minor units.' };

export function object(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

export function list(items: Json): Json {
  return { type: 'array', items };
}

export function described(schema: Json, description: string): Json {
  return { ...schema, description };
}

export const token = described(
  text,
  'The pseudonym of the member, in place of the loyalty ID: the same in the event stream and in the audit log.',
);
export const period = described(text, '`2026-11-21`, `2026-W47`, `2026-11`, `2026`, or `*` for the lifetime.');
