import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import { ERRORS, HTTP_OK } from '../../contract/errors.ts';
import type { RefusalNote } from '../../telemetry/recent-refusals.ts';
import { type LiveFigures, readLiveFigures } from './figures.ts';

/** The sources of the live page. */
export interface LiveSources {
  readonly registry: () => Registry;
  /** The checks of readiness that are red, with their reasons. */
  readonly red: () => Readonly<Record<string, string>>;
  /** The last refusals, newest first; a new array after every change. */
  readonly refusals: () => readonly RefusalNote[];
}

const INTERVAL_MS = 1000;
/** The most viewers; each costs a write a second and an open connection. */
const MAX_VIEWERS = 32;

interface Viewer {
  readonly response: ServerResponse;
  seen: readonly RefusalNote[] | undefined;
}

/**
 * `GET /live`: the page's figures once a second as server-sent events (`figures`, and `refusals` after a change), or
 * once as JSON for a client that asks for no stream. Without viewers no metric is read.
 */
export class LiveFeed {
  readonly #sources: LiveSources;
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;

  constructor(sources: LiveSources) {
    this.#sources = sources;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(request.headers.accept ?? '').includes('text/event-stream')) return this.#sendOnce(response);
    if (this.#viewers.size >= MAX_VIEWERS) {
      const { status } = ERRORS.unavailable;
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${MAX_VIEWERS} viewers are connected already.\n`);
      return;
    }
    const viewer: Viewer = { response, seen: undefined };
    // The last header stops proxies from buffering the beginning of the stream.
    response.writeHead(HTTP_OK, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    this.#viewers.add(viewer);
    response.once('close', () => this.#leave(viewer));
    this.#timer ??= setInterval(() => void this.#tick(), INTERVAL_MS).unref();
    this.#send([viewer], await this.#read());
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { response } of this.#viewers) response.end();
  }

  async #sendOnce(response: ServerResponse): Promise<void> {
    const body = { ...(await this.#read()), refusals: this.#sources.refusals() };
    response.writeHead(HTTP_OK, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    response.end(`${JSON.stringify(body)}\n`);
  }

  async #tick(): Promise<void> {
    // On a busy machine the last reading may still be running; this tick is then skipped.
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      this.#send([...this.#viewers], await this.#read());
    } finally {
      this.#isReading = false;
    }
  }

  #read(): Promise<LiveFigures> {
    return readLiveFigures(this.#sources.registry(), this.#sources.red(), Date.now());
  }

  #send(viewers: readonly Viewer[], figures: LiveFigures): void {
    const refusals = this.#sources.refusals();
    const figuresEvent = `event: figures\ndata: ${JSON.stringify(figures)}\n\n`;
    let refusalsEvent: string | undefined;
    for (const viewer of viewers) {
      // A slow viewer with unsent data is skipped; it gets later figures instead.
      if (viewer.response.writableNeedDrain || viewer.response.writableEnded) continue;
      viewer.response.write(figuresEvent);
      if (viewer.seen === refusals) continue;
      refusalsEvent ??= `event: refusals\ndata: ${JSON.stringify(refusals)}\n\n`;
      viewer.response.write(refusalsEvent);
      viewer.seen = refusals;
    }
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
