import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { parseDateTime } from '../contract/date-time.ts';
import { isUuid } from '../contract/headers.ts';
import { meetsSchema, type Terms } from '../contract/meets-schema.ts';
import { toHundredths } from '../money/round.ts';
import { parseDate, parseMoment } from '../pricing/compile/calendar.ts';
import { parseHours } from '../pricing/compile/window.ts';
import { type Fault, show } from './configuration-error.ts';
import { nearestName } from './nearest-name.ts';
import { numberWords } from './number-words.ts';

/** Checks a value of the file against a schema, and describes every fault by path, value found and values allowed. */

const TERMS: Terms = {
  formats: {
    date: (text) => parseDate(text) !== undefined,
    moment: (text) => (parseDate(text) ?? parseMoment(text)) !== undefined,
    hours: (text) => parseHours(text) !== undefined,
    'date-time': (text) => parseDateTime(text) !== undefined,
    uuid: isUuid,
  },
  isHundredths: (value) => toHundredths(value) !== undefined,
};

/** Of the configuration's files, and of bodies; each is made at its first fault. */
let compiler: Ajv | undefined;
let bodyCompiler: Ajv | undefined;

/** Loaded where a file or a body has faults, which need its words. */
function loadCompiler(allErrors: boolean): Ajv {
  const ajv: typeof import('ajv') = createRequire(import.meta.url)('ajv');
  const created = new ajv.Ajv({
    ...{ allErrors, verbose: true, strict: true, strictTypes: false, formats: TERMS.formats },
    // A third of the time that the check of a file takes: a test checks the schemas, and each is used once.
    ...{ validateSchema: false, meta: false, code: { optimize: false } },
    // A schema that is referred to is compiled once, and not again wherever it is named.
    inlineRefs: false,
  });
  const validate = (_: true, value: number) => TERMS.isHundredths(value);
  return created.addKeyword({ keyword: 'hundredths', type: 'number', validate });
}

const MAX_LISTED_NAMES = 30;

/**
 * Makes a schema into a check, which returns every fault below `path`, unknown names first. The schema is compiled at the
 * first fault: most files have none, and those that have need few of the schemas.
 */
export function compileCheck(schema: object): (value: unknown, path: string) => Fault[] {
  let validate: ValidateFunction | undefined;
  return (value, path) => {
    if (meetsSchema(schema, value, TERMS)) return [];
    compiler ??= loadCompiler(true);
    validate ??= compiler.compile(withReferences(schema, compiler));
    if (validate(value)) return [];
    const errors = chooseBranches(validate.errors as ErrorObject[]);
    // An unknown name often explains a missing one beside it, so it is reported first, and the missing one not at all
    // when it is the name that was meant.
    const isUnknown = ({ keyword }: ErrorObject) => keyword === 'additionalProperties';
    const unknown = errors.filter(isUnknown).map((error) => describeError(error, path));
    const meant = new Set(unknown.map((fault) => join(fault.path, nearestOf(fault) ?? '')));
    const others = errors.filter((error) => !isUnknown(error)).map((error) => describeError(error, path));
    return [...unknown, ...others.filter((fault) => fault.found !== 'nothing' || !meant.has(fault.path))];
  };
}

/**
 * Makes the schema of a body into a check, which returns the first error alone: a body of thousands of wrong entries must not
 * hold the event loop. The `description`s of such a schema are for its document, and no words for what is allowed.
 */
export function compileBodyCheck(schema: object): (value: unknown, path: string) => Fault | undefined {
  const plain = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'description' ? undefined : value,
  );
  let validate: ValidateFunction | undefined;
  return (value, path) => {
    if (meetsSchema(plain, value, TERMS)) return undefined;
    bodyCompiler ??= loadCompiler(false);
    validate ??= bodyCompiler.compile(plain);
    if (validate(value)) return undefined;
    return describeError(chooseBranches(validate.errors as ErrorObject[])[0]!, path);
  };
}

/** Names that a version before had, and what says the same now. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  includeModifiers:
    'modifiers: together of the programme, which joins a line and the lines below it for all its benefits',
};

const names = new Map<object, string>();

/**
 * The schema, with references in the place of its optional mappings, lists and choices: the kinds of benefits share these
 * parts, which are most of the work of compiling them. A part that has to be there stays, since the fault quotes it.
 */
function withReferences(
  schema: { readonly properties?: Readonly<Record<string, object>>; readonly required?: readonly string[] },
  ajv: Ajv,
): object {
  const { properties, required = [] } = schema;
  if (!properties) return schema;
  const refer = ([name, part]: [string, object]): [string, object] =>
    required.includes(name) || !isLarge(part) ? [name, part] : [name, { $ref: nameOf(part, ajv) }];
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).map(refer)) };
}

