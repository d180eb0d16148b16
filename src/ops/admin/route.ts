import { HTTP_OK, OPERATIONS_STATUS } from '../../contract/errors.ts';
import type { Administration } from './administration.ts';

/** A route of the administration: what it takes, what it does, and the words of its documentation. */
export interface AdminRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** `{name}` stands for one segment of the path, percent-decoded. */
  readonly path: string;
  readonly operation: Operation;
  readonly handle: (administration: Administration, call: AdminCall) => Promise<AdminAnswer> | AdminAnswer;
}

/** A call that was let in. */
export interface AdminCall {
  /** The name of the token it came with. */
  readonly who: string;
  readonly requestId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

/** An answer; `json` is sent as it is when it is a text already. */
export interface AdminAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** The route in the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names a schema of the document. */
  readonly requestSchema?: string;
  readonly answerSchema: string;
  /** True where it may also answer with the Error body of the public interface. */
  readonly publicErrors?: boolean;
  /** What else it answers with, and when. */
  readonly failures: Readonly<Partial<Record<keyof typeof OPERATIONS_STATUS, string>>>;
}

export function answered(json: unknown): AdminAnswer {
  return { status: HTTP_OK, json };
}

/** An error is one sentence that says what is wrong and where. */
export function refused(kind: keyof typeof OPERATIONS_STATUS, error: string): AdminAnswer {
  return { status: OPERATIONS_STATUS[kind], json: { error } };
}
