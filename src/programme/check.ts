import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { toHundredths } from '../money/round.ts';
import { parseDate } from '../pricing/calendar.ts';
import { parseHours } from '../pricing/window.ts';
import { type Fault, show } from './configuration-error.ts';

/**
 * Checks a value of the file against a schema, and describes the first fault by path, value found and values allowed.
 */

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
ajv.addKeyword({ keyword: 'hundredths', type: 'number', validate: (_: true, value: number) => isHundredths(value) });
ajv.addFormat('date', (text: string) => parseDate(text) !== undefined);
ajv.addFormat('hours', (text: string) => parseHours(text) !== undefined);

const MAX_LISTED_NAMES = 30;

function isHundredths(value: number): boolean {
  return toHundredths(value) !== undefined;
}

/**
 * Makes a schema into a check, which returns the first fault below `path`, or undefined. The schema is compiled at the first
 * use: few programmes have benefits of every kind, and each thread would compile them all at its start.
 */
export function compileCheck(schema: object): (value: unknown, path: string) => Fault | undefined {
  let validate: ValidateFunction | undefined;
  return (value, path) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return undefined;
    const errors = validate.errors as ErrorObject[];
    // An unknown name often explains a missing one beside it, so it is reported first.
    const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? (errors[0] as ErrorObject);
    return describeError(error, path);
  };
}

function describeError(error: ErrorObject, path: string): Fault {
  const place = pathOf(error.instancePath, path);
  const schema = error.parentSchema as Record<string, unknown>;
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const known = Object.keys(schema.properties as object).slice(0, MAX_LISTED_NAMES);
    return { path: place, found: `the unknown name ${show(name)}`, allowed: known.join(', ') };
  }
  if (error.keyword === 'required') {
    const name = String(error.params.missingProperty);
    const property = (schema.properties as Record<string, Record<string, unknown>>)[name];
    return { path: join(place, name), found: 'nothing', allowed: describeSchema(property ?? {}) };
  }
  return { path: place, found: show(error.data), allowed: describeSchema(schema) };
}

function describeSchema(schema: Record<string, unknown>): string {
  if (typeof schema.description === 'string') return schema.description;
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return show(schema.const);
  switch (schema.type) {
    case 'object':
      return 'a mapping';
    case 'array':
      return 'a list';
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

function range({ minimum, maximum }: Record<string, unknown>): string {
  return minimum === undefined ? '' : ` from ${minimum} to ${maximum}`;
}

function describeString({ minLength, maxLength, pattern }: Record<string, unknown>): string {
  if (pattern !== undefined) return `a text like ${pattern}`;
  return maxLength === undefined ? 'a text' : `a text of ${minLength ?? 0} to ${maxLength} characters`;
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
