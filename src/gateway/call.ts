import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { HTTP_OK, type Refusal, renderError } from '../contract/errors.ts';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, RESPONSE_HEADERS } from '../contract/headers.ts';
import { monotonicMs, roundMs, Stopwatch } from '../telemetry/stopwatch.ts';

/** What is said of a call once it is over, for the log. */
export interface CallEnd {
  readonly status: number;
  readonly durationMs: number;
}

export interface CallOptions {
  readonly isTls: boolean;
  readonly closesConnection: boolean;
  /** `Server-Timing` names every phase, not the whole time alone. */
  readonly wantsPhases: boolean;
}

/** A year, for this host and those below it (specification, section 5: HSTS on the hosts). */
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
  #closesConnection: boolean;
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
    this.#closesConnection = options.closesConnection;
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

  /** The connection ends with this call's answer: what follows on it cannot be trusted, or the service is going down. */
  closeConnection(): void {
    this.#closesConnection = true;
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
      // After a length without its body the library (20.51.4) never reads on, so the connection ends with a HEAD.
      if (this.#omitsBody) response.endWithoutBody(Buffer.byteLength(body), true);
      else response.end(body, this.#closesConnection);
    });
    this.stopwatch.lap('reply');
    this.#onEnd(this, { status, durationMs });
  }

  #renderTiming(durationMs: number): string {
    const app = `app;dur=${durationMs}`;
    if (!this.#wantsPhases) return app;
    const phases = Object.entries(this.stopwatch.phases).map(([phase, phaseMs]) => `${phase};dur=${phaseMs}`);
    return [app, ...phases].join(', ');
  }

  #abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isAborted = true;
    this.#onEnd(this, { status: 0, durationMs: roundMs(monotonicMs() - this.#startMs) });
  }
}
