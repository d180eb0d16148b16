/**
 * A proxy in front of the real service that breaks the contract in exactly one way. Violations are planted into real
 * answers, so that everything else about them is right.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ERRORS, type ErrorCode } from '@loyalty/contract/errors';
import type { Answer } from '../../../test/support/answer.ts';
import { HttpClient } from '../../../test/support/http-client.ts';
import { signatureOf } from '../../../test/support/signer.ts';

export type Json = Record<string, unknown>;

/** A request on its way in. A plant may change what is forwarded. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** As they were spelled. */
  readonly headerNames: readonly string[];
  bytes: Buffer;
}

/** An answer on its way out. A plant may change all of it. */
export interface Outgoing {
  status: number;
  headers: [string, string][];
  bytes: Buffer;
}

/** A plant's means beside the request. */
export interface Tools {
  readonly secret: string;
  /** Asks the service behind, as often as a plant needs to. */
  readonly forward: (passing: Passing) => Promise<Outgoing>;
  /** One store per run, for plants that remember. */
  readonly memory: Map<string, Outgoing>;
}

/** Answers in the service's stead; usually by forwarding and changing something. */
export type Plant = (passing: Passing, tools: Tools) => Promise<Outgoing>;

/** Violations by the check that has to find them, each under its name. */
export type Planted = Readonly<Record<string, Readonly<Record<string, Plant>>>>;

export const honest: Plant = (passing, { forward }) => forward(passing);

interface TlsIdentity {
  readonly key: string;
  readonly cert: string;
}

export class PlantingProxy {
  #plant: Plant = honest;
  readonly #server: Server;
  readonly #client: HttpClient;
  readonly #secret: string;
  #memory = new Map<string, Outgoing>();

  readonly #scheme: 'http' | 'https';

  private constructor(serviceUrl: string, secret: string, tls: TlsIdentity | undefined) {
    this.#client = new HttpClient(serviceUrl);
    this.#secret = secret;
    this.#scheme = tls ? 'https' : 'http';
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request).then(
        ({ status, headers, bytes }) => {
          response.sendDate = false;
          response.writeHead(status, headers.flat());
          response.end(bytes);
        },
        () => response.destroy(),
      );
    };
    this.#server = tls ? createTlsServer({ ...tls }, onRequest) : createServer(onRequest);
  }

  /** With `tls` it speaks TLS to the kit; to the service it never does. */
  static async start(serviceUrl: string, secret: string, tls?: TlsIdentity): Promise<PlantingProxy> {
    const proxy = new PlantingProxy(serviceUrl, secret, tls);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get baseUrl(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on the proxy breaks the contract in this way, and has forgotten everything before. */
  set(plant: Plant): void {
    this.#plant = plant;
    this.#memory = new Map();
  }

  async stop(): Promise<void> {
    this.#client.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<Outgoing> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !NOT_FORWARDED.includes(name)),
    ) as Record<string, string>;
    const passing = {
      method: request.method ?? 'POST',
      path: request.url ?? '/',
      headers,
      headerNames: request.rawHeaders.filter((_, at) => at % 2 === 0),
      bytes: Buffer.concat(chunks),
    };
    const forward = async ({ method, path, headers, bytes }: Passing) => {
      const hasBody = method !== 'GET' && method !== 'HEAD';
      return toOutgoing(await this.#client.send({ method, path, headers, ...(hasBody && { body: bytes }) }));
    };
    return this.#plant(passing, { secret: this.#secret, memory: this.#memory, forward });
  }
}

const NOT_FORWARDED = ['host', 'connection', 'content-length', 'transfer-encoding'];
const HOP_BY_HOP = ['connection', 'content-length', 'date', 'transfer-encoding'];

function toOutgoing(answer: Answer): Outgoing {
  const headers = answer.headers.filter(([name]) => !HOP_BY_HOP.includes(name.toLowerCase()));
  return { status: answer.status, headers: headers.map(([name, value]) => [name, value]), bytes: answer.bytes };
}

/** The body of a request or an answer as an object; empty when it is none. */
export function bodyOf({ bytes }: { readonly bytes: Buffer }): Json {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

/** Forwards another body, signed as the caller would have signed it. */
export function withBody(passing: Passing, { secret }: Tools, body: Json | Buffer): Passing {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return { ...passing, bytes, headers: { ...passing.headers, 'pos-signature': signatureOf(secret, bytes) } };
}

/** A plant that changes the JSON of answers with this status, and leaves others alone. */
export function onAnswer(status: number, change: (body: Json) => Json | undefined): Plant {
  return async (passing, { forward }) => {
    const answer = await forward(passing);
    if (answer.status !== status) return answer;
    const changed = change(bodyOf(answer));
    return changed === undefined ? answer : { ...answer, bytes: Buffer.from(JSON.stringify(changed)) };
  };
}

/** A plant that changes answers of status `applied`. */
export function onApplied<Body extends Json = Json>(change: (body: Body) => Json): Plant {
  return onAnswer(200, (body) => (body['status'] === 'applied' ? change(body as Body) : undefined));
}

/** A plant that changes header lines of every answer. */
export function onHeaders(change: (headers: [string, string][], answer: Outgoing) => [string, string][]): Plant {
  return async (passing, { forward }) => {
    const answer = await forward(passing);
    return { ...answer, headers: change(answer.headers, answer) };
  };
}

/** Header lines without this one. */
export function withoutHeader(headers: [string, string][], name: string): [string, string][] {
  return headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
}

/** An answer of the proxy's own, with everything that every answer must have. */
export function ownAnswer(passing: Passing, status: number, body: Json): Outgoing {
  const requestId = passing.headers['x-request-id'] ?? '00000000-0000-4000-8000-000000000001';
  const headers: [string, string][] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Request-Id', requestId],
    ['Server-Timing', 'app;dur=0.1'],
  ];
  return { status, headers, bytes: Buffer.from(JSON.stringify(body)) };
}

/** A refusal of the proxy's own. */
export function ownRefusal(passing: Passing, code: ErrorCode, status: number = ERRORS[code].status): Outgoing {
  const answer = ownAnswer(passing, status, {});
  const requestId = answer.headers[1]?.[1];
  return { ...answer, bytes: Buffer.from(JSON.stringify({ error: { code, message: 'Planted.', requestId } })) };
}

/** Forwards a request as a lenient reader would take it; one that is in order goes on as it came. */
export function lenient(fill: (body: Json, passing: Passing) => Json): Plant {
  return (passing, tools) => {
    const body = bodyOf(passing);
    const filled = fill(structuredClone(body), passing);
    const isSame = JSON.stringify(filled) === JSON.stringify(body);
    return tools.forward(isSame ? passing : withBody(passing, tools, filled));
  };
}

export const linesOf = (body: Json): Json[] => (Array.isArray(body['lines']) ? (body['lines'] as Json[]) : []);

/** Refuses a request that the service would have taken; as an invalid one where nothing else is said. */
export function refusing(
  isRefused: (passing: Passing, body: Json) => boolean,
  code: ErrorCode = 'invalid_request',
  status?: number,
): Plant {
  return async (passing, { forward }) =>
    isRefused(passing, bodyOf(passing)) ? ownRefusal(passing, code, status) : forward(passing);
}
