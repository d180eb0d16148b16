import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HTTP_OK, type Refusal, renderError } from '../contract/errors.ts';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, RESPONSE_HEADERS, TRANSPORT_HEADERS } from '../contract/headers.ts';
import { monotonicMs, roundMs, Stopwatch } from '../telemetry/stopwatch.ts';
import { padPastBuffer, writeLastAnswer } from './last-answer.ts';

/** What is said of a call once it is over, for the log. */
export interface CallEnd {
  readonly status: number;
  readonly durationMs: number;
}

/**
 * What becomes of the connection with the answer. `closed`: it ends, as the caller asked or because the service is going
 * down. `distrusted`: it ends at once, because nobody can say where the next request on it begins.
 */
export type ConnectionEnd = 'kept' | 'closed' | 'distrusted';

export interface CallOptions {
  readonly isTls: boolean;
  readonly connection: ConnectionEnd;
  /** `Server-Timing` names every phase, not the whole time alone. */
  readonly wantsPhases: boolean;
}

/** So long the rest of a body that is refused for its size may take before its connection is closed all the same. */
const LINGER_MS = 1000;

/** A year, for this host and those below it (interface, section 5: HSTS on the hosts). */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

/**
 * One request and the only way to answer it. After an abort or an answer the response must not be touched: the library
 * throws, or ends the process. So every way out goes through `#end`, once.
 */
export class Call {
  readonly requestId: string;
  readonly stopwatch: Stopwatch;
  /** Set when the caller hung up or was answered. */
  isOver = false;
  isAborted = false;
  /** What it was refused with, for whoever is told of its end. */
  refusal: Refusal | undefined;
  #startMs: number;
  readonly #response: HttpResponse;
  readonly #isTls: boolean;
  readonly #wantsPhases: boolean;
  readonly #onEnd: (call: Call, end: CallEnd) => void;
  #connection: ConnectionEnd;
  #isConnectionGone = false;
  #isBodyComing = false;
  #omitsBody = false;

  constructor(
    response: HttpResponse,
    requestId: string | undefined,
    options: CallOptions,
    onEnd: (call: Call, end: CallEnd) => void,
  ) {
    this.#startMs = monotonicMs();
    this.stopwatch = new Stopwatch(this.#startMs);
    this.#response = response;
    this.#isTls = options.isTls;
    this.#wantsPhases = options.wantsPhases;
    this.#connection = options.connection;
    this.#onEnd = onEnd;
    this.requestId = requestId !== undefined && isUuidInAnyCase(requestId) ? requestId : randomUUID();
    response.onAborted(() => this.#abort());
  }

  /** The call's time counts from its last byte: how long a caller takes to send is not ours to answer for. */
  markReceived(): number {
    this.stopwatch.lap('body');
    this.#startMs = monotonicMs();
    return this.#startMs;
  }

  /** The connection ends with this call's answer. */
  closeConnection(end: 'closed' | 'distrusted'): void {
    if (this.#connection !== 'distrusted') this.#connection = end;
  }

  /**
   * The rest of an announced body is on its way. A connection that is closed while there is something unread is reset, and a
   * reset may overtake the answer: the rest is read and thrown away, for a moment.
   */
  expectBody(): void {
    this.#isBodyComing = true;
  }

  /** The answer to HEAD has the headers of a body, and none (RFC 9110, 9.3.2). */
  omitBody(): void {
    this.#omitsBody = true;
  }

  /** Answers 200 with a JSON body. */
  answer(body: Uint8Array | string, isReplayed: boolean): void {
    this.#end(HTTP_OK, body, (response) => {
      if (isReplayed) response.writeHeader(RESPONSE_HEADERS.replayed, 'true');
    });
  }

  /** Answers a refusal with the Error body. */
  refuse(refusal: Refusal, allow?: string): void {
    if (this.isOver) return;
    this.refusal = refusal;
    this.#end(refusal.status, renderError(refusal, this.requestId), (response) => {
      if (refusal.retryAfterSeconds !== undefined) {
        response.writeHeader(RESPONSE_HEADERS.retryAfter, String(refusal.retryAfterSeconds));
      }
      if (allow !== undefined) response.writeHeader(RESPONSE_HEADERS.allow, allow);
    });
  }

  #end(status: number, body: Uint8Array | string, writeMore: (response: HttpResponse) => void): void {
    if (this.isOver) return;
    this.isOver = true;
    const durationMs = roundMs(monotonicMs() - this.#startMs);
    this.#response.cork(() => {
      const response = this.#response.writeStatus(`${status} ${STATUS_CODES[status]}`);
      response.writeHeader(RESPONSE_HEADERS.contentType, JSON_CONTENT_TYPE);
      response.writeHeader(RESPONSE_HEADERS.requestId, this.requestId);
      response.writeHeader(RESPONSE_HEADERS.serverTiming, this.#renderTiming(durationMs));
      if (this.#isTls) response.writeHeader(RESPONSE_HEADERS.strictTransportSecurity, STRICT_TRANSPORT_SECURITY);
      writeMore(response);
      this.#writeBody(response, body);
    });
    this.stopwatch.lap('reply');
    this.#onEnd(this, { status, durationMs });
  }

  #writeBody(response: HttpResponse, body: Uint8Array | string): void {
    // A refusal may be written while the library parses what stands behind its request. An answer of 200 never is: Redis
    // was asked in between, and meanwhile the library closes the connection if anything follows.
    if (this.#connection !== 'kept' && this.refusal) return this.#writeLast(response, String(body));
    if (!this.#omitsBody) return void response.end(body, this.#connection !== 'kept');
    // The length is ours: after one that it writes itself and that no body follows, the library never reads on.
    response.writeHeader(TRANSPORT_HEADERS.contentLength, String(Buffer.byteLength(body)));
    response.endWithoutBody();
  }

  /**
   * A connection that is not trusted is closed at once, behind an answer that is surely sent. Otherwise it is closed when
   * the library has parsed what it has; if that holds another request, the library itself closes it, unanswered.
   */
  #writeLast(response: HttpResponse, body: string): void {
    const isAtOnce = this.#connection === 'distrusted' && !this.#omitsBody;
    writeLastAnswer(response, isAtOnce ? padPastBuffer(body) : body, this.#omitsBody);
    const close = (): void => void (this.#isConnectionGone || response.close());
    if (!isAtOnce) return void setImmediate(close);
    if (!this.#isBodyComing) return close();
    response.onData((_, isLast) => isLast && close());
    setTimeout(close, LINGER_MS).unref();
  }

  #renderTiming(durationMs: number): string {
    const app = `app;dur=${durationMs}`;
    if (!this.#wantsPhases) return app;
    const phases = Object.entries(this.stopwatch.phases).map(([phase, phaseMs]) => `${phase};dur=${phaseMs}`);
    return [app, ...phases].join(', ');
  }

  #abort(): void {
    this.#isConnectionGone = true;
    if (this.isOver) return;
    this.isOver = true;
    this.isAborted = true;
    this.#onEnd(this, { status: 0, durationMs: roundMs(monotonicMs() - this.#startMs) });
  }
}
