/**
 * The one catalogue of refusals (interface, section 7): code → status, log level, default message.
 * No other file writes an HTTP status number of this interface.
 */

export const HTTP_OK = 200;

export const ERRORS = {
  invalid_request: { status: 400, level: 'info', message: 'The request is not valid.' },
  invalid_signature: { status: 401, level: 'warn', message: 'The signature is missing or does not verify.' },
  stale_timestamp: { status: 401, level: 'warn', message: 'The signature time stamp is outside the clock window.' },
  idempotency_conflict: {
    status: 409,
    level: 'warn',
    message: 'This Idempotency-Key was already used with a different request.',
  },
  arithmetic_mismatch: { status: 422, level: 'warn', message: 'The amounts of the request do not add up.' },
  unknown_currency: { status: 422, level: 'warn', message: 'The currency is not configured for the venue.' },
  venue_not_configured: { status: 422, level: 'warn', message: 'The venue is not mapped in this environment.' },
  too_many_lines: { status: 422, level: 'warn', message: 'The basket has more than 200 lines.' },
  rate_limited: { status: 429, level: 'warn', message: 'Too many requests.' },
  internal_error: { status: 500, level: 'error', message: 'Unexpected error on the service side.' },
  unavailable: { status: 503, level: 'warn', message: 'The service is overloaded or not available.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Refusals of the transport that the interface answers with `invalid_request` under another status. */
export const TRANSPORT_STATUS = { notFound: 404, methodNotAllowed: 405, bodyTooLarge: 413 } as const;

/** Statuses of the operations port, which are not part of the interface. */
export const OPERATIONS_STATUS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  preconditionFailed: 412,
  bodyTooLarge: 413,
  misdirected: 421,
  refused: 422,
  fault: 500,
  unavailable: 503,
} as const;

/** A refusal to send to the caller. `details` is machine-readable and never contains a loyalty ID. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly details?: RefusalDetails;
  readonly retryAfterSeconds?: number;
}

/** `field` is a JSON Pointer into the body, or the name of a header. */
export interface RefusalDetails {
  readonly field?: string;
  readonly expected?: string | number;
  readonly received?: string | number;
}

/** Builds a refusal from the catalogue. `retryAfterSeconds` is a whole number, at least 1 (interface, section 4). */
export function refuse(
  code: ErrorCode,
  more: { message?: string; details?: RefusalDetails; retryAfterSeconds?: number; status?: number } = {},
): Refusal {
  const { status, message } = ERRORS[code];
  const retryAfterSeconds =
    more.retryAfterSeconds ?? (code === 'unavailable' || code === 'rate_limited' ? 1 : undefined);
  return {
    code,
    status: more.status ?? status,
    message: more.message ?? message,
    ...(more.details && { details: more.details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
  };
}

/**
 * Renders the Error body as JSON text (interface, section 2). `docUrl` is the address of this error's description, for a
 * service that knows where its pages are.
 */
export function renderError(refusal: Refusal, requestId: string, docUrl?: string): string {
  const { code, message, details } = refusal;
  // JSON has no field of what is undefined.
  return JSON.stringify({ error: { code, message, details, requestId, docUrl } });
}
