import { BasketRequest } from '../contract/basket-request.ts';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '../contract/basket-response.ts';
import { parseDateTime } from '../contract/date-time.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { isUuid } from '../contract/headers.ts';
import { type Flaw, findFlaws, type Terms } from '../contract/meets-schema.ts';
import { SaleEvent } from '../contract/sale.ts';
import type { TSchema } from '../contract/schema-type.ts';
import { toHundredths } from '../money/round.ts';

/** Where a basket, a sale or our own answer does not meet the contract's schemas, in the words of a refusal. */

const TERMS: Terms = {
  formats: { 'lower-case-uuid': isUuid, rfc3339: (text) => parseDateTime(text) !== undefined },
  // 1.15 and 33.33 are, 5.005 is not.
  isHundredths: (value) => toHundredths(value) !== undefined,
};

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

/**
 * Describes the first fault: its place as a JSON Pointer, the allowed value and the value found. The content of a text is
 * never shown.
 */
function findFault(schema: TSchema, value: unknown): RefusalDetails | undefined {
  const [flaw] = findFlaws(schema, value, TERMS);
  return flaw && { field: flaw.path, expected: expectation(flaw), received: finding(flaw.found) };
}

function expectation({ keyword, schema }: Flaw): string {
  const allowed = schema[keyword];
  switch (keyword) {
    case 'required':
      return 'a value';
    case 'type':
      return allowed === 'integer' ? 'an integer' : `type ${String(allowed)}`;
    case 'enum':
      return `one of ${(allowed as string[]).join(', ')}`;
    case 'const':
      return String(allowed);
    case 'format':
      return allowed === 'rfc3339' ? 'an RFC 3339 date-time with offset' : 'a lower-case UUID';
    case 'hundredths':
      return 'at most two decimals';
    case 'pattern':
      return `text of the form ${String(allowed)}`;
    case 'minLength':
    case 'maxLength':
      return `${keyword === 'minLength' ? 'at least' : 'at most'} ${String(allowed)} characters`;
    case 'minItems':
    case 'maxItems':
      return `${keyword === 'minItems' ? 'at least' : 'at most'} ${String(allowed)} items`;
    case 'minimum':
    case 'maximum':
      return `${keyword === 'minimum' ? 'at least' : 'at most'} ${String(allowed)}`;
    case 'exclusiveMinimum':
      return `more than ${String(allowed)}`;
    default:
      return 'no other field';
  }
}

function finding(data: unknown): string | number {
  if (data === undefined) return 'nothing';
  if (typeof data === 'number') return Number.isFinite(data) ? data : 'a number that is not finite';
  if (typeof data === 'string') return `text of ${[...data].length} characters`;
  if (data === null) return 'null';
  if (Array.isArray(data)) return `an array of ${data.length} items`;
  return typeof data === 'boolean' ? String(data) : `type ${typeof data}`;
}
