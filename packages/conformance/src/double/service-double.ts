import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { BasketRequest } from '../../../../src/contract/basket-request.ts';
import { type ErrorCode, HTTP_OK, refuse } from '../../../../src/contract/errors.ts';
import {
  INTERFACE_VERSION,
  isUuidInAnyCase,
  JSON_CONTENT_TYPE,
  RESPONSE_HEADERS,
} from '../../../../src/contract/headers.ts';
import type { SaleEvent } from '../../../../src/contract/sale.ts';
import { ContractSide, type Place, type Received, renderRefusal } from './contract-side.ts';
import { type Parcel, send } from './delivery.ts';
import type { Act, Misbehaviour, SaleMisbehaviour } from './misbehaviour.ts';
import { play } from './play.ts';
import { CONTROL, provocationOf } from './provocation.ts';
import { codeOfLoyaltyId, MISBEHAVE_HEADER, MISBEHAVIOURS, misbehaviourOf } from './table.ts';

export interface DoubleOptions {
  readonly secret: Uint8Array;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** The misbehaviour of every request that selects none by itself. */
  readonly misbehave?: string;
  readonly place?: Place;
  /** Called with every request, what became of it, and its body. */
  readonly onRequest?: (request: SeenRequest, body: Buffer) => void;
}

export interface SeenRequest {
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string | undefined;
  readonly signature: string | undefined;
  /** The misbehaviour that was played; undefined for an honest answer. */
  readonly code: string | undefined;
  /** Why the request itself was refused; undefined for one that keeps the contract. */
  readonly refused: ErrorCode | undefined;
  /** Connections are numbered as they come. */
  readonly connection: number;
  readonly atMs: number;
}

/** A request is read whole before it is judged, up to this size. */
const MAX_READ_BYTES = 1024 * 1024;

/** A service double: keeps the contract, except for the misbehaviour that it is told to play. */
export class ServiceDouble {
  readonly seen: SeenRequest[] = [];
  readonly #options: DoubleOptions;
  readonly #server: Server;
  readonly #contract: ContractSide;
  /** How often each calculation's event has met its misbehaviour. */
  readonly #played = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, number>();
  #lastConnection = 0;
  #port = 0;
  #armed: string | undefined;
  #resetUntilMs = 0;
  #isClosed = false;

