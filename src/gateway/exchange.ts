import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { releaseLarge } from '@loyalty/contract/byte-slab';
import { errorAnchor } from '@loyalty/contract/error-anchor';
import { ERRORS, HTTP_OK, type Refusal, renderError } from '@loyalty/contract/errors';
import { INTERFACE_VERSION, isUuidInAnyCase, JSON_CONTENT_TYPE, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { monotonicMs, type Phases, roundMs, Stopwatch } from '../telemetry/stopwatch.ts';
import { padPastBuffer, writeLastAnswer } from './last-answer.ts';
import type { CallTrace } from './trace.ts';

/** An import would read every export of the module, and some of them load a whole client of HTTP. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** How a call ended. */
export interface CallEnd {
  readonly requestId: string;
  readonly trace: CallTrace | undefined;
  /** The status of HTTP that was sent; 0 where the caller hung up before. */
  readonly status: number;
  /** The refusal that was sent. */
  readonly refusal: Refusal | undefined;
  /** The caller hung up, or did not read its answer. */
  readonly isAborted: boolean;
  readonly durationMs: number;
  readonly phases: Phases;
}

/**
 * The connection's fate after the answer. `closed`: it is closed, because the caller asked for that or the service is
 * going down. `distrusted`: it is closed at once, because the start of its next request cannot be known.
 */
export type ConnectionEnd = 'kept' | 'closed' | 'distrusted';

export interface ExchangeOptions {
  readonly isTls: boolean;
  readonly connection: ConnectionEnd;
  /** The name that a detailed `Server-Timing` has beside the phases; undefined where the whole time alone is wanted. */
  readonly detailedAs: string | undefined;
  readonly trace: CallTrace | undefined;
  /** The address of docs/errors.md as the caller reads it; undefined when the Error body names none. */
  readonly docsUrl: string | undefined;
}

/** What the headers of a refusal tell beside its Error body. */
interface RefusalHeaders {
  readonly deadlinePhase?: string | undefined;
  readonly allow?: string | undefined;
}

/** How long the rest of a body that is refused for its size may take before its connection is closed. */
const LINGER_MS = 1000;

/** One year, for this host and its subdomains (interface, section 5: HSTS on the hosts). */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000; includeSubDomains';

const statusLine = (status: number): string => `${status} ${STATUS_CODES[status]}`;
const STATUS_LINES: ReadonlyMap<number, string> = new Map([
  [HTTP_OK, statusLine(HTTP_OK)],
  ...Object.values(ERRORS).map(({ status }) => [status, statusLine(status)] as const),
]);

/**
 * One request and the only way to answer it. The response must not be touched after an abort or an answer: the library
 * would throw or end the process. Every exit therefore goes through `#end`, once.
 */
export class Exchange {
  readonly requestId: string;
  readonly stopwatch: Stopwatch;
  /** Set when the call was answered or its caller hung up. */
  isOver = false;
  #isAborted = false;
  #refusal: Refusal | undefined;
  #deadlinePhase: string | undefined;
  #startMs: number;
  readonly #response: HttpResponse;
  readonly #isTls: boolean;
  readonly #detailedAs: string | undefined;
  readonly #docsUrl: string | undefined;
  readonly #onEnd: (end: CallEnd) => void;
  #connection: ConnectionEnd;
  /** Our step of the caller's trace. */
  readonly #trace: CallTrace | undefined;
  #isConnectionGone = false;
  #isBodyComing = false;
  #omitsBody = false;

  constructor(
    response: HttpResponse,
    requestId: string | undefined,
    options: ExchangeOptions,
    onEnd: (end: CallEnd) => void,
  ) {
    this.#startMs = monotonicMs();
    this.stopwatch = new Stopwatch(this.#startMs);
    this.#response = response;
    this.#isTls = options.isTls;
    this.#detailedAs = options.detailedAs;
    this.#trace = options.trace;
    this.#docsUrl = options.docsUrl;
    this.#connection = options.connection;
    this.#onEnd = onEnd;
    this.requestId = requestId !== undefined && isUuidInAnyCase(requestId) ? requestId : randomUUID();
    response.onAborted(() => this.#abort());
  }

  /** The address of the peer; behind a proxy it is the proxy's. Valid until the call is over. */
  get remoteAddress(): string {
    return Buffer.from(this.#response.getRemoteAddressAsText()).toString();
  }

  /** Starts the call's time, which counts from its last byte: the caller's sending speed is not ours. */
  markReceived(): number {
    this.#startMs = this.stopwatch.enter('signature');
    return this.#startMs;
  }

  /** Closes the connection after this call's answer. */
  closeConnection(end: 'closed' | 'distrusted'): void {
    if (this.#connection !== 'distrusted') this.#connection = end;
  }

  /**
   * The rest of an announced body is on its way. Closing a connection with unread bytes resets it, and the reset may
   * overtake the answer. The rest is therefore read and dropped for up to `LINGER_MS`.
   */
  expectBody(): void {
    this.#isBodyComing = true;
  }

  /** Refuses with headers alone, as HEAD requires (RFC 9110, 9.3.2). Its connection must be closed. */
  omitBody(): void {
    this.#omitsBody = true;
  }

  /** Answers 200 with a JSON body. Its bytes are the exchange's from now on, which releases them when they are sent. */
  answer(body: Uint8Array | string, isReplayed: boolean): void {
    this.#end(HTTP_OK, body, (response) => {
      if (isReplayed) response.writeHeader(RESPONSE_HEADERS.replayed, 'true');
    });
  }

  /**
   * Answers a refusal with the Error body: the only place that knows of it, and tells it at the call's end. `deadlinePhase`: the phase
   * in which its time ran out. `allow`: the methods that the path takes.
   */
  refuse(refusal: Refusal, { deadlinePhase, allow }: RefusalHeaders = {}): void {
    this.#refusal = refusal;
    this.#deadlinePhase = deadlinePhase;
    const docUrl = this.#docsUrl === undefined ? undefined : `${this.#docsUrl}#${errorAnchor(refusal)}`;
    this.#end(refusal.status, renderError(refusal, this.requestId, docUrl), (response) => {
      if (refusal.retryAfterSeconds !== undefined) {
        response.writeHeader(RESPONSE_HEADERS.retryAfter, String(refusal.retryAfterSeconds));
      }
      if (allow !== undefined) response.writeHeader(RESPONSE_HEADERS.allow, allow);
    });
  }

  /** Answers 200 with a page, whose body `writeBody` writes. */
  answerPage(
    contentType: string,
    headers: Readonly<Record<string, string>>,
    writeBody: (response: HttpResponse) => void,
  ): void {
    this.#finish(HTTP_OK, contentType, (response) => {
      for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
      writeBody(response);
    });
  }

  #end(status: number, body: Uint8Array | string, writeMore: (response: HttpResponse) => void): void {
    this.#finish(status, JSON_CONTENT_TYPE, (response) => {
      writeMore(response);
      this.#writeBody(response, body);
    });
  }

  #finish(status: number, contentType: string, writeMore: (response: HttpResponse) => void): void {
    if (this.isOver) return;
    this.isOver = true;
    const durationMs = roundMs(this.stopwatch.enter('reply') - this.#startMs);
    this.#response.cork(() => {
      const response = this.#response.writeStatus(STATUS_LINES.get(status) ?? statusLine(status));
      response.writeHeader(RESPONSE_HEADERS.contentType, contentType);
      response.writeHeader(RESPONSE_HEADERS.requestId, this.requestId);
      response.writeHeader(RESPONSE_HEADERS.interfaceVersion, INTERFACE_VERSION);
      response.writeHeader(RESPONSE_HEADERS.serverTiming, this.#renderTiming(durationMs));
      if (this.#trace) response.writeHeader(RESPONSE_HEADERS.traceResponse, this.#trace.response);
      if (this.#isTls) response.writeHeader(RESPONSE_HEADERS.strictTransportSecurity, STRICT_TRANSPORT_SECURITY);
      writeMore(response);
    });
    this.stopwatch.enter('reply');
    this.#tellEnd(status, durationMs);
  }

  #tellEnd(status: number, durationMs: number): void {
    this.#onEnd({
      requestId: this.requestId,
      trace: this.#trace,
      status,
      refusal: this.#refusal,
      isAborted: this.#isAborted,
      durationMs,
      phases: this.stopwatch.phases,
    });
  }

  #writeBody(response: HttpResponse, body: Uint8Array | string): void {
    // A refusal may be written while the library still parses the bytes behind its request. An answer of 200 is always
    // written later, after Redis was asked; by then the library has closed the connection if anything followed.
    if (this.#connection !== 'kept' && this.#refusal) return this.#writeLast(response, String(body));
    if (this.#connection === 'kept') return this.#writeUnlessUnread(response, body);
    // The library copies what it cannot send at once.
    response.end(body, true);
    if (typeof body !== 'string') releaseLarge(body);
  }

  /**
   * The library keeps what a peer does not read, without a bound and without notice. `tryEnd` reports it: it takes nothing
   * while an earlier answer is still unsent. A caller that asks again before it has read that answer is cut, so
   * that one connection never holds more than one unsent answer. A long answer goes out as its reader takes it.
   */
  #writeUnlessUnread(response: HttpResponse, body: Uint8Array | string): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const [, isDone] = response.tryEnd(bytes, bytes.byteLength);
    if (isDone) return releaseLarge(bytes);
    if (response.getWriteOffset() === 0) {
      this.#isAborted = true;
      return void response.close();
    }
    response.onWritable((offset) => {
      const [isSent, isLast] = response.tryEnd(bytes.subarray(offset), bytes.byteLength);
      if (isLast) releaseLarge(bytes);
      return isSent;
    });
  }

  /**
   * A distrusted connection is closed at once, behind an answer that is long enough to be sent immediately. Any other
   * one is closed when the library has parsed the bytes it has; a further request among them makes the library close
   * the connection itself, unanswered.
   */
  #writeLast(response: HttpResponse, body: string): void {
    const isAtOnce = this.#connection === 'distrusted' && !this.#omitsBody;
    writeLastAnswer(response, isAtOnce ? padPastBuffer(body) : body, this.#omitsBody);
    const close = (): void => void (this.#isConnectionGone || response.close());
    const end = isAtOnce ? close : (): void => void setImmediate(close);
    if (!this.#isBodyComing) return end();
    response.onData((_, isLast) => isLast && end());
    setTimeout(close, LINGER_MS).unref();
  }

  #renderTiming(durationMs: number): string {
    const app = `app;dur=${durationMs}`;
    if (this.#detailedAs === undefined) return app;
    const phases = Object.entries(this.stopwatch.phases).map(([phase, phaseMs]) => `${phase};dur=${phaseMs}`);
    if (this.#deadlinePhase !== undefined) phases.push(`deadline;desc="${this.#deadlinePhase}"`);
    return [app, `environment;desc="${this.#detailedAs}"`, ...phases].join(', ');
  }

  #abort(): void {
    this.#isConnectionGone = true;
    if (this.isOver) return;
    this.isOver = true;
    this.#isAborted = true;
    this.#tellEnd(0, roundMs(monotonicMs() - this.#startMs));
  }
}
