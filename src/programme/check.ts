import { parseDateTime } from '@loyalty/contract/date-time';
import { isUuid } from '@loyalty/contract/headers';
import { createCompiler, type Flaw } from '@loyalty/contract/validator';
import { parseDate, parseMoment } from '@loyalty/engine/compile/calendar';
import { parseHours } from '@loyalty/engine/compile/window';
import { below, type Fault, show } from './configuration-error.ts';
import { meantBy, nameMeant } from './migrants.ts';
import { nearestName } from './nearest-name.ts';
import { numberWords } from './number-words.ts';

/** Checks a value of the file against a schema, and describes every fault by path, value found and values allowed. */

const formats = {
  date: (text: string) => parseDate(text) !== undefined,
  moment: (text: string) => (parseDate(text) ?? parseMoment(text)) !== undefined,
  hours: (text: string) => parseHours(text) !== undefined,
  'date-time': (text: string) => parseDateTime(text) !== undefined,
  uuid: isUuid,
};

const compile = createCompiler({ formats, allErrors: true });
const compileToFirst = createCompiler({ formats });

const MAX_LISTED_NAMES = 30;

/** The decimals of the currency of the amount at a path. */
export type DecimalsAt = (path: string) => number;

/** Of bodies and rows, which have no amounts. */
const TWO_DECIMALS: DecimalsAt = () => 2;

/** Finds every fault of a value against a schema, unknown names first. `path` leads to the value. */
export function checkValue(schema: object, value: unknown, path: string, decimalsAt = TWO_DECIMALS): Fault[] {
  const flaws = compile(schema)(value);
  // An unknown name often explains a missing one beside it, so it is reported first, and the missing one not at all
  // when it is the name that was meant.
  const isUnknown = ({ keyword }: Flaw) => keyword === 'additionalProperties';
  const unknown = flaws.filter(isUnknown).map((flaw) => describeFlaw(flaw, path, decimalsAt));
  const meant = new Set(unknown.map((fault) => below(fault.path, nearestOf(fault) ?? '')));
  const others = flaws.filter((flaw) => !isUnknown(flaw)).map((flaw) => describeFlaw(flaw, path, decimalsAt));
  return [...unknown, ...others.filter((fault) => fault.found !== 'nothing' || !meant.has(fault.path))];
}

/**
 * Finds the first fault of a body alone: one of thousands of wrong entries must not hold the event loop. The `description`s
 * of its schema are for a document, and no words for what is allowed.
 */
export function findBodyFault(schema: object, value: unknown, path: string): Fault | undefined {
  const [flaw] = compileToFirst(schema)(value);
  const undescribed = (key: string, part: unknown) => (key === 'description' ? undefined : part);
  return (
    flaw && describeFlaw({ ...flaw, schema: JSON.parse(JSON.stringify(flaw.schema, undescribed)) }, path, TWO_DECIMALS)
  );
}

function nearestOf({ unknown }: Fault): string | undefined {
  return unknown && nearestName(unknown.name, unknown.known);
}

function describeFlaw(flaw: Flaw, above: string, decimalsAt: DecimalsAt): Fault {
  const { path: pointer, keyword, schema, found, name = '' } = flaw;
  const path = pathOf(pointer, above);
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Flaw['schema']>>;
  if (keyword === 'required') return { path, found: 'nothing', allowed: describeSchema(properties[name] ?? {}) };
  if (keyword === 'additionalProperties') {
    const known = Object.keys(properties);
    const meant = nameMeant(name, known.includes('benefitId'));
    if (meant) return { path, found: `${meant[0]} ${show(name)}`, allowed: meant[1], key: name };
    // The names of a map are any of a pattern, and its description says which.
    const allowed =
      schema.patternProperties && known.length === 0
        ? describeSchema(schema)
        : known.slice(0, MAX_LISTED_NAMES).join(', ');
    return {
      path,
      found: `the unknown field ${show(name)}`,
      allowed: `${allowed}${commaWords(flaw)}`,
      key: name,
      unknown: { name, known },
    };
  }
  const described = describeSchema(schema);
  const words = meantBy(path, found) ?? numberWords(found, described, decimalsAt(path));
  const allowed = words === undefined ? described : `${described}; ${words}`;
  const readAs = readInsteadOfText(schema, found);
  const fault = { path, found: show(found), allowed, ...(readAs && { readAs }) };
  if (keyword !== 'enum' || typeof found !== 'string') return fault;
  return { ...fault, unknown: { name: found, known: (schema.enum as unknown[]).map(String) } };
}

/** `{ NOK: 12,90 }` is an amount and a field 90. What to write instead depends on the numbers beside it, of which one was cut. */
function commaWords({ schema, found, name = '' }: Flaw): string {
  const fields = found as Readonly<Record<string, unknown>>;
  const numbers = Object.keys(fields).filter((field) => typeof fields[field] === 'number');
  if (!/^\d{1,2}$/.test(name) || fields[name] !== null || numbers.length === 0) return '';
  const { properties = {}, patternProperties = {} } = schema as Readonly<Record<string, Record<string, object>>>;
  const [ofMap = {}] = Object.values(patternProperties);
  const allowed = numbers.map((field) => describeSchema({ ...(properties[field] ?? ofMap) }));
  const amount = allowed.some((words) => words.includes('minor units')) ? ['12.90 as 1290'] : [];
  const decimal = allowed.some((words) => !/minor units|whole number/.test(words)) ? ['12.5 with a point'] : [];
  const advice = [...decimal, ...amount].join(', or an amount of ');
  return `; a comma in a number ends it here${advice === '' ? '' : `: write ${advice}`}`;
}

/** What YAML took for something else than a text, because it stands there without quotes. */
function readInsteadOfText(schema: object, found: unknown): Fault['readAs'] {
  if (typeof found !== 'number' && typeof found !== 'boolean') return undefined;
  if (compileToFirst(schema)(String(found)).length > 0) return undefined;
  return typeof found === 'number' ? 'a number' : 'true or false';
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
  const words = FORMATS[format as string];
  if (words !== undefined) return words;
  if (maxLength !== undefined) return `a text${lengths(minLength, maxLength)} characters`;
  return pattern === undefined ? 'a text' : `a text like ${pattern}`;
}

/** The pointer `/venues/0/programmeId` below `path` as `venues[0].programmeId`. */
function pathOf(instancePath: string, path: string): string {
  let place = path;
  for (const token of instancePath.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    place = /^\d+$/.test(name) ? `${place}[${name}]` : below(place, name);
  }
  return place;
}
