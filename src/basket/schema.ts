import { createRequire } from 'node:module';
import type { Ajv, ErrorObject } from 'ajv';
import { BasketRequest } from '../contract/basket-request.ts';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '../contract/basket-response.ts';
import { parseDateTime } from '../contract/date-time.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { isUuid } from '../contract/headers.ts';
import { meetsSchema, type Terms } from '../contract/meets-schema.ts';
import { SaleEvent } from '../contract/sale.ts';
import type { TSchema } from '../contract/schema-type.ts';
import { toHundredths } from '../money/round.ts';

/**
 * The contract's schemas, compiled once per thread where a value does not meet them: a flawless basket and its answer never
 * need that (flawless-request.ts, meets-schema.ts), and a start that loaded the compiler would take a tenth longer.
 */

const TERMS: Terms = {
  formats: { 'lower-case-uuid': isUuid, rfc3339: (text) => parseDateTime(text) !== undefined },
  // 1.15 and 33.33 are, 5.005 is not.
  isHundredths: (value) => toHundredths(value) !== undefined,
};

let compiler: Ajv | undefined;

function loadCompiler(): Ajv {
  const ajv: typeof import('ajv') = createRequire(import.meta.url)('ajv');
  const created = new ajv.Ajv({
    ...{ allErrors: false, strict: true, strictRequired: false, verbose: true, formats: TERMS.formats },
    // Two thirds of the time that the first use takes: a test checks the schemas, and V8 optimizes what is hot.
    ...{ validateSchema: false, meta: false, code: { optimize: false } },
  });
  const validate = (_: true, value: number) => TERMS.isHundredths(value);
  return created.addKeyword({ keyword: 'hundredths', type: 'number', schemaType: 'boolean', validate, errors: false });
}

const answers: Readonly<Record<string, TSchema>> = {
  applied: AppliedResponse,
  unchanged: UnchangedResponse,
  member_not_found: MemberNotFoundResponse,
};

/** Finds the first fault of a basket request against its schema. */
export function findBasketRequestFault(value: unknown): RefusalDetails | undefined {
  return findFault(BasketRequest, value);
}

/** Finds the first fault of a sale event against its schema. */
export function findSaleEventFault(value: unknown): RefusalDetails | undefined {
  return findFault(SaleEvent, value);
}

/** Finds the first fault of our own answer against its schema. */
export function findAnswerFault(answer: { readonly status: string }): RefusalDetails | undefined {
  const schema = answers[answer.status];
  return schema ? findFault(schema, answer) : { field: '/status', expected: 'a known status' };
}

/** ajv keeps what it compiled of a schema. */
function findFault(schema: TSchema, value: unknown): RefusalDetails | undefined {
  if (meetsSchema(schema, value, TERMS)) return undefined;
  compiler ??= loadCompiler();
  const validate = compiler.compile(schema);
  return validate(value) ? undefined : describe(validate.errors?.[0] as ErrorObject);
}

/**
 * Describes the fault: its place as a JSON Pointer, the allowed value and the value found. The content of a text is
 * never shown.
 */
function describe(error: ErrorObject): RefusalDetails {
  if (error.keyword === 'required') {
    const missing = (error.params as { missingProperty: string }).missingProperty;
    return {
      field: `${error.instancePath}/${escapePointer(missing)}`,
      expected: expectation(undefined, error),
      received: 'nothing',
    };
  }
  return { field: error.instancePath, expected: expectation(error.keyword, error), received: finding(error.data) };
}

function expectation(keyword: string | undefined, error: ErrorObject): string {
  const schema = error.schema as unknown;
  switch (keyword) {
    case undefined:
      return 'a value';
    case 'type':
      return schema === 'integer' ? 'an integer' : `type ${String(schema)}`;
    case 'enum':
      return `one of ${(schema as string[]).join(', ')}`;
    case 'const':
      return String(schema);
    case 'format':
      return schema === 'rfc3339' ? 'an RFC 3339 date-time with offset' : 'a lower-case UUID';
    case 'hundredths':
      return 'at most two decimals';
    case 'pattern':
      return `text of the form ${String(schema)}`;
    case 'minLength':
    case 'maxLength':
      return `${keyword === 'minLength' ? 'at least' : 'at most'} ${String(schema)} characters`;
    case 'minItems':
    case 'maxItems':
      return `${keyword === 'minItems' ? 'at least' : 'at most'} ${String(schema)} items`;
    case 'minimum':
    case 'maximum':
      return `${keyword === 'minimum' ? 'at least' : 'at most'} ${String(schema)}`;
    case 'exclusiveMinimum':
      return `more than ${String(schema)}`;
    default:
      return error.message ?? String(keyword);
  }
}

function finding(data: unknown): string | number {
  if (typeof data === 'number') return Number.isFinite(data) ? data : 'a number that is not finite';
  if (typeof data === 'string') return `text of ${[...data].length} characters`;
  if (data === null) return 'null';
  if (Array.isArray(data)) return `an array of ${data.length} items`;
  return typeof data === 'boolean' ? String(data) : `type ${typeof data}`;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
