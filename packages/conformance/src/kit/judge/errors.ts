import { ERRORS, type ErrorCode, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { type Exchange, errorCode, headerValues, isRecord, isSuccess } from '../exchange.ts';
import { errorBodyFaults } from './fields.ts';

/** The Error body (interface, sections 2 and 7). */

/** An oversized body may be refused so too (interface, section 7). */
const UNPROCESSABLE = ERRORS.arithmetic_mismatch.status;

/** True where a code of the interface may travel under a status (interface, section 7), which may be that of the transport (section 8). */
function belongs(code: ErrorCode, status: number): boolean {
  const more: readonly number[] = code === 'invalid_request' ? [...Object.values(TRANSPORT_STATUS), UNPROCESSABLE] : [];
  return status === ERRORS[code].status || more.includes(status);
}

/** A short loyalty ID may stand in any text by chance, so only a long one is looked for. */
const MIN_TELLING_CHARACTERS = 8;

/** Texts that no caller should read: stacks, source files, and addresses behind the service. */
const MACHINERY = /\n\s+at |Traceback|Exception in thread|node_modules|\.(?:ts|js|java|py|cs|go|php|lua):\d|redis:\/\//;

/** The form of the body, the code and its status, and the request ID in both places. */
export function errorFaults(exchange: Exchange): string[] | undefined {
  if (isSuccess(exchange) || exchange.method === 'HEAD') return undefined;
  const faults = errorBodyFaults(exchange.body);
  if (faults.length > 0) return faults;
  const { code, requestId } = (exchange.body as { error: { code: string; requestId: string } }).error;
  if (!Object.hasOwn(ERRORS, code)) return [`/error/code: ${code.slice(0, 40)} is not a code of the interface`];
  if (!belongs(code as ErrorCode, exchange.status)) {
    faults.push(`/error/code: ${code} does not belong to status ${exchange.status}`);
  }
  if (headerValues(exchange, 'X-Request-Id')[0] !== requestId) {
    faults.push('/error/requestId: differs from X-Request-Id');
  }
  return faults;
}

/**
 * An error keeps the member and the machinery of the service private (interface, section 1: the ID is opaque and
 * private).
 */
export function leakFaults(exchange: Exchange): string[] | undefined {
  if (isSuccess(exchange)) return undefined;
  // JSON escapes the line breaks of a stack, and may escape the letters of an ID.
  const texts = [exchange.bytes.toString('utf8'), ...textsIn(exchange.body)];
  const loyaltyId = isRecord(exchange.request) ? exchange.request['loyaltyId'] : undefined;
  const isTold =
    typeof loyaltyId === 'string' &&
    loyaltyId.length >= MIN_TELLING_CHARACTERS &&
    texts.some((text) => text.includes(loyaltyId));
  return [
    ...(isTold ? ['body: repeats the loyalty ID'] : []),
    ...(texts.some((text) => MACHINERY.test(text)) ? ['body: tells what the service is made of'] : []),
  ];
}

/** The texts of a body, without their names. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap(textsIn);
}

/** `arithmetic_mismatch` names `field`, `expected` and `received` (interface, section 4.1), of which the last two differ. */
export function mismatchFaults(exchange: Exchange): string[] | undefined {
  if (errorCode(exchange) !== 'arithmetic_mismatch') return undefined;
  const { error } = exchange.body as { error: { details?: Record<string, unknown> | null } };
  const details = error.details ?? {};
  const missing = ['field', 'expected', 'received'].filter((name) => details[name] === undefined);
  if (missing.length > 0) return missing.map((name) => `/error/details/${name}: is missing`);
  const isSame = String(details['expected']) === String(details['received']);
  return isSame ? ['/error/details: expected and received are the same'] : [];
}
