import { BasketLine, type BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '@loyalty/contract/basket-response';
import { isUuid, isUuidInAnyCase } from '@loyalty/contract/headers';
import { MAX_FOOTER_CHARACTERS, MAX_TEXT_CHARACTERS } from '@loyalty/contract/limits';
import { Ajv } from 'ajv';
import { isRecord } from '../exchange.ts';
import { hasTwoDecimals } from './decimal.ts';

/**
 * The fields of every answer (interface, sections 2 and 4), by the schemas of the contract, which its own tests compare with the
 * page. Fields that a schema does not list pass, because a caller must ignore unknown ones (interface, section 9).
 */

type Schema = Readonly<Record<string, unknown>>;
/** Every fault of a value, one sentence each. */
type Form = (value: unknown) => string[];

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  // JSON text such as 1e400 is read as Infinity.
  strictNumbers: true,
  formats: { 'lower-case-uuid': isUuid, uuid: isUuidInAnyCase },
});
// The judge shares no arithmetic with the judged, and `multipleOf: 0.01` would be floating point, by which 1.15 is none.
ajv.addKeyword({
  keyword: 'hundredths',
  type: 'number',
  validate: (_: unknown, value: number) => hasTwoDecimals(value),
  error: { message: 'must have at most two decimals' },
});

/** The lengths that the interface limits. The others are this service's decision, and another service may take longer texts. */
const LENGTHS_OF_THE_INTERFACE: readonly unknown[] = [MAX_TEXT_CHARACTERS, MAX_FOOTER_CHARACTERS];

/** The schema as it holds for any service. */
function loosened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (!isRecord(schema)) return schema;
  const { maxLength, additionalProperties: _, ...rest } = schema;
  const entries = Object.entries(rest).map(([name, value]) => [name, loosened(value)]);
  return { ...Object.fromEntries(entries), ...(LENGTHS_OF_THE_INTERFACE.includes(maxLength) && { maxLength }) };
}

function formOf(schema: Schema): Form {
  const validate = ajv.compile(loosened(schema) as Schema);
  return (value) => {
    if (validate(value)) return [];
    return validate.errors!.map(({ instancePath, keyword, params, message, data }) => {
      if (keyword === 'required') return `${instancePath}/${params['missingProperty']}: is missing`;
      if (keyword === 'false schema') return `${instancePath}: must be absent`;
      const allowed = keyword === 'enum' ? ` ${params['allowedValues']}` : '';
      return `${instancePath || '/'}: ${message}${allowed}, found ${show(data)}`;
    });
  };
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? String(value);
}

function object(required: Schema, optional: Schema = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

/** An answer whose status contradicts these fields. */
function answerWithout(absent: readonly string[], schema: { readonly properties: object }, more: Schema = {}): Form {
  const none = Object.fromEntries(absent.map((name) => [name, false]));
  return formOf({ ...schema, properties: { ...schema.properties, ...none, ...more } });
}

const SOME_TEXT = { type: 'string', minLength: 1 };
const APPLIED_ONLY = ['lines', 'totals', 'orderDiscounts', 'receiptFooterText'];

/** By the status of a `200` basket answer (interface, section 2, BasketResponse). */
const basketAnswers: Readonly<Record<string, Form>> = {
  applied: answerWithout(['reason'], AppliedResponse),
  // New reasons may be added, so any text is one that is not empty.
  unchanged: answerWithout(APPLIED_ONLY, UnchangedResponse, { reason: SOME_TEXT }),
  member_not_found: answerWithout([...APPLIED_ONLY, 'reason', 'memberLabel'], MemberNotFoundResponse),
};

export const basketAnswerFaults: Form = (body) => {
  const status = isRecord(body) ? body['status'] : undefined;
  const form = typeof status === 'string' && Object.hasOwn(basketAnswers, status) ? basketAnswers[status] : undefined;
  return form?.(body) ?? [`/status: expected one of the three statuses, found ${show(status)}`];
};

/** A `200` answer to a sale event (interface, section 2). */
export const saleAnswerFaults = formOf(object({ result: { enum: ['recorded', 'duplicate', 'unknown_calculation'] } }));

const errorFields = { code: SOME_TEXT, message: SOME_TEXT, requestId: { type: 'string', format: 'uuid' } };

/** The form of an Error body (interface, section 2). */
export const errorBodyFaults = formOf(
  object({ error: object(errorFields, { details: { type: 'object' }, docUrl: SOME_TEXT }) }),
);

/** The fields of a request that the rules about an answer look at. */
const basketFaults = formOf(
  object({ lines: { type: 'array', items: BasketLine }, orderDiscounts: { type: 'array', items: OrderDiscount } }),
);

/** False for a request whose own fields are wrong, so that no answer can be held against it. */
export function isSoundRequest(request: unknown): request is BasketRequest {
  return basketFaults(request).length === 0;
}
