import { HTTP_OK } from '@loyalty/contract/errors';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';
import type { Dispatcher } from 'undici';

/** One HTTP attempt, told as a value. It works below undici's promises, because only the dispatcher says what was sent. */

export interface AttemptRequest {
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: Uint8Array;
}

/**
 * How an attempt failed without an answer. `not_connected`: before the request was sent. `tls`: likewise, because the two
 * sides could not agree on a secure connection; a handshake that is cut off is `not_connected`. `lost`: the connection ended after the request, or part of it, was sent.
 * `unreadable`: what came is not HTTP, or larger than any answer. `not_sendable`: the request itself cannot be written.
 */
export type AttemptFailure = 'timeout' | 'not_connected' | 'tls' | 'lost' | 'unreadable' | 'not_sendable';

export type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: AnswerHeaders; readonly body: Uint8Array }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure; readonly detail: string };

/** Header values by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What came back, whatever it is. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Uint8Array;
}

/** Sends a POST once and resolves, never rejects, within `timeoutMs` and what a timer is late by. */
export function sendOnce(
  dispatcher: Dispatcher,
  origin: string,
  request: AttemptRequest,
  timeoutMs: number,
): Promise<AttemptResult> {
  const { path, headers, body } = request;
  return new Promise((resolve) => {
    const attempt = new Attempt(resolve, timeoutMs);
    try {
      dispatcher.dispatch({ origin, path, headers, body, method: 'POST' }, attempt);
    } catch (error) {
      attempt.onResponseError(undefined, error as Error);
    }
  });
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: AttemptResult) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status = 0;
  #headers: AnswerHeaders = {};
  #bytes = 0;

  constructor(resolve: (result: AttemptResult) => void, timeoutMs: number) {
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#giveUp('timeout', `no answer within ${timeoutMs} ms`), timeoutMs);
  }

  /** Called just before the first byte is written: whatever fails from here on may have reached the service. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Nobody waits any more, so nothing is sent: a calculation that no sale event will follow helps nobody.
    if (this.#isOver) controller.abort(new Error('given up before it was sent'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_ANSWER_BYTES) return this.#giveUp('unreadable', `more than ${MAX_ANSWER_BYTES} bytes`);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#finish({ kind: 'answered', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // Any final status but 200 decides by itself, whatever becomes of its body: a 204 with a length, a 503 that is cut off.
    if (this.#status > HTTP_OK) return this.onResponseEnd();
    const code = codeOf(error);
    this.#finish({
      kind: 'failed',
      failure: classify(error.name, code, this.#controller !== undefined),
      detail: code === '' ? error.message : `${code}: ${error.message}`,
    });
  }

  #giveUp(failure: AttemptFailure, detail: string): void {
    this.#finish({ kind: 'failed', failure, detail });
    this.#controller?.abort(new Error(detail));
  }

  #finish(result: AttemptResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve(result);
  }
}

/** Codes of OpenSSL and of Node's certificate checks; a handshake that is merely cut off has a socket's code instead. */
const TLS_CODE =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
/** An answer whose head is larger than the parser reads, or whose length is not what it says. */
const UNREADABLE_CODE = /^(?:UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/;
/** Not every error of the HTTP parser has a code. */
const PARSER_ERROR = 'HTTPParserError';
const INVALID_ARGUMENT_CODE = 'UND_ERR_INVALID_ARG';

function classify(name: string, code: string, wasSent: boolean): AttemptFailure {
  if (code === INVALID_ARGUMENT_CODE) return 'not_sendable';
  if (TLS_CODE.test(code)) return 'tls';
  if (!wasSent) return 'not_connected';
  return name === PARSER_ERROR || UNREADABLE_CODE.test(code) ? 'unreadable' : 'lost';
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}
