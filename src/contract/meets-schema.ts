/**
 * Judges a value by a schema as it is, without compiling the schema first. A sound value is what a start and nearly every
 * call meets, and a compiler of schemas would be a seventh of the work of a start. To compile the schema of a basket at the
 * first invalid call would stop the event loop for 80 ms and more. A test compares both functions with ajv.
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

/** A place in which a value does not meet its schema. */
export interface Flaw {
  /** A JSON Pointer from the value; of a missing property, its own. */
  readonly path: string;
  readonly keyword: string;
  /** The schema whose keyword it is. */
  readonly schema: Schema;
  /** Undefined for a missing property. */
  readonly found: unknown;
  /** Of a property that is missing, or that the schema does not name. */
  readonly name?: string;
}

/**
 * Finds every flaw, in ajv's order of keywords; none where the value meets the schema. Where a value may have several
 * forms, these are the flaws in the form of its type, or that it has none of them. Whoever wants the first flaw takes one.
 *
 * @throws {Error} where a keyword cannot explain itself here: the schemas of the service have none of those.
 */
export function* findFlaws(schema: object, value: unknown, terms: Terms, path = ''): Generator<Flaw> {
  if (meetsSchema(schema, value, terms)) return;
  const known = schema as Schema;
  const missed = EXPLAINED.filter((word) => known[word] !== undefined && !KEYWORDS[word]!(value, known, terms));
  if (missed.length === 0) throw new Error(`A schema at ${path || 'its root'} has a keyword that cannot be explained.`);
  // What is of another type has no other flaw.
  for (const keyword of missed[0] === 'type' ? ['type'] : missed) {
    const parts = partsOf(keyword, known, value, path);
    if (parts) for (const [part, own, place] of parts) yield* findFlaws(part, own, terms, place);
    else yield* ownFlaws(keyword, known, value, path);
  }
}

/** ajv's order. */
const EXPLAINED: readonly string[] = [
  ...['type', 'const', 'enum', 'anyOf', 'maximum', 'minimum', 'exclusiveMinimum', 'hundredths'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'items'],
  ...['minProperties', 'required', 'additionalProperties', 'properties', 'patternProperties'],
];

type Members = Readonly<Record<string, unknown>>;
type Part = readonly [schema: Schema, value: unknown, path: string];

/** The parts of a value that a keyword has schemas for; undefined for a keyword about the value itself. */
function partsOf(keyword: string, schema: Schema, value: unknown, path: string): Part[] | undefined {
  const members = value as Members;
  switch (keyword) {
    case 'items':
      return Array.from(value as unknown[], (item, at) => [schema['items'] as Schema, item, `${path}/${at}`]);
    case 'properties':
      return Object.entries(schema['properties'] as Names).flatMap(([name, part]): Part[] =>
        members[name] === undefined ? [] : [[part, members[name], pointer(path, name)]],
      );
    case 'patternProperties':
      return Object.entries(schema['patternProperties'] as Names).flatMap(([pattern, part]) =>
        Object.keys(members)
          .filter((name) => expressionOf(pattern).test(name))
          .map((name): Part => [part, members[name], pointer(path, name)]),
      );
    case 'anyOf': {
      if (typeof value !== 'object') return undefined;
      const form = (schema['anyOf'] as Schema[]).find(({ type }) => TYPES[type as string]?.(value));
      return form && [[form, value, path]];
    }
    default:
      return undefined;
  }
}

function* ownFlaws(keyword: string, schema: Schema, value: unknown, path: string): Generator<Flaw> {
  if (keyword === 'required') {
    const missing = (schema['required'] as string[]).filter((name) => (value as Members)[name] === undefined);
    for (const name of missing) yield { path: pointer(path, name), keyword, schema, found: undefined, name };
  } else if (keyword === 'additionalProperties') {
    const isNamed = isNamedBy(schema);
    const unknown = Object.keys(value as Members).filter((name) => !isNamed(name));
    for (const name of unknown) yield { path, keyword, schema, found: value, name };
  } else yield { path, keyword, schema, found: value };
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
  default: () => true,
  type: (value, { type }) => TYPES[type as string]?.(value) === true,
  const: (value, schema) => value === schema['const'],
  enum: (value, schema) => (schema['enum'] as unknown[]).includes(value),
  anyOf: (value, { anyOf }, terms) => (anyOf as Schema[]).some((form) => meetsSchema(form, value, terms)),

  properties: (value, { properties }, terms) => !isObject(value) || haveSoundValues(value, properties as Names, terms),
  required: (value, { required }) =>
    !isObject(value) || (required as string[]).every((name) => value[name] !== undefined),
  patternProperties: (value, schema, terms) =>
    !isObject(value) ||
    partsOf('patternProperties', schema, value, '')!.every(([part, own]) => meetsSchema(part, own, terms)),
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

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Made anew for each value: the engine knows the expression of an earlier one. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(pattern, 'u');
}
