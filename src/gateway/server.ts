import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { releaseLarge } from '@loyalty/contract/byte-slab';
import { type Refusal, refuse, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import type { CallKind } from '../store/tokens.ts';
import { Admission } from './admission.ts';
import { collectBody, dropBody } from './body.ts';
import { type CallNotes, type CallRecord, notesOf, recordOf } from './call-record.ts';
import { type CallEnd, type ConnectionEnd, Exchange } from './exchange.ts';
import { library } from './http-library.ts';
import { type LifecycleContext, type ReceivedCall, runCall } from './lifecycle.ts';
import { listen } from './listen.ts';
import type { PublicPages } from './public-pages.ts';
import { type FramingFault, type RequestHead, readRequestHead } from './request-head.ts';
import { beginTrace } from './trace.ts';
import { type Upload, type UploadLoss, Uploads } from './uploads.ts';

export interface PublicServerOptions extends LifecycleContext {
  /** Called ten times a second with whether calls are shed. */
  readonly onShedding?: (isShedding: boolean) => void;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** The address of the page that describes the errors, without an anchor; undefined when none is told. */
  readonly docsUrl: string | undefined;
  /** The description of the interface, where it is published here too (`DOCS_PUBLIC`). */
  readonly publicPages: PublicPages | undefined;
  readonly p95BudgetMs: () => number;
  readonly environmentName: () => string;
  /** Called once per request, when it was answered or its caller hung up. */
  readonly onCallEnd: (record: CallRecord) => void;
}

const ROUTES: Readonly<Record<string, CallKind>> = { '/v1/pos/basket': 'basket', '/v1/pos/sale': 'sale' };

/** The paths of the interface, which metrics use as route names. */
export const PATHS: readonly string[] = Object.keys(ROUTES);

/** After the listener is closed, connections that are just being opened are still answered for this long. */
const DRAIN_GRACE_MS = 250;
const DRAIN_POLL_MS = 20;

/** The public listener: HTTP in, calls out. */
export class PublicServer {
  readonly admission: Admission;
  readonly uploads = new Uploads();
  readonly #options: PublicServerOptions;
  readonly #app: TemplatedApp;
  #socket: us_listen_socket | undefined;
  #isDraining = false;

  constructor(options: PublicServerOptions) {
    this.#options = options;
    this.admission = new Admission(options.p95BudgetMs, options.onShedding);
    this.#app = options.tls
      ? library.SSLApp({ cert_file_name: options.tls.certFile, key_file_name: options.tls.keyFile })
      : library.App();
    for (const [path, kind] of Object.entries(ROUTES)) {
      this.#app.post(path, (response, request) => this.#onPost(path, kind, response, request));
      this.#app.any(path, (response, request) => this.#onOtherMethod(path, response, request));
    }
    const { publicPages: pages } = options;
    for (const path of pages?.paths ?? []) {
      this.#app.get(path, (response, request) => this.#onPage(pages!, path, response, request));
      this.#app.any(path, (response, request) => this.#onOtherMethod(path, response, request, 'GET'));
    }
    // Without this route the library closes the connection of an unknown path without an answer.
    this.#app.any('/*', (response, request) => this.#onUnknownPath(response, request));
  }

  /** True once no connections are taken any more for good. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** True while connections are taken. */
  get isListening(): boolean {
    return this.#socket !== undefined;
  }

  /** Takes connections on the port, which all gateways of a service share, and resolves with the port in use. */
  async listen(host: string, port: number): Promise<number> {
    const socket = await listen(this.#app, host, port);
    if (!socket) throw new Error(`HOST, PORT: cannot listen on ${host}:${port}`);
    this.#socket = socket;
    return library.us_socket_local_port(socket);
  }

  /**
   * Stops listening. Calls on open connections are answered as ever, and each connection is closed after its answer, so that its
   * caller comes to another gateway.
   */
  pause(): void {
    if (this.#socket) library.us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  /** Stops listening for good. */
  retire(): void {
    this.#isDraining = true;
    this.admission.close();
    this.pause();
  }

  /**
   * Stops listening, waits for the calls in flight (for at most `patienceMs`), then closes all connections. A body that
   * is still arriving then is refused with 503, and its caller retries elsewhere.
   */
  async drain(patienceMs: number): Promise<void> {
    this.retire();
    const endMs = performance.now() + patienceMs;
    await sleep(DRAIN_GRACE_MS);
    do {
      while (this.admission.inFlight > 0 && performance.now() < endMs) await sleep(DRAIN_POLL_MS);
      this.uploads.cutAll();
      // The last answer may still be in the socket's buffer, and a last body may just have become complete.
      await sleep(DRAIN_POLL_MS);
    } while (this.admission.inFlight > 0 && performance.now() < endMs);
    this.uploads.close();
    this.#app.close();
  }

  #onPost(path: string, kind: CallKind, response: HttpResponse, request: HttpRequest): void {
    const head = readRequestHead(request);
    const notes = notesOf(path);
    if (head.framingFault || (head.contentLength ?? 0) > MAX_BODY_BYTES) {
      const exchange = this.#open(response, head, notes);
      if (head.framingFault) return this.#refuseFraming(exchange, head.framingFault);
      exchange.expectBody();
      return this.#refuseSize(exchange);
    }
    // What a chunked body contains has to be looked at as it comes (`chunk-watch.ts`), so it is collected in any case.
    if (!head.isChunked && this.admission.shedIfFull(kind)) return this.#shedAtHead(response, head, notes);
    const arrival: Arrival = { kind, notes, upload: undefined, isAdmitted: false };
    const exchange = this.#open(response, head, notes, (end) => this.#onOver(arrival, end));
    const upload = this.uploads.begin((loss) => this.#cut(exchange, notes, loss));
    arrival.upload = upload;
    const outcomes = {
      onBody: (body: Uint8Array<ArrayBuffer>) => this.#onBody(arrival, { kind, head, body, exchange, notes }),
      onTooLarge: () => this.#refuseSize(exchange),
      onChunkFault: (fault: FramingFault) => this.#refuseFraming(exchange, fault),
    };
    response.onData(collectBody(this.uploads, upload, head.isChunked, outcomes));
  }

  /** A call is admitted with its last byte: until then it costs next to nothing and its caller is unknown. */
  #onBody(arrival: Arrival, call: ReceivedCall): void {
    const { exchange, notes } = call;
    arrival.isAdmitted = this.admission.admit(call.kind);
    if (arrival.isAdmitted) return void runCall(this.#options, call);
    markShed(notes);
    releaseLarge(call.body);
    // Not before the library has parsed what it has received: it closes a connection on which a request follows one that
    // is still pending, so a pipeline of refused calls ends here instead of being answered without end.
    setImmediate(() => exchange.refuse(refuse('unavailable')));
  }

  /** A call was answered or its caller hung up: it leaves its place, or its body is no longer collected. */
  #onOver({ kind, notes, upload, isAdmitted }: Arrival, { durationMs }: CallEnd): void {
    if (isAdmitted) this.admission.leave(kind, notes.stage === 'known' ? durationMs : undefined);
    else if (upload && this.uploads.abort(upload)) notes.stage = 'unfinished';
  }

  /**
   * Refuses a call by its head alone. A caller whose body does not come soon is answered before it, and its connection is
   * closed, because the rest of the body would stand before its next request.
   */
  #shedAtHead(response: HttpResponse, head: RequestHead, notes: CallNotes): void {
    markShed(notes);
    const exchange = this.#open(response, head, notes);
    const onEnd = (isWhole: boolean): void => {
      if (exchange.isOver) return;
      if (!isWhole) {
        exchange.closeConnection('closed');
        exchange.expectBody();
      }
      exchange.refuse(refuse('unavailable'));
    };
    response.onData(dropBody(onEnd));
  }

  /** Gives up a body that is still arriving. The call had no effect, so the caller may repeat it with the same key. */
  #cut(exchange: Exchange, notes: CallNotes, loss: UploadLoss): void {
    notes.stage = 'unfinished';
    notes.facts.push({ reason: loss === 'draining' ? 'drain' : 'upload' });
    exchange.closeConnection('closed');
    const message = 'The body took too long to arrive, or too many others are on their way.';
    exchange.refuse(refuse('unavailable', { message }));
  }

  #onPage(pages: PublicPages, path: string, response: HttpResponse, request: HttpRequest): void {
    const page = pages.take(path);
    const head = readRequestHead(request);
    if (page === undefined || head.isChunked || head.framingFault || (head.contentLength ?? 0) > 0) {
      if (page) pages.release();
      const refusal = page
        ? refuse('invalid_request', { message: 'This path takes no body.' })
        : refuse('rate_limited');
      return this.#refuseRoute(path, response, request, refusal);
    }
    const notes = notesOf(path);
    const exchange = this.#open(response, head, notes, ({ status }) => {
      if (status === 0) pages.release();
    });
    // Not before the library has parsed what it has received: it closes a connection on which a request follows one that is
    // still pending, so that a pipeline of these gets no page at all.
    setImmediate(() => exchange.answerPage(page.contentType, page.headers, (open) => pages.write(open, page)));
  }

  #onOtherMethod(path: string, response: HttpResponse, request: HttpRequest, method = 'POST'): void {
    const refusal = refuse('invalid_request', {
      status: TRANSPORT_STATUS.methodNotAllowed,
      message: `This path takes ${method}.`,
    });
    this.#refuseRoute(path, response, request, refusal, method);
  }

  #onUnknownPath(response: HttpResponse, request: HttpRequest): void {
    const refusal = refuse('invalid_request', { status: TRANSPORT_STATUS.notFound, message: 'There is no such path.' });
    // The path itself stays out of the log, because a caller can put anything into it.
    this.#refuseRoute('unknown', response, request, refusal);
  }

  #refuseRoute(route: string, response: HttpResponse, request: HttpRequest, refusal: Refusal, allow?: string): void {
    const head = readRequestHead(request);
    const notes = notesOf(route);
    const exchange = this.#open(response, head, notes);
    if (request.getMethod() === 'head') exchange.omitBody();
    if (head.framingFault) return this.#refuseFraming(exchange, head.framingFault);
    // Whoever asks for this is a stranger, and a stranger's refused request ends its connection.
    exchange.closeConnection('distrusted');
    if (head.contentLength !== undefined) exchange.expectBody();
    exchange.refuse(refusal, { allow });
  }

  /** `onOver` is called at the call's end, before `onCallEnd`. */
  #open(response: HttpResponse, head: RequestHead, notes: CallNotes, onOver?: (end: CallEnd) => void): Exchange {
    const options = {
      isTls: this.#options.tls !== undefined,
      detailedAs: head.wantsPhases ? this.#options.environmentName() : undefined,
      connection: this.#endOf(head),
      trace: beginTrace(head.traceparent),
      docsUrl: this.#options.docsUrl,
    };
    return new Exchange(response, head.requestId, options, (end) => {
      onOver?.(end);
      this.#options.onCallEnd(recordOf(notes, end));
    });
  }

  #endOf(head: RequestHead): ConnectionEnd {
    // The parser of chunked requests is lax, so the bytes behind such a request are not trusted.
    if (head.isChunked || head.framingFault !== undefined) return 'distrusted';
    return head.closesConnection || !this.isListening ? 'closed' : 'kept';
  }

  #refuseFraming(exchange: Exchange, fault: FramingFault): void {
    const details = { ...fault, received: 'something else' };
    const message = "The request's framing is not valid.";
    exchange.refuse(refuse('invalid_request', { message, details }));
  }

  #refuseSize(exchange: Exchange): void {
    exchange.closeConnection('distrusted');
    const message = `The body is larger than ${MAX_BODY_BYTES} bytes.`;
    exchange.refuse(refuse('invalid_request', { status: TRANSPORT_STATUS.bodyTooLarge, message }));
  }
}

/** A call from its head to its end, as the listener counts it. */
interface Arrival {
  readonly kind: CallKind;
  readonly notes: CallNotes;
  /** Its body on the way. */
  upload: Upload | undefined;
  isAdmitted: boolean;
}

function markShed(notes: CallNotes): void {
  notes.stage = 'shed';
  notes.facts.push({ reason: 'admission' });
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
