import { parseJson } from '@loyalty/contract/basket/parse-json';
import { isUuidInAnyCase, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import type { ReceivedAnswer } from './attempt.ts';
import { pick } from './known-fields.ts';

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

const FACTS = ['httpStatus', 'code', 'message', 'field', 'requestId'] as const satisfies (keyof RefusalFacts)[];

/** Only the facts of an object that has more. */
export function factsOf(facts: RefusalFacts): RefusalFacts {
  return pick(facts, FACTS);
}

/** Reads what a refusal says; fields that are missing or of the wrong type are left out. Never throws. */
export function readRefusal({ status, headers, body }: ReceivedAnswer): RefusalFacts {
  const parsed = parseJson(body);
  const error = fieldsOf(parsed.ok ? fieldsOf(parsed.value)['error'] : undefined);
  const requestIds = [error['requestId'], headers[RESPONSE_HEADERS.requestId.toLowerCase()]];
  return pick(
    {
      httpStatus: status,
      code: textOf(error['code'], 40),
      message: textOf(error['message'], 300),
      field: textOf(fieldsOf(error['details'])['field'], 256),
      requestId: requestIds.find((id): id is string => typeof id === 'string' && isUuidInAnyCase(id)),
    },
    FACTS,
  ) as RefusalFacts;
}

/** Status and, where the body is an Error body, its code: `503 unavailable`. */
export function describeRefusal({ httpStatus, code }: RefusalFacts): string {
  return code === undefined ? String(httpStatus) : `${httpStatus} ${code}`;
}

/** What came from outside goes into logs in part only. */
function textOf(value: unknown, maxCharacters: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxCharacters) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
