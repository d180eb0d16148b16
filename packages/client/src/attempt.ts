import { HTTP_OK } from '@loyalty/contract/errors';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';
import type { Dispatcher } from 'undici';

/** One HTTP attempt, told as a value. It works below undici's promises, because only the dispatcher says what was sent. */

export interface AttemptRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/**
 * How an attempt failed without an answer. `not_connected`: before the request was sent. `tls`: likewise, because the two
 * sides could not agree on a secure connection; a handshake that is cut off is `not_connected`. `lost`: the connection ended after the request, or part of it, was sent.
 * `unreadable`: what came is not HTTP, or larger than any answer. `not_sendable`: the request itself cannot be written.
 */
export type AttemptFailure = 'timeout' | 'not_connected' | 'tls' | 'lost' | 'unreadable' | 'not_sendable';

/** What came back, whatever it is. Header values are by lower-case name. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

export type AttemptResult =
  | ({ readonly kind: 'answered' } & ReceivedAnswer)
  | { readonly kind: 'failed'; readonly failure: AttemptFailure; readonly detail: string };

/** Sends a POST once and resolves, never rejects, within `timeoutMs` and what a timer is late by. */
export function sendOnce(dispatcher: Dispatcher, request: AttemptRequest, timeoutMs: number): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const attempt = new Attempt(resolve, timeoutMs);
    try {
      dispatcher.dispatch({ ...request, method: 'POST' }, attempt);
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
  #headers: ReceivedAnswer['headers'] = {};
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

  onResponseStart(_controller: unknown, status: number, headers: ReceivedAnswer['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_ANSWER_BYTES) return this.#giveUp('unreadable', `more than ${MAX_ANSWER_BYTES} bytes`);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish({
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks),
    });
  }

  onResponseError(_controller: unknown, error: NodeJS.ErrnoException): void {
    // Any final status but 200 decides by itself, whatever becomes of its body: a 204 with a length, a 503 that is cut off.
    if (this.#status > HTTP_OK) return this.onResponseEnd();
    const { name, message, code } = error;
    const failure = classify(name, String(code ?? ''), this.#controller !== undefined);
    this.#finish({ kind: 'failed', failure, detail: code === undefined ? message : `${code}: ${message}` });
  }

  #giveUp(failure: AttemptFailure, detail: string): void {
    this.#finish({ kind: 'failed', failure, detail });
    this.#controller?.abort(new Error(detail));
  }

  /** The first end counts. */
  #finish(result: AttemptResult): void {
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

function classify(name: string, code: string, wasSent: boolean): AttemptFailure {
  if (code === 'UND_ERR_INVALID_ARG') return 'not_sendable';
  if (TLS_CODE.test(code)) return 'tls';
  if (!wasSent) return 'not_connected';
  // Not every error of the HTTP parser has a code.
  return name === 'HTTPParserError' || UNREADABLE_CODE.test(code) ? 'unreadable' : 'lost';
}
