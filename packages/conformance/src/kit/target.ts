import { randomUUID } from 'node:crypto';
import { type ClientRequest, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { signatureHeader } from '@loyalty/contract/signature';
import { type Endpoint, type Exchange, parseJson } from './exchange.ts';
import type { KitOptions } from './options.ts';
import { Pace } from './pace.ts';

export const BASKET_PATH = '/v1/pos/basket';
export const SALE_PATH = '/v1/pos/sale';

/** How a request differs from a right one. A header of null is left out, a list is sent as several lines. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method?: string;
  /** Unix seconds to sign with, instead of now. */
  readonly signedAtSeconds?: number;
  readonly secret?: Uint8Array;
  /** Sends at once, whatever the kit's own pace is. */
  readonly isUnpaced?: boolean;
  /** The server may hang up before it has read everything, as it does on a body that is too large. */
  readonly mayBreak?: boolean;
  /** Is sent even when the run was told to end. */
  readonly isLast?: boolean;
  /** How each header name is written; by default as the interface writes it. */
  readonly spellName?: (name: string) => string;
  /** Sends the body in chunks of this many bytes, without a Content-Length. */
  readonly chunkBytes?: number;
}

/** The events that the target reports while the kit runs. */
export interface Listener {
  readonly onExchange: (exchange: Exchange) => void;
  /** A connection ended where an answer was due. */
  readonly onBroken: (path: string, reason: string) => void;
}

/** An answer counts as missing after this time: the caller's hard cap (interface, section 8) and some more. */
const ANSWER_PATIENCE_MS = 4000;

/** After a broken connection, which is a finding, the request is sent again: by contract that is harmless. */
const CONNECTION_TRIES = 3;

/** As much of the kit's options as it takes to reach a deployment. */
export type TargetOptions = Pick<KitOptions, 'baseUrl' | 'secret' | 'requestsPerSecond' | 'ca' | 'headers'>;

/** The deployment under test: signs, sends, and tells its listener of everything that came back. */
export class Target {
  readonly #options: TargetOptions;
  #agent: PlainAgent;
  readonly #listener: Listener;
  readonly #pace: Pace;
  #isStopped = false;

  constructor(options: TargetOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#pace = new Pace(options.requestsPerSecond);
    this.#agent = newAgent(options);
  }

  /** Drops all connections. */
  reconnect(): void {
    this.#agent.destroy();
    this.#agent = newAgent(this.#options);
  }

  /** The status of a basket call of which the listener is told nothing. */
  async probe(body: unknown): Promise<number> {
    return (await this.#attempt(BASKET_PATH, body, toBytes(body), {})).status;
  }

  /**
   * Sends a body: bytes and text as they are, anything else as JSON, signed over exactly what goes out. Rejects when the
   * connection fails or no answer comes in time.
   */
  async send(path: string, body: unknown, sending: Sending = {}): Promise<Exchange> {
    const bytes = toBytes(body);
    if (!sending.isUnpaced) await this.#pace.next();
    if (this.#isStopped && !sending.isLast) throw new Error('the run was told to end');
    for (let attempt = 1; ; attempt += 1) {
      try {
        const exchange = await this.#attempt(path, body, bytes, sending);
        this.#listener.onExchange(exchange);
        return exchange;
      } catch (error) {
        if (!isConnectionFault(error)) throw error;
        if (!sending.mayBreak) this.#listener.onBroken(path, (error as Error).message);
        if (attempt === CONNECTION_TRIES) throw error;
      }
    }
  }

  /** The body of a path outside the interface, of which the listener is told nothing; undefined where it is no JSON. */
  async look(path: string): Promise<unknown> {
    return (await this.#attempt(path, undefined, Buffer.alloc(0), { method: 'GET' })).body;
  }

  /** From now on nothing is sent but what ends the run. */
  stop(): void {
    this.#isStopped = true;
  }

  close(): void {
    this.#agent.destroy();
  }

  #attempt(path: string, body: unknown, bytes: Buffer, sending: Sending): Promise<Exchange> {
    const method = sending.method ?? 'POST';
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const headers = this.#headers(body, bytes, hasBody, sending);
    const startedMs = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(path, method, headers);
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks);
          resolve({
            endpoint: endpointOf(path),
            method,
            path,
            request: typeof body === 'string' || body instanceof Uint8Array ? parseJson(bytes) : body,
            requestId: requestIdOf(headers),
            status: incoming.statusCode ?? 0,
            headers: pairs(incoming.rawHeaders),
            bytes: answer,
            body: parseJson(answer),
            roundTripMs: performance.now() - startedMs,
            isReused: outgoing.reusedSocket,
            isTls: this.#options.baseUrl.protocol === 'https:',
          });
        });
      });
      const { chunkBytes = bytes.length } = sending;
      for (let at = 0; hasBody && at < bytes.length; at += chunkBytes)
        outgoing.write(bytes.subarray(at, at + chunkBytes));
      outgoing.end();
    });
  }

  #open(path: string, method: string, headers: Record<string, string | string[]>): ClientRequest {
    const { baseUrl } = this.#options;
    const open = baseUrl.protocol === 'https:' ? tlsRequest : plainRequest;
    return open({
      host: baseUrl.hostname.replace(/^\[|\]$/g, ''),
      port: baseUrl.port,
      path: `${baseUrl.pathname.replace(/\/$/, '')}${path}`,
      agent: this.#agent,
      method,
      headers,
      signal: AbortSignal.timeout(ANSWER_PATIENCE_MS),
    });
  }

  #headers(body: unknown, bytes: Buffer, hasBody: boolean, sending: Sending): Record<string, string | string[]> {
    const nowSeconds = sending.signedAtSeconds ?? Math.floor(Date.now() / 1000);
    const all = {
      'Content-Type': 'application/json; charset=utf-8',
      ...(hasBody && lengthHeader(bytes, sending)),
      'POS-Signature': signatureHeader(sending.secret ?? this.#options.secret, nowSeconds, bytes),
      'Idempotency-Key': keyOf(body, bytes),
      'X-Request-Id': randomUUID(),
      ...this.#options.headers,
      ...sending.headers,
    };
    const { spellName = (name: string) => name } = sending;
    const kept = Object.entries(all).filter(([, value]) => value !== null);
    const spelled = kept.map(([name, value]) => [spellName(name), value]);
    return Object.fromEntries(spelled) as Record<string, string | string[]>;
  }
}

function lengthHeader(bytes: Buffer, { chunkBytes }: Sending): Record<string, string> {
  return chunkBytes === undefined ? { 'Content-Length': String(bytes.length) } : { 'Transfer-Encoding': 'chunked' };
}

function requestIdOf(headers: Readonly<Record<string, string | string[]>>): string | undefined {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  return typeof found === 'string' ? found : undefined;
}

function newAgent({ baseUrl, ca }: TargetOptions): PlainAgent {
  const settings = { keepAlive: true, maxSockets: 64 };
  if (baseUrl.protocol !== 'https:') return new PlainAgent(settings);
  return new TlsAgent({ ...settings, ...(ca !== undefined && { ca }) });
}

function toBytes(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The body's own `calculationId`, as the interface asks; any key where a body has none. */
function keyOf(body: unknown, bytes: Buffer): string {
  const value = typeof body === 'string' || body instanceof Uint8Array ? parseJson(bytes) : body;
  const id = (value as { calculationId?: unknown } | null | undefined)?.calculationId;
  return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) ? id : randomUUID();
}

function endpointOf(path: string): Endpoint {
  if (path === BASKET_PATH) return 'basket';
  return path === SALE_PATH ? 'sale' : 'other';
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

function isConnectionFault(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');
}
