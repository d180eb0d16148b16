import { OrderDiscount, OrderDiscountAllocation, Totals } from '@loyalty/contract/basket-request';
import { AppliedResponse, BasketLineOut } from '@loyalty/contract/basket-response';
import {
  type Exchange,
  errorCode,
  fieldOf,
  headerValues,
  isRecord,
  isSuccess,
} from '../../packages/conformance/src/kit/exchange.ts';
import { errorBodyFaults } from '../../packages/conformance/src/kit/judge/fields.ts';

/**
 * Promises beyond the interface, about headers, fields and errors. The service of this repository keeps them all, and
 * its tests switch them on. The interface leaves them open, so other services are judged without them.
 */

export interface Promises {
  /** The one discount code of the integration. */
  readonly discountCode: string;
  /** The venue's products by productId; without them an added product is not looked up. */
  readonly products?: ReadonlyMap<string, { readonly unitPrice: number }>;
  /** A basket may give up all discounts of the staff for loyalty's, also on lines that loyalty leaves alone. */
  readonly mayGiveAllUp?: boolean;
}

const LONGEST_MESSAGE = 1000;
const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
/** The version that answers, on every one of them (interface, section 9). */
const INTERFACE_VERSION = '0.1.0-draft';
const REASONS: readonly unknown[] = [
  'no_applicable_benefits',
  'all_lines_excluded',
  'member_inactive',
  'basket_too_small',
];

/** Traces of this service's own machinery, which no caller should ever read. */
const OWN_MACHINERY =
  /\bnode:|node_modules|file:\/\/|\.ts\b|\.js\b|\.lua\b|ReplyError|ECONN|ENOENT|ioredis|piscina|\bajv\b/i;

type ExchangeRule = (exchange: Exchange) => string[];

const headerFaults: ExchangeRule = (exchange) => {
  const { status } = exchange;
  const one = (name: string): string | undefined => headerValues(exchange, name)[0];
  const faults: string[] = [];
  const timing = one('Server-Timing') ?? '';
  // A request that asks for `Server-Timing: detail` gets the environment's name and every phase besides.
  if (!/^app;dur=\d+(\.\d{1,3})?(, [\w-]+;(dur=\d+(\.\d{1,3})?|desc="[^"]*"))*$/.test(timing))
    faults.push(`Server-Timing: is not app;dur=<ms> to the microsecond: ${timing}`);
  const version = one('Loyalty-Interface');
  if (version !== INTERFACE_VERSION) faults.push(`Loyalty-Interface: is ${version}, not ${INTERFACE_VERSION}`);
  const type = one('Content-Type');
  if (type !== JSON_CONTENT_TYPE) faults.push(`Content-Type: is ${type}, not ${JSON_CONTENT_TYPE}`);
  const isReplayed = one('Idempotent-Replayed') !== undefined;
  if (isReplayed && !isSuccess(exchange)) faults.push(`Idempotent-Replayed: only 200 is stored, not ${status}`);
  const allowed = headerValues(exchange, 'Allow').length;
  const isDue = status === 405;
  if (allowed !== (isDue ? 1 : 0))
    faults.push(`Allow: belongs to 405, once, and to nothing else; ${status} has ${allowed}`);
  return faults;
};

/** Every field has a value other than null and a name of the interface. */
const fieldFaults: ExchangeRule = (exchange) => {
  const { body, endpoint } = exchange;
  if (isSuccess(exchange) && endpoint === 'other') return ['status: a path outside the interface is answered 200'];
  return [...nullFaults(body), ...unknownFields(body)];
};

/** The names of every object in an answer (interface, section 2), by where it is; what is not here may have any. */
const NAMES: readonly (readonly [place: RegExp, names: readonly string[]])[] = [
  [/^$/, [...Object.keys(AppliedResponse.properties), 'reason', 'result', 'error']],
  [/^\/lines\/\d+$/, Object.keys(BasketLineOut.properties)],
  [/^\/lines\/\d+\/orderDiscountAllocation\/\d+$/, Object.keys(OrderDiscountAllocation.properties)],
  [/^\/orderDiscounts\/\d+$/, Object.keys(OrderDiscount.properties)],
  [/^\/totals$/, Object.keys(Totals.properties)],
  [/^\/error$/, ['code', 'message', 'details', 'requestId', 'docUrl']],
];

/** The fields that the interface does not name. */
export function unknownFields(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const known = Array.isArray(value) ? undefined : NAMES.find(([place]) => place.test(path))?.[1];
  return Object.entries(value).flatMap(([name, entry]) =>
    known && !known.includes(name) && entry !== undefined
      ? [`${path}/${name}: is not a field of the interface`]
      : unknownFields(entry, `${path}/${name}`),
  );
}

function nullFaults(value: unknown, path = ''): string[] {
  if (value === null) return [`${path || '/'}: is null`];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, entry]) => nullFaults(entry, `${path}/${name}`));
}

const reasonFaults: ExchangeRule = (exchange) => {
  if (!isSuccess(exchange) || fieldOf(exchange, 'status') !== 'unchanged') return [];
  const reason = fieldOf(exchange, 'reason');
  return REASONS.includes(reason) ? [] : [`/reason: ${JSON.stringify(reason)} is none of the four`];
};

const errorFaults: ExchangeRule = (exchange) => {
  const { body, bytes, request, status } = exchange;
  if (isSuccess(exchange) || errorBodyFaults(body).length > 0) return [];
  const { error } = body as { error: { message: string; details?: Record<string, unknown> } };
  const faults: string[] = [];
  const code = errorCode(exchange);
  if (code === 'invalid_request' && status === 422) {
    faults.push(`/error/code: ${code} under ${status}`);
  }
  if (error.message.length > LONGEST_MESSAGE) faults.push(`/error/message: has ${error.message.length} characters`);
  if (OWN_MACHINERY.test(bytes.toString('utf8'))) faults.push('body: tells what this service is made of');
  if (code === 'arithmetic_mismatch' && isRecord(request)) faults.push(...pointerFaults(error.details ?? {}, request));
  return faults;
};

/** `details.field` is a JSON Pointer to what was sent, and `received` is what stands there. */
function pointerFaults({ field, received }: Record<string, unknown>, request: unknown): string[] {
  if (typeof field !== 'string') return ['/error/details/field: is no text'];
  const sent = valueAt(request, field);
  if (sent === undefined) return [`/error/details/field: ${field} points at nothing that was sent`];
  return String(sent) === String(received) ? [] : [`/error/details/received: is ${received}, but ${sent} was sent`];
}

/** The promises about the form of every answer. An answer to HEAD has headers only. */
export function promisedFormFaults(exchange: Exchange): string[] {
  const headers = headerFaults(exchange);
  if (exchange.method === 'HEAD') return headers;
  return [headers, fieldFaults(exchange), reasonFaults(exchange), errorFaults(exchange)].flat();
}

/** The value that a JSON Pointer (RFC 6901) points at; undefined when there is none. */
function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  if (!pointer.startsWith('/')) return undefined;
  let value: unknown = document;
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
