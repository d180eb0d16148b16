import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HTTP_OK, refuse } from '@loyalty/contract/errors';
import { INTERFACE_VERSION, isUuidInAnyCase, JSON_CONTENT_TYPE, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { BoundedMap } from './bounded-map.ts';
import { type Call, readCall, seenRequestOf } from './call.ts';
import type { Judged, Place, Received } from './contract-side.ts';
import { answerControl, isControl } from './control.ts';
import { jsonParcel, type Parcel, refusalParcel, send } from './delivery.ts';
import { isSecure, Listener } from './listener.ts';
import type { SaleMisbehaviour } from './misbehaviour.ts';
import { play } from './play.ts';
import { type Arming, Run, type SeenRequest } from './run.ts';
import { codeOfLoyaltyId, MISBEHAVE_HEADER, misbehaviourOf } from './table.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export { describeTable } from './control.ts';
export type { SeenRequest } from './run.ts';

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

/** Runs that are kept; the one that was used least recently makes room. */
const MAX_RUNS = 1_000;

type Accepted = Exclude<Judged, { kind: 'refused' }>;

/** A service double: keeps the contract, except for the misbehaviour that it is told to play. */
export class ServiceDouble {
  readonly #options: DoubleOptions;
  readonly #listener: Listener;
  /** By name; '' is the run of requests that name none. */
  readonly #runs = new BoundedMap<Run>(MAX_RUNS);
  /** The row that connections with TLS meet. */
  #tls: Arming | undefined;

  private constructor(options: DoubleOptions) {
    this.#options = options;
    const server = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => response.destroy(error));
    });
    this.#listener = new Listener(server, options.host ?? '127.0.0.1', (connection) => this.#meetTls(connection));
  }

  /** Starts to listen. Throws when the port is taken or the table lacks the code. */
  static async start(options: DoubleOptions): Promise<ServiceDouble> {
    if (options.misbehave !== undefined && !misbehaviourOf(options.misbehave)) {
      throw new Error(`there is no misbehaviour ${options.misbehave}`);
    }
    const double = new ServiceDouble(options);
    await double.#listener.listen(options.port ?? 0);
    return double;
  }

  get baseUrl(): string {
    return `http://${this.#options.host ?? '127.0.0.1'}:${this.#listener.port}`;
  }

  /** For the rows of TLS: the same port. */
  get secureBaseUrl(): string {
    return this.baseUrl.replace('http:', 'https:');
  }

  /**
   * The next request of a run meets this misbehaviour. One of the connection begins at once, for everybody but the
   * connection that is spared.
   */
  async arm(code: string, run?: string, spared?: Socket): Promise<void> {
    const misbehaviour = misbehaviourOf(code);
    if (!misbehaviour) throw new Error(`there is no misbehaviour ${code}`);
    const { act } = misbehaviour;
    if (act.kind !== 'connection') {
      this.#runOf(run).armed = code;
      return;
    }
    const arming: Arming = { code, atMs: performance.now(), at: new Date().toISOString(), connections: [] };
    this.#runOf(run).armings.push(arming);
    this.#tls = act.how === 'cut-handshake' || act.how === 'untrusted' ? arming : undefined;
    if (act.how === 'refuse') await this.#listener.refuse(act.forMs, spared);
    else if (act.how === 'reset') this.#listener.resetNext(act.forMs, spared);
  }

  /** Judges what reached the double in a run since it was last told to forget. */
  verdict(run?: string): Verdict {
    return verdictOf(this.#runOf(run));
  }

  /** The requests of all runs, in the order of time. */
  get seen(): readonly SeenRequest[] {
    return [...this.#runs.values()].flatMap(({ seen }) => seen).sort((a, b) => a.atMs - b.atMs);
  }

  /** What reached the double in a run, connections of armed rows included, in the order of time. */
  record(run?: string): object[] {
    const { seen, armings } = this.#runOf(run);
    const connections = armings.flatMap(({ code, connections: met }) =>
      met.map(({ connection, at, atMs }) => ({ run, code, connection, at, atMs, isSecure: true })),
    );
    return [...seen, ...connections].sort((a, b) => a.atMs - b.atMs);
  }

  /** Forgets what was seen of a run, and returns how many requests that were. Calculations stay known. */
  forget(run?: string): number {
    this.#tls = undefined;
    return this.#runOf(run).forget();
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  /** A run that is used is the youngest again. */
  #runOf(name = ''): Run {
    const run = this.#runs.get(name) ?? new Run(this.#options.secret, this.#options.place ?? {});
    this.#runs.delete(name);
    this.#runs.set(name, run);
    return run;
  }

  /** Without an armed row every caller meets a certificate that it must not trust. */
  #meetTls(connection: number): 'cut' | 'handshake' {
    const arming = this.#tls;
    arming?.connections.push({ connection, atMs: performance.now(), at: new Date().toISOString() });
    return arming?.code === 'tls-cut-handshake' ? 'cut' : 'handshake';
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now();
    const call = await readCall(request);
    if (isControl(call.path)) return answerControl(this, call, response);
    const sent = call.headers['x-request-id'];
    const requestId = sent !== undefined && isUuidInAnyCase(sent) ? sent : randomUUID();
    const run = this.#runOf(call.run);
    const judged = run.contract.judge(call, Math.floor(Date.now() / 1000));
    const headers = (): Record<string, string> => ({
      [RESPONSE_HEADERS.contentType]: JSON_CONTENT_TYPE,
      [RESPONSE_HEADERS.requestId]: requestId,
      [RESPONSE_HEADERS.interfaceVersion]: INTERFACE_VERSION,
      [RESPONSE_HEADERS.serverTiming]: `app;dur=${(performance.now() - startMs).toFixed(3)}`,
    });
    const code = judged.kind === 'refused' ? undefined : this.#select(run, call, judged);
    this.#note(run, call, judged, code, request, response);
    if (judged.kind === 'refused') return send(response, refusalParcel(judged.refusal, requestId, headers()));
    if (judged.kind === 'basket' && this.#isPlainCallOfTls(response)) return;
    const honest = (): Parcel => {
      if (judged.kind === 'sale') {
        const result = run.contract.settle(judged.event);
        if (result !== undefined) return jsonParcel({ result }, headers());
        return refusalParcel(refuse('idempotency_conflict'), requestId, headers());
      }
      const { body, isReplayed } = run.contract.answerBasket(judged.basket, call.body);
      const replayed = isReplayed ? { [RESPONSE_HEADERS.replayed]: 'true' } : undefined;
      return { status: HTTP_OK, headers: { ...headers(), ...replayed }, body };
    };
    const misbehaviour = code === undefined ? undefined : misbehaviourOf(code);
    if (!misbehaviour || misbehaviour.act.kind === 'connection') return send(response, honest());
    if (judged.kind === 'basket') run.contract.note(judged.basket);
    const basket = judged.kind === 'basket' ? judged.basket : undefined;
    await play(misbehaviour.act, response, { honest, headers: headers(), requestId, basket });
  }

  /**
   * The misbehaviour of a request: the armed one, else by header, by loyalty ID, or from the command line; each only at
   * its own endpoint.
   */
  #select(run: Run, received: Received, judged: Accepted): string | undefined {
    const { kind } = judged;
    const calculationId = kind === 'sale' ? judged.event.calculationId : judged.basket.calculationId;
    const loyaltyId = kind === 'sale' ? run.contract.loyaltyIdOf(calculationId) : judged.basket.loyaltyId;
    const { armed } = run;
    run.armed = undefined;
    const named = received.headers[MISBEHAVE_HEADER.toLowerCase()] ?? codeOfLoyaltyId(loyaltyId ?? '');
    const code = [armed, named, this.#options.misbehave].find((candidate) => {
      return candidate !== undefined && misbehaviourOf(candidate)?.endpoint === kind;
    });
    if (code === undefined || kind === 'basket') return code;
    return run.countEvent(calculationId) < (misbehaviourOf(code) as SaleMisbehaviour).times ? code : undefined;
  }

  /** A row of TLS shows nothing of a call by plain HTTP; such a call fails too, and the verdict says why it does not count. */
  #isPlainCallOfTls(response: ServerResponse): boolean {
    const arming = this.#tls;
    if (!arming || arming.connections.length > 0) return false;
    arming.isPlain = true;
    this.#tls = undefined;
    response.socket?.destroy();
    return true;
  }

  #note(
    run: Run,
    call: Call,
    judged: Judged,
    code: string | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const where = { connection: this.#listener.numberOf(request), isSecure: isSecure(request) };
    const seen = seenRequestOf(call, judged, { code, ...where });
    response.once('close', () => {
      seen.openMs = performance.now() - seen.atMs;
      if (response.headersSent) seen.status = response.statusCode;
    });
    run.note(seen);
    this.#options.onRequest?.(seen, call.body);
  }
}