function isLarge(schema: object): boolean {
  return 'properties' in schema || 'items' in schema || 'anyOf' in schema;
}

function nameOf(part: object, ajv: Ajv): string {
  const known = names.get(part);
  if (known !== undefined) return known;
  const name = `part-${names.size}`;
  names.set(part, name);
  ajv.addSchema(part, name);
  return name;
}

function nearestOf({ unknown }: Fault): string | undefined {
  return unknown && nearestName(unknown.name, unknown.known);
}

/**
 * A value that may have several forms fails all of them. Reports the faults inside the form that fits the value's type,
 * or else that none fits.
 */
function chooseBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') continue;
    const branches = new Map<string, ErrorObject[]>();
    for (const other of errors) {
      const isBelow = `${other.instancePath}/`.startsWith(`${error.instancePath}/`);
      if (!isBelow || !other.schemaPath.startsWith(`${error.schemaPath}/`)) continue;
      const branch = other.schemaPath.slice(error.schemaPath.length + 1).split('/')[0]!;
      branches.set(branch, [...(branches.get(branch) ?? []), other]);
    }
    const isForm = (own: readonly ErrorObject[]) =>
      !own.some(({ instancePath, keyword }) => instancePath === error.instancePath && keyword === 'type');
    const chosen = typeof error.data === 'object' ? [...branches.values()].find(isForm) : undefined;
    for (const own of branches.values()) if (own !== chosen) for (const other of own) dropped.add(other);
    if (chosen) dropped.add(error);
  }
  return errors.filter((error) => !dropped.has(error));
}

function describeError(error: ErrorObject, path: string): Fault {
  const place = pathOf(error.instancePath, path);
  const schema = error.parentSchema as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const known = Object.keys((schema.properties ?? {}) as object);
    const former = FORMER_NAMES[name];
    if (former && !known.includes(name))
      return { path: place, found: `the former field ${show(name)}`, allowed: former, key: name };
    // The names of a map are any of a pattern, and its description says which.
    const allowed =
      schema.patternProperties && known.length === 0
        ? describeSchema(schema)
        : known.slice(0, MAX_LISTED_NAMES).join(', ');
    // `{ NOK: 12,90 }` is an amount and a name 90.
    const hint = /^\d{1,2}$/.test(name) ? '; a comma in a number ends it here: write 12.90 as 1290' : '';
    return {
      path: place,
      found: `the unknown field ${show(name)}`,
      allowed: `${allowed}${hint}`,
      key: name,
      unknown: { name, known },
    };
  }
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const property = (schema.properties as Record<string, Record<string, unknown>>)[name];
    return { path: join(place, name), found: 'nothing', allowed: describeSchema(property ?? {}) };
  }
  const described = describeSchema(schema);
  const words = numberWords(error.data, described);
  const allowed = words === undefined ? described : `${described}; ${words}`;
  const fault = { path: place, found: show(error.data), allowed };
  if (error.keyword !== 'enum' || typeof error.data !== 'string') return fault;
  return { ...fault, unknown: { name: error.data, known: (schema.enum as unknown[]).map(String) } };
}

function describeSchema(schema: Record<string, unknown>): string {
  if (typeof schema.description === 'string') return schema.description;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return show(schema.const);
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(describeSchema).join(', or ');
  switch (schema.type) {
    case 'object':
      return 'a mapping';
    case 'array':
      return `a list${lengths(schema.minItems, schema.maxItems)}`;
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    default:
      return describeString(schema);
  }
}

function range({ minimum, maximum, exclusiveMinimum }: Record<string, unknown>): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return '';
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function lengths(minimum: unknown, maximum: unknown): string {
  if (maximum === undefined) return '';
  return minimum === undefined ? ` of at most ${maximum}` : ` of ${minimum} to ${maximum}`;
}

const FORMATS: Readonly<Record<string, string>> = { uuid: 'a lower-case UUID', 'date-time': 'an RFC 3339 date-time' };

function describeString({ minLength = 0, maxLength, pattern, format }: Record<string, unknown>): string {
  if (typeof format === 'string' && FORMATS[format] !== undefined) return FORMATS[format];
  if (maxLength !== undefined) return `a text${lengths(minLength, maxLength)} characters`;
  return pattern === undefined ? 'a text' : `a text like ${pattern}`;
}

/** `/venues/0/programmeId` below `path` as `venues[0].programmeId`. */
function pathOf(instancePath: string, path: string): string {
  let place = path;
  for (const token of instancePath.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    place = /^\d+$/.test(name) ? `${place}[${name}]` : join(place, name);
  }
  return place;
}

/** Joins a path and a name with a dot, except at the beginning. */
function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
