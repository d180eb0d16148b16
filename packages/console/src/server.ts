import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTP_OK, OPERATIONS_STATUS } from '@loyalty/contract/errors';
import { Registry } from 'prom-client';
import { type Build, CODE_CHANGED, hasCodeChanged } from '../../../src/telemetry/build.ts';
import { CHECKS, PatientReadiness } from '../../../src/telemetry/readiness.ts';
import type { Administration } from './admin/administration.ts';
import { HOST_REFUSED, isAllowedHost } from './allowed-hosts.ts';
import type { Console } from './console.ts';
import { LiveFeed, type LiveSources } from './live/feed.ts';
import { isAlone } from './one-at-a-time.ts';
import { sendJson } from './send.ts';

/** An import would read every export of the module, and some of them load a whole client of HTTP. */
const { createServer } = process.getBuiltinModule('node:http');

/** The sources of the listener. */
export interface OpsSources extends LiveSources {
  /** The build that answers calls. */
  readonly build: () => Build;
  readonly administration: Administration;
}

/**
 * The operations listener, separate from the public port: health, readiness, metrics and the feed of the live page. The console
 * (administration, pages, interface description) is loaded when it is first asked for.
 */
export class OpsServer {
  readonly #sources: OpsSources;
  readonly #hostNames: readonly string[];
  readonly #server: Server;
  readonly #live: LiveFeed;
  readonly #patient = new PatientReadiness();
  #console: Promise<Console> | undefined;

  /** `hostNames` are the accepted host names beside localhost and every IP address. */
  constructor(sources: OpsSources, hostNames: readonly string[]) {
    this.#sources = sources;
    this.#hostNames = hostNames;
    this.#live = new LiveFeed(sources, (error) => this.#log(error));
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: Error) => this.#fail(response, error));
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

  async close(): Promise<void> {
    this.#live.close();
    (await this.#console?.catch(() => undefined))?.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isAlone(request, response)) return;
    const [path, query] = request.url?.split('?') ?? [];
    // Nothing else takes a body, and its sender could send it without end.
    if (!path?.startsWith('/admin') && hasBody(request)) response.setHeader('Connection', 'close');
    if (!isAllowedHost(request.headers.host, this.#hostNames)) {
      return sendJson(response, OPERATIONS_STATUS.misdirected, { error: HOST_REFUSED });
    }
    // Health shows that the primary runs its event loop; readiness shows that a gateway would answer a call.
    if (path === '/healthz') return sendJson(response, HTTP_OK, { status: 'ok', ...this.#sources.build() });
    if (path === '/readyz') return this.#sendReadiness(response, query === 'patient');
    if (path === '/metrics') return this.#sendMetrics(response);
    if (path === '/live') return this.#live.serve(request, response);
    return this.#askConsole(path, request, response);
  }

  /** An error of the console is the log's and its asker's. The calls, which end with this process, go on. */
  #fail(response: ServerResponse, error: Error): void {
    this.#log(error);
    if (response.headersSent) response.destroy();
    else sendJson(response, OPERATIONS_STATUS.fault, { error: 'An error of the service; its log has more.' });
  }

  #log({ stack }: Error): void {
    this.#sources.administration.log.error({ fault: stack }, 'operations port failed');
  }

  async #sendReadiness(response: ServerResponse, isPatient: boolean): Promise<void> {
    const { refresh, readiness } = this.#sources;
    await refresh();
    const { causes, red, facts } = readiness();
    const isReady = isPatient ? this.#patient.judge(causes) : causes.length === 0;
    const described = Object.fromEntries(CHECKS.map((name) => [name, red[name] ?? 'ok']));
    sendJson(response, isReady ? HTTP_OK : OPERATIONS_STATUS.unavailable, {
      status: isReady ? 'ready' : 'not ready',
      checks: described,
      facts,
    });
  }

  async #sendMetrics(response: ServerResponse): Promise<void> {
    await this.#sources.refresh();
    const text = await this.#sources.registry().metrics();
    response.writeHead(HTTP_OK, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'cache-control': 'no-store' });
    response.end(text);
  }

  async #askConsole(path: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let console: Console;
    try {
      this.#console ??= loadConsole(this.#sources.administration);
      [console] = await Promise.all([this.#console, this.#sources.refresh()]);
    } catch (error) {
      // The next request tries again: the files may be being replaced.
      this.#console = undefined;
      const reason = (error as Error).message;
      return sendJson(response, OPERATIONS_STATUS.unavailable, { error: `The console cannot be loaded: ${reason}` });
    }
    await console.answer(path, request, response);
  }
}

/** What is loaded late must be of the version that runs. */
async function loadConsole(administration: Administration): Promise<Console> {
  if (hasCodeChanged()) throw new Error(CODE_CHANGED);
  const { Console } = await import('./console.ts');
  return new Console(administration);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
