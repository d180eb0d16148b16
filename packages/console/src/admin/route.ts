import { HTTP_OK, OPERATIONS_STATUS } from '@loyalty/contract/errors';
import type { OpsRole } from '../../../../src/settings/tokens.ts';
import type { Administration, NarrowRole } from './administration.ts';

/** A route of the administration: its method, path, least role, description in the OpenAPI document and handler. */
export interface AdminRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `{name}` matches one segment of the path, percent-decoded. */
  readonly path: string;
  /** The least role that a token needs. */
  readonly role: Exclude<OpsRole, NarrowRole>;
  /**
   * The narrow roles that may use it: a `vendor` its own calls and the clock of test members, a till (`pos`) its own calls and
   * returns.
   */
  readonly alsoFor?: readonly NarrowRole[];
  /** True for calls other than GET that do not stand in the list of changes: they change nothing, or come from tills. */
  readonly isUnlisted?: true;
  /** The name of the route in the audit log, where it is another one than the words of `operationId`. */
  readonly action?: string;
  /** The most bytes of a body; without it as many as a basket may have. */
  readonly maxBodyBytes?: number;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Name of a schema of the document. */
  readonly requestSchema?: string;
  readonly answerSchema: string;
  /** True where `Accept: text/csv` is answered as CSV. */
  readonly hasCsv?: true;
  /** Its other answers, and when they are given. */
  readonly failures?: Readonly<Partial<Record<keyof typeof OPERATIONS_STATUS, string>>>;
  readonly handle: (administration: Administration, call: AdminCall) => Promise<AdminAnswer> | AdminAnswer;
}

/** An authenticated call. */
export interface AdminCall {
  /** The name of its token. */
  readonly who: string;
  readonly requestId: string;
  /** The `If-Match` header. */
  readonly ifMatch: string | undefined;
  /** The `Accept` header. */
  readonly accept: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** The value of the body, which fits the schema of the route (request-body.ts). */
  readonly value: unknown;
}

/** An answer. The router renders `json`. */
export interface AdminAnswer {
  readonly status: number;
  readonly json: unknown;
  /** A table in the place of `json`. */
  readonly csv?: string;
  readonly etag?: string;
  /** Facts for the call's line in the audit log. */
  readonly audit?: Readonly<Record<string, unknown>>;
  /** True of a repetition, which does not stand in the list of changes. */
  readonly changesNothing?: true;
}

/** The name of a route in the audit log and in the list of changes: `read member` of `readMember`. */
export function actionOf({ action, operationId }: AdminRoute): string {
  return action ?? operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function answered(json: unknown, more: Pick<AdminAnswer, 'etag' | 'audit' | 'csv'> = {}): AdminAnswer {
  return { status: HTTP_OK, json, ...more };
}

/** The codes of errors. A basket that is explained may be refused with the codes of the public interface too. */
export const ADMIN_CODES: Readonly<Record<keyof typeof OPERATIONS_STATUS, string>> = {
  invalid: 'invalid_request',
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
  notFound: 'not_found',
  methodNotAllowed: 'method_not_allowed',
  conflict: 'conflict',
  preconditionFailed: 'precondition_failed',
  bodyTooLarge: 'body_too_large',
  misdirected: 'misdirected',
  refused: 'refused',
  fault: 'internal_error',
  unavailable: 'unavailable',
};

/**
 * Builds an error in the shape of the public interface, so that a client reads one shape on every route:
 * `message` is one sentence that names the fault and its place. The router adds the request ID.
 */
export function refused(
  kind: keyof typeof OPERATIONS_STATUS,
  message: string,
  audit: AdminAnswer['audit'] = {},
  details?: object,
): AdminAnswer {
  const error = { code: ADMIN_CODES[kind], message, ...(details && { details }) };
  return { status: OPERATIONS_STATUS[kind], json: { error }, audit };
}
