import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, HTTP_OK } from '@loyalty/contract/errors';
import type { Registry } from 'prom-client';
import type { Readiness } from '../../../../src/telemetry/readiness.ts';
import type { RefusalNote } from '../../../../src/telemetry/recent-refusals.ts';
import { History } from '../pages/live/history.ts';
import { type LiveFigures, readLiveFigures } from './figures.ts';

/** The sources of the live page. */
export interface LiveSources {
  /** Brings the other sources up to date. */
  readonly refresh: () => Promise<void>;
  readonly readiness: () => Readiness;
  readonly registry: () => Registry;
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
 * `GET /live`: the page's figures as server-sent events (`history` with the last five minutes, then `figures` once a
 * second, and `refusals` after a change), or once as JSON for a client that asks for no stream. The figures are read
 * without viewers too, for the history of a page that is opened later: a millisecond of processor time a second.
 */
export class LiveFeed {
  readonly #sources: LiveSources;
  readonly #viewers = new Set<Viewer>();
  readonly #history = new History();
  readonly #timer: NodeJS.Timeout;
  readonly #onFault: (error: Error) => void;
  #isReading = false;
  #hasFailed = false;

  /** `onFault` is told the first of readings that fail one after the other. */
  constructor(sources: LiveSources, onFault: (error: Error) => void) {
    this.#sources = sources;
    this.#onFault = onFault;
    this.#timer = setInterval(() => void this.#tick(), INTERVAL_MS).unref();
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
    response.once('close', () => this.#viewers.delete(viewer));
    response.write(`event: history\ndata: ${JSON.stringify(rememberedOf(this.#history))}\n\n`);
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
      const figures = await this.#read();
      this.#history.add(figures);
      if (this.#viewers.size > 0) this.#send([...this.#viewers], figures);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#onFault(error as Error);
      this.#hasFailed = true;
    } finally {
      this.#isReading = false;
    }
  }

  async #read(): Promise<LiveFigures> {
    const { refresh, registry, readiness } = this.#sources;
    await refresh();
    return readLiveFigures(registry(), readiness(), Date.now());
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
}

/** Readings of the last minute keep their counts by code and event, for the page's column "last minute". */
const WHOLE_MS = 65_000;

/** What a page that is opened later is told: of readings before the last minute the lines of the charts, with the calls as one sum. */
export function rememberedOf({ readings }: History): readonly LiveFigures[] {
  const wholeFromMs = (readings.at(-1)?.atMs ?? 0) - WHOLE_MS;
  return readings.map((figures) => {
    if (figures.atMs >= wholeFromMs) return figures;
    const count = figures.calls.reduce((sum, call) => sum + call.count, 0);
    return { ...figures, calls: [{ route: 'all', status: 0, code: 'all', count }], events: {} };
  });
}