  private constructor(options: DoubleOptions) {
    this.#options = options;
    this.#contract = new ContractSide(options.secret, options.place ?? {});
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => response.destroy(error));
    });
    this.#server.on('connection', (socket) => {
      this.#connections.set(socket, ++this.#lastConnection);
      if (Date.now() >= this.#resetUntilMs) return;
      this.#resetUntilMs = 0;
      socket.resetAndDestroy();
    });
  }

  /** Starts to listen. Throws when the port is taken or the table lacks the code. */
  static async start(options: DoubleOptions): Promise<ServiceDouble> {
    if (options.misbehave !== undefined && !misbehaviourOf(options.misbehave)) {
      throw new Error(`there is no misbehaviour ${options.misbehave}`);
    }
    const double = new ServiceDouble(options);
    await double.#listen(options.port ?? 0);
    return double;
  }

  get baseUrl(): string {
    return `http://${this.#host}:${this.#port}`;
  }

  get #host(): string {
    return this.#options.host ?? '127.0.0.1';
  }

  /** The next request meets this misbehaviour; one of the connection begins at once. */
  async arm(code: string): Promise<void> {
    const misbehaviour = misbehaviourOf(code);
    if (!misbehaviour) throw new Error(`there is no misbehaviour ${code}`);
    if (misbehaviour.act.kind === 'connection') await this.#disturb(misbehaviour.act);
    else this.#armed = code;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, this.#host);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #disturb({ how, forMs }: Extract<Act, { kind: 'connection' }>): Promise<void> {
    if (how === 'reset') {
      this.#resetUntilMs = Date.now() + forMs;
      return this.#server.closeAllConnections();
    }
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    setTimeout(() => {
      if (!this.#isClosed) void this.#listen(this.#port);
    }, forMs);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now();
    const received = await read(request);
    if (received.path === CONTROL.table || received.path === CONTROL.next) return this.#control(received, response);
    const sent = received.headers['x-request-id'];
    const requestId = sent !== undefined && isUuidInAnyCase(sent) ? sent : randomUUID();
    const judged = this.#contract.judge(received, Math.floor(Date.now() / 1000));
    const headers = (): Record<string, string> => ({
      [RESPONSE_HEADERS.contentType]: JSON_CONTENT_TYPE,
      [RESPONSE_HEADERS.requestId]: requestId,
      [RESPONSE_HEADERS.interfaceVersion]: INTERFACE_VERSION,
      [RESPONSE_HEADERS.serverTiming]: `app;dur=${(performance.now() - startMs).toFixed(3)}`,
    });
    const code = judged.kind === 'refused' ? undefined : this.#select(received, judged);
    this.#note(received, {
      code,
      refused: judged.kind === 'refused' ? judged.refusal.code : undefined,
      connection: this.#connections.get(request.socket) ?? 0,
    });
    if (judged.kind === 'refused') {
      const rendered = renderRefusal(judged.refusal, requestId);
      return send(response, {
        status: judged.refusal.status,
        headers: { ...headers(), ...rendered.headers },
        body: rendered.body,
      });
    }
    const honest = (): Parcel => {
      const answer =
        judged.kind === 'sale'
          ? this.#settle(judged.event, requestId)
          : this.#contract.answerBasket(judged.basket, received.body);
      const replayed = answer.isReplayed ? { [RESPONSE_HEADERS.replayed]: 'true' } : undefined;
      return { status: answer.status, headers: { ...headers(), ...replayed }, body: answer.body };
    };
    const misbehaviour = code === undefined ? undefined : misbehaviourOf(code);
    if (!misbehaviour || misbehaviour.act.kind === 'connection') return send(response, honest());
    if (judged.kind === 'basket') this.#contract.note(judged.basket);
    const basket = judged.kind === 'basket' ? judged.basket : undefined;
    await play(misbehaviour.act, response, { honest, headers: headers(), requestId, basket });
  }

  /**
   * The misbehaviour of a request: the armed one, else by header, by loyalty ID, or from the command line; each only at
   * its own endpoint.
   */
  #select(received: Received, judged: { kind: 'basket'; basket: BasketRequest } | { kind: 'sale'; event: SaleEvent }) {
    const { kind } = judged;
    const calculationId = kind === 'sale' ? judged.event.calculationId : judged.basket.calculationId;
    const loyaltyId = kind === 'sale' ? this.#contract.loyaltyIdOf(calculationId) : judged.basket.loyaltyId;
    const armed = this.#armed;
    this.#armed = undefined;
    const named = received.headers[MISBEHAVE_HEADER.toLowerCase()] ?? codeOfLoyaltyId(loyaltyId ?? '');
    const code = [armed, named, this.#options.misbehave].find((candidate) => {
      return candidate !== undefined && misbehaviourOf(candidate)?.endpoint === kind;
    });
    if (code === undefined || kind === 'basket') return code;
    const times = this.#played.get(calculationId) ?? 0;
    this.#played.set(calculationId, times + 1);
    return times < (misbehaviourOf(code) as SaleMisbehaviour).times ? code : undefined;
  }

  #settle(event: SaleEvent, requestId: string): { status: number; body: Buffer; isReplayed: boolean } {
    const result = this.#contract.settle(event);
    if (result !== undefined)
      return { status: HTTP_OK, body: Buffer.from(JSON.stringify({ result })), isReplayed: false };
    const refusal = refuse('idempotency_conflict');
    return { status: refusal.status, body: renderRefusal(refusal, requestId).body, isReplayed: false };
  }

  async #control({ path, method, body }: Received, response: ServerResponse): Promise<void> {
    const json = { [RESPONSE_HEADERS.contentType]: JSON_CONTENT_TYPE };
    if (path === CONTROL.table) {
      return send(response, { status: HTTP_OK, headers: json, body: Buffer.from(JSON.stringify(describeTable())) });
    }
    const code = method === 'POST' ? body.toString().trim() : '';
    if (!misbehaviourOf(code)) {
      const rendered = renderRefusal(
        refuse('invalid_request', { message: 'The body is a code of the table.' }),
        randomUUID(),
      );
      return send(response, { status: refuse('invalid_request').status, headers: json, body: rendered.body });
    }
    // The armed misbehaviour may close this very connection, so the answer goes out first.
    response.once('close', () => void this.arm(code));
    send(response, { status: HTTP_OK, headers: { ...json, Connection: 'close' }, body: Buffer.from('{}') });
  }

  #note({ path, headers, body }: Received, facts: Pick<SeenRequest, 'code' | 'refused' | 'connection'>): void {
    const request: SeenRequest = {
      path,
      idempotencyKey: headers['idempotency-key'],
      requestId: headers['x-request-id'],
      signature: headers['pos-signature'],
      ...facts,
      atMs: performance.now(),
    };
    this.seen.push(request);
    this.#options.onRequest?.(request, body);
  }
}

/** The table without its functions. */
export function describeTable() {
  return Object.entries(MISBEHAVIOURS).map(([code, row]: [string, Misbehaviour]) => ({
    code,
    endpoint: row.endpoint,
    what: row.what,
    provoke: provocationOf(code, row),
    callerMust: row.callerMust,
    right: row.right,
  }));
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_READ_BYTES) chunks.push(chunk);
  }
  return {
    method: request.method ?? '',
    path: (request.url ?? '').split('?')[0]!,
    headers: request.headers as Record<string, string | undefined>,
    body: Buffer.concat(chunks),
  };
}
