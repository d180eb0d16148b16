/**
 * Judges a value by a schema as it is, without compiling the schema first. A sound value is what a start and nearly every
 * call meets, and compiling the configuration's schema to find that out is a seventh of the work of a start. To compile the
 * schema of a basket at the first invalid call would stop the event loop for 80 ms and more. A test compares both functions
 * with ajv.
 */

type Schema = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, Schema>>;

/** The words of a schema that JSON Schema leaves to whoever reads it. */
export interface Terms {
  readonly formats: Readonly<Record<string, (text: string) => boolean>>;
  readonly isHundredths: (value: number) => boolean;
}

type Keyword = (value: unknown, schema: Schema, terms: Terms) => boolean;

/**
 * Returns true when `value` meets `schema`, a schema of JSON with plain values in `const` and `enum`. False also where the
 * schema has a keyword that this file does not know. Never throws.
 */
export function meetsSchema(schema: object, value: unknown, terms: Terms): boolean {
  for (const name in schema) {
    if (KEYWORDS[name]?.(value, schema as Schema, terms) !== true) return false;
  }
  return true;
}

/** The first place in which a value does not meet its schema. */
export interface Flaw {
  /** A JSON Pointer from the value; of a missing property, its own. */
  readonly path: string;
  readonly keyword: string;
  /** What the schema says under the keyword. */
  readonly allowed: unknown;
  /** Undefined for a missing property. */
  readonly found: unknown;
}

/**
 * Finds the first flaw, in ajv's order of keywords, or undefined where the value meets the schema.
 *
 * @throws {Error} where a keyword cannot explain itself here: a schema of the contract has none of those.
 */
export function findFlaw(schema: object, value: unknown, terms: Terms, path = ''): Flaw | undefined {
  if (meetsSchema(schema, value, terms)) return undefined;
  const known = schema as Schema;
  for (const keyword of EXPLAINED) {
    const allowed = known[keyword];
    if (allowed === undefined || KEYWORDS[keyword]!(value, known, terms)) continue;
    if (keyword === 'items') return findFlawInItems(value as unknown[], allowed as Schema, terms, path);
    if (keyword === 'properties') return findFlawInProperties(value as Members, allowed as Names, terms, path);
    if (keyword !== 'required') return { path, keyword, allowed, found: value };
    const missing = (allowed as string[]).find((name) => (value as Members)[name] === undefined)!;
    return { path: pointer(path, missing), keyword, allowed, found: undefined };
  }
  throw new Error(`A schema at ${path || 'its root'} has a keyword that cannot be explained.`);
}

/** ajv's order. */
const EXPLAINED: readonly string[] = [
  ...['type', 'const', 'enum', 'maximum', 'minimum', 'exclusiveMinimum', 'hundredths'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'items'],
  ...['required', 'additionalProperties', 'properties'],
];

type Members = Readonly<Record<string, unknown>>;

function findFlawInItems(items: readonly unknown[], schema: Schema, terms: Terms, path: string): Flaw | undefined {
  for (const [at, item] of items.entries()) {
    const flaw = findFlaw(schema, item, terms, `${path}/${at}`);
    if (flaw) return flaw;
  }
  return undefined;
}

function findFlawInProperties(members: Members, schemas: Names, terms: Terms, path: string): Flaw | undefined {
  for (const name in schemas) {
    if (members[name] === undefined) continue;
    const flaw = findFlaw(schemas[name]!, members[name], terms, pointer(path, name));
    if (flaw) return flaw;
  }
  return undefined;
}

function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  object: isObject,
  string: (value) => typeof value === 'string',
};

/** A keyword concerns values of one type, and lets pass all others. */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  description: () => true,
  type: (value, { type }) => TYPES[type as string]?.(value) === true,
  const: (value, schema) => isPlain(schema['const']) && value === schema['const'],
  enum: (value, schema) => (schema['enum'] as unknown[]).some((one) => isPlain(one) && value === one),
  anyOf: (value, { anyOf }, terms) => (anyOf as Schema[]).some((form) => meetsSchema(form, value, terms)),

  properties: (value, { properties }, terms) => !isObject(value) || haveSoundValues(value, properties as Names, terms),
  required: (value, { required }) =>
    !isObject(value) || (required as string[]).every((name) => value[name] !== undefined),
  patternProperties: (value, { patternProperties }, terms) =>
    !isObject(value) || Object.entries(patternProperties as Names).every(matchingValuesMeet(value, terms)),
  additionalProperties: (value, schema) =>
    schema['additionalProperties'] === false && (!isObject(value) || Object.keys(value).every(isNamedBy(schema))),
  minProperties: (value, { minProperties }) =>
    !isObject(value) || Object.keys(value).length >= (minProperties as number),

  items: (value, { items }, terms) => !Array.isArray(value) || haveSoundItems(value, items as Schema, terms),
  minItems: (value, { minItems }) => !Array.isArray(value) || value.length >= (minItems as number),
  maxItems: (value, { maxItems }) => !Array.isArray(value) || value.length <= (maxItems as number),

  pattern: (value, { pattern }) => typeof value !== 'string' || expressionOf(pattern as string).test(value),
  minLength: (value, { minLength }) => typeof value !== 'string' || charactersOf(value) >= (minLength as number),
  maxLength: (value, { maxLength }) => typeof value !== 'string' || charactersOf(value) <= (maxLength as number),
  format: (value, { format }, { formats }) => typeof value !== 'string' || formats[format as string]?.(value) === true,

  minimum: (value, { minimum }) => typeof value !== 'number' || value >= (minimum as number),
  maximum: (value, { maximum }) => typeof value !== 'number' || value <= (maximum as number),
  exclusiveMinimum: (value, schema) => typeof value !== 'number' || value > (schema['exclusiveMinimum'] as number),
  hundredths: (value, { hundredths }, { isHundredths }) =>
    hundredths === true && (typeof value !== 'number' || isHundredths(value)),
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a value whose equals are identical. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object' && !Number.isNaN(value);
}

function haveSoundValues(value: Readonly<Record<string, unknown>>, properties: Names, terms: Terms): boolean {
  for (const name in properties) {
    const property = value[name];
    if (property !== undefined && !meetsSchema(properties[name]!, property, terms)) return false;
  }
  return true;
}

function haveSoundItems(value: readonly unknown[], schema: Schema, terms: Terms): boolean {
  // `every` skips what a list lacks, and then the list is not sound.
  for (const item of value) if (!meetsSchema(schema, item, terms)) return false;
  return true;
}

function matchingValuesMeet(value: Readonly<Record<string, unknown>>, terms: Terms) {
  return ([pattern, schema]: [string, Schema]): boolean => {
    const expression = expressionOf(pattern);
    return Object.keys(value).every((name) => !expression.test(name) || meetsSchema(schema, value[name], terms));
  };
}

function isNamedBy({ properties = {}, patternProperties = {} }: Schema): (name: string) => boolean {
  const patterns = Object.keys(patternProperties as Names).map(expressionOf);
  return (name) => Object.hasOwn(properties as Names, name) || patterns.some((pattern) => pattern.test(name));
}

/** Characters are Unicode's, as JSON Schema counts them. */
function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    expression = new RegExp(pattern, 'u');
    expressions.set(pattern, expression);
  }
  return expression;
}
