import { HTTP_OK, OPERATIONS_STATUS } from '../../contract/errors.ts';
import type { Administration } from './administration.ts';

/** A route of the administration: its method, path, documentation and handler. */
export interface AdminRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `{name}` matches one segment of the path, percent-decoded. */
  readonly path: string;
  readonly operation: Operation;
  readonly handle: (administration: Administration, call: AdminCall) => Promise<AdminAnswer> | AdminAnswer;
}

/** An authenticated call. */
export interface AdminCall {
  /** The name of its token. */
  readonly who: string;
  readonly requestId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

/** An answer. A `json` that is a text already is sent unchanged. */
export interface AdminAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** The description of a route in the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Name of a schema of the document. */
  readonly requestSchema?: string;
  readonly answerSchema: string;
  /** True when the route may also answer with the Error body of the public interface. */
  readonly publicErrors?: boolean;
  /** Its other answers, and when they are given. */
  readonly failures: Readonly<Partial<Record<keyof typeof OPERATIONS_STATUS, string>>>;
}

export function answered(json: unknown): AdminAnswer {
  return { status: HTTP_OK, json };
}

/** Builds an error: one sentence that names the fault and its place. */
export function refused(kind: keyof typeof OPERATIONS_STATUS, error: string): AdminAnswer {
  return { status: OPERATIONS_STATUS[kind], json: { error } };
}
