import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTP_OK, OPERATIONS_STATUS } from '@loyalty/contract/errors';
import type { Administration } from './admin/administration.ts';
import { answerAdmin, isAdminPath } from './admin/router.ts';
import { readCommonLimits } from './common-limit-states.ts';
import { LineBudget } from './line-budget.ts';
import { readLiveCosts } from './live/costs.ts';
import { findLivePage } from './pages/live.ts';
import { findOpenApiPage } from './pages/openapi.ts';
import type { Page } from './pages/page.ts';
import { sendJson } from './send.ts';

/** Pages ask every ten seconds, several may be open, and nobody needs a newer answer. */
const FRESH_MS = 2000;

/** What people ask the operations port for: the administration, the pages, and the description of the interface. */
export class Console {
  readonly #administration: Administration;
  readonly #strangerLines: LineBudget;
  readonly #readCosts: () => Promise<object>;
  readonly #readLimits: () => Promise<object>;

  constructor(administration: Administration) {
    this.#administration = administration;
    this.#strangerLines = new LineBudget((count) => administration.audit.warn({ count }, 'administration refused'));
    this.#readCosts = freshly(() => {
      const { store, environment } = administration.current();
      return readLiveCosts(store, environment);
    });
    this.#readLimits = freshly(async () => {
      const { store, environment } = administration.current();
      return { limits: await readCommonLimits(store, environment) };
    });
  }

  async answer(path: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === '/live/costs') return sendRead(response, this.#readCosts);
    if (path === '/live/limits') return sendRead(response, this.#readLimits);
    if (path !== undefined && isAdminPath(path)) {
      return answerAdmin(this.#administration, this.#strangerLines, request, response);
    }
    const page = findOpenApiPage(path, () => this.#administration.current().environment);
    if (page) sendPage(response, page);
    else await sendLivePage(response, path);
  }

  close(): void {
    this.#strangerLines.close();
  }
}

/**
 * Returns a function that reads for the live page at most once in two seconds, however many pages ask. It rejects as the
 * reading does; the next one is tried at once.
 */
function freshly<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly reading: Promise<T>; readonly atMs: number } | undefined;
  return () => {
    const atMs = performance.now();
    if (last && atMs - last.atMs < FRESH_MS) return last.reading;
    const reading = read();
    last = { reading, atMs };
    reading.catch(() => {
      if (last?.reading === reading) last = undefined;
    });
    return reading;
  };
}

async function sendRead(response: ServerResponse, read: () => Promise<object>): Promise<void> {
  try {
    sendJson(response, HTTP_OK, await read());
  } catch {
    sendJson(response, OPERATIONS_STATUS.unavailable, { error: 'Redis cannot be read.' });
  }
}

async function sendLivePage(response: ServerResponse, path: string | undefined): Promise<void> {
  try {
    const page = await findLivePage(path);
    if (page) sendPage(response, page);
    else sendJson(response, OPERATIONS_STATUS.notFound, { error: 'There is no such path.' });
  } catch (error) {
    // Files that are being replaced must not end the process.
    const reason = (error as Error).message;
    sendJson(response, OPERATIONS_STATUS.fault, { error: `The files of the page cannot be read: ${reason}` });
  }
}

function sendPage(response: ServerResponse, { contentType, headers, body }: Page): void {
  response.writeHead(HTTP_OK, { 'content-type': contentType, 'cache-control': 'no-store', ...headers });
  response.end(body);
}
