import { BasketRequest } from '../basket-request.ts';
import { parseDateTime } from '../date-time.ts';
import type { RefusalDetails } from '../errors.ts';
import { isUuid } from '../headers.ts';
import { createCompiler, type Flaw, type Validator } from '../validator.ts';

/** Where a basket, a sale or our own answer does not meet the contract's schemas, in the words of a refusal. */

const FORMATS = { 'lower-case-uuid': isUuid, rfc3339: (text: string) => parseDateTime(text) !== undefined };

const compile = createCompiler({ formats: FORMATS });

/**
 * Compiles a schema of the contract. The check that it returns describes the first fault of a value: its place as a JSON
 * Pointer, the allowed value and the value found. The content of a text is never shown.
 */
export function compileCheck(schema: object): (value: unknown) => RefusalDetails | undefined {
  const validate = compile(schema);
  return (value) => {
    const [flaw] = validate(value);
    return flaw && { field: flaw.path, expected: expectation(flaw), received: finding(flaw.found) };
  };
}

/** Every fault of a value against a schema, for people: a caller is told the first. Compiled at its first use. */
export function findAllFaults(schema: object, value: unknown): RefusalDetails[] {
  const flaws = createCompiler({ formats: FORMATS, allErrors: true })(schema)(value);
  return flaws.map((flaw) => ({ field: flaw.path, expected: expectation(flaw), received: finding(flaw.found) }));
}

let remover: Validator | undefined;

/**
 * Removes from a valid basket, in place, the fields that the interface does not name: they may contain a name or an address,
 * and one that is nested some thousand deep cannot be written as JSON. Compiled at its first use, because few baskets are kept.
 */
export function removeUnknownFields(basket: BasketRequest): BasketRequest {
  remover ??= createCompiler({ formats: FORMATS, removeUnknown: true })(BasketRequest);
  remover(basket);
  return basket;
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
