import { parseJson } from '@loyalty/contract/basket/parse-json';
import { isUuidInAnyCase, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import type { ReceivedAnswer } from './attempt.ts';

/** What an answer other than 200 says of itself (interface, section 2, "Error body"): for logs and support, never for the guest. */
export interface RefusalFacts {
  /** Service: the HTTP status, a whole number. */
  readonly httpStatus?: number;
  /** Service: the code of the error, such as `arithmetic_mismatch`. */
  readonly code?: string;
  /** Service: the sentence beside the code. */
  readonly message?: string;
  /** Service, or client for an answer that it rejected: the JSON Pointer of the field, or the name of a header. */
  readonly field?: string;
  /** Service, or client where no answer came: the request ID of the attempt, by which the operator finds it. */
  readonly requestId?: string;
}

/** What came from outside goes into logs in part only. */
const MAX_CHARACTERS = { code: 40, message: 300, field: 256 } as const;

/** Reads what a refusal says; fields that are missing or of the wrong type are left out. Never throws. */
export function readRefusal({ status, headers, body }: ReceivedAnswer): RefusalFacts {
  const parsed = parseJson(body);
  const error = fieldsOf(parsed.ok ? fieldsOf(parsed.value)['error'] : undefined);
  const requestId = [error['requestId'], headers[RESPONSE_HEADERS.requestId.toLowerCase()]].find(
    (id): id is string => typeof id === 'string' && isUuidInAnyCase(id),
  );
  return {
    httpStatus: status,
    ...textOf('code', error['code']),
    ...textOf('message', error['message']),
    ...textOf('field', fieldsOf(error['details'])['field']),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Status and, where the body is an Error body, its code: `503 unavailable`. */
export function describeRefusal({ httpStatus, code }: RefusalFacts): string {
  return code === undefined ? String(httpStatus) : `${httpStatus} ${code}`;
}

/** Only the facts of an object that has more. */
export function factsOf({ httpStatus, code, message, field, requestId }: RefusalFacts): RefusalFacts {
  return {
    ...(httpStatus !== undefined && { httpStatus }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(field !== undefined && { field }),
    ...(requestId !== undefined && { requestId }),
  };
}

function textOf(name: keyof typeof MAX_CHARACTERS, value: unknown): RefusalFacts {
  return typeof value === 'string' ? { [name]: value.slice(0, MAX_CHARACTERS[name]) } : {};
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
