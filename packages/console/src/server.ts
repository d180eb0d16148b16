import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_OK, OPERATIONS_STATUS } from '@loyalty/contract/errors';
import { Registry } from 'prom-client';
import type { Build } from '../../../src/telemetry/build.ts';
import type { Administration } from './admin/administration.ts';
import { answerAdmin, isAdminPath } from './admin/router.ts';
import { HOST_REFUSED, isAllowedHost } from './allowed-hosts.ts';
import { readCommonLimits } from './common-limit-states.ts';
import { LineBudget } from './line-budget.ts';
import { readLiveCosts } from './live/costs.ts';
import { LiveFeed, type LiveSources } from './live/feed.ts';
import { freshly } from './live/fresh-reading.ts';
import { isAlone } from './one-at-a-time.ts';
import { findLivePage } from './pages/live.ts';
import { findOpenApiPage } from './pages/openapi.ts';
import type { Page } from './pages/page.ts';
import { findRed, PatientReadiness } from './readiness.ts';

/** An import would read every export of the module, and some of them load a whole client of HTTP. */
const { createServer } = process.getBuiltinModule('node:http');

/** The sources of the listener: those of its own process, or of several together. */
export interface OpsSources extends LiveSources {
  /** The names of the red checks of several processes, which `checks` joins into one. */
  readonly redNames?: () => readonly string[];
  /** The build that answers calls. */
  readonly build: () => Build;
  readonly administration: Administration;
}

/** The operations listener, separate from the public port. */
export class OpsServer {
  readonly #server: Server;
  readonly #live: LiveFeed;
  readonly #strangerLines: LineBudget;

  /** `hostNames` are the accepted host names beside localhost and every IP address. */
  constructor(sources: OpsSources, hostNames: readonly string[]) {
    const { registry, build, administration } = sources;
    this.#live = new LiveFeed(sources);
    const readCosts = freshly(() => {
      const { store, environment } = administration.current();
      return readLiveCosts(store, environment);
    });
    const readLimits = freshly(async () => {
      const { store, environment } = administration.current();
      return { limits: await readCommonLimits(store, environment) };
    });
    const patient = new PatientReadiness();
    const strangerLines = new LineBudget((count) => administration.audit.warn({ count }, 'administration refused'));
    this.#strangerLines = strangerLines;
    this.#server = createServer((request, response) => {
      if (!isAlone(request, response)) return;
      const [path, query] = request.url?.split('?') ?? [];
      const isAdmin = path !== undefined && isAdminPath(path);
      // Nothing else takes a body, and its sender could send it without end.
      if (!isAdmin && hasBody(request)) response.setHeader('Connection', 'close');
      if (!isAllowedHost(request.headers.host, hostNames)) {
        return sendJson(response, OPERATIONS_STATUS.misdirected, { error: HOST_REFUSED });
      }
      // Health shows that this process runs its event loop; readiness shows that it would answer a call.
      if (path === '/healthz') return sendJson(response, HTTP_OK, { status: 'ok', ...build() });
      if (path === '/readyz') {
        return sendReadiness(response, sources, query === 'patient' ? patient : undefined);
      }
      if (path === '/metrics') return void sendMetrics(response, registry());
      if (path === '/live') return void this.#live.serve(request, response);
      if (path === '/live/costs') return void sendRead(response, readCosts);
      if (path === '/live/limits') return void sendRead(response, readLimits);
      if (isAdmin) return void answerAdmin(administration, strangerLines, request, response);
      const page = findOpenApiPage(path, () => administration.current().environment);
      if (page) return sendPage(response, page);
      void sendLivePage(response, path);
    });
    this.#server.headersTimeout = 5000;
    this.#server.requestTimeout = 10_000;
  }

  /** Listens, and resolves with the port in use. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) =>
        reject(new Error(`OPS_HOST, OPS_PORT: cannot listen on ${host}:${port}: ${error.message}`)),
      );
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  close(): Promise<void> {
    this.#live.close();
    this.#strangerLines.close();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

async function sendMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  const text = await registry.metrics();
  response.writeHead(HTTP_OK, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'cache-control': 'no-store' });
  response.end(text);
}

async function sendRead(response: ServerResponse, read: () => Promise<object>): Promise<void> {
  try {
    sendJson(response, HTTP_OK, await read());
  } catch {
    sendJson(response, OPERATIONS_STATUS.unavailable, { error: 'Redis cannot be read.' });
  }
}

function sendReadiness(
  response: ServerResponse,
  { checks, facts, redNames }: OpsSources,
  patient: PatientReadiness | undefined,
): void {
  const red = findRed(checks);
  const names = redNames?.() ?? Object.keys(red);
  const isReady = patient ? patient.judge(names) : names.length === 0;
  const described = Object.fromEntries(Object.keys(checks).map((name) => [name, red[name] ?? 'ok']));
  sendJson(response, isReady ? HTTP_OK : OPERATIONS_STATUS.unavailable, {
    status: isReady ? 'ready' : 'not ready',
    checks: described,
    facts: findRed(facts),
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
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
