import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Cluster, type Redis } from 'ioredis';
import { RedisFigures } from '../telemetry/redis-figures.ts';
import type { RedisAddress } from './address.ts';
import { openClient, type RedisClient } from './client.ts';
import { StoreUnavailable, toStoreError } from './failure.ts';
import { TurnPipeline } from './turn-pipeline.ts';

/** How often a server is asked for a sign of life; a worker and a front end each ask for themselves. */
const HEARTBEAT_MS = 100;
/**
 * A server that leaves its heartbeat unanswered for this many beats (300 ms) is taken for hung. Beats are counted, not
 * time: while our own thread is busy the answer lies unread, and that is not the server's silence.
 */
const BREAKER_BEATS = 3;
/** After this many (2 s) the connection is given up and made anew: its peer may be gone without a word. */
const SILENCE_BEATS = 20;

/** The client's socket, which its types do not tell. */
function streamOf(server: Redis): Duplex | null | undefined {
  return (server as unknown as { readonly stream?: Duplex | null }).stream;
}

/** True for the error of the SELECT with which the client begins a connection. */
function isRefusedDatabase(error: unknown): boolean {
  return (error as { readonly command?: { readonly name?: string } }).command?.name === 'select';
}

/**
 * The connection of one thread to Redis, with a breaker: while no server answers, commands are refused at once instead
 * of at their call's deadline. Emits `ready` whenever Redis is usable again, `down` with the reason when it is not.
 */
export class Connection extends EventEmitter<{ ready: []; down: [reason: string] }> {
  readonly client: RedisClient;
  readonly figures = new RedisFigures();
  readonly turn: TurnPipeline;
  readonly #heartbeat: NodeJS.Timeout;
  /** Beats since a server was asked for the sign of life that it still owes. */
  readonly #owedBeats = new WeakMap<Redis, number>();
  #unreadyBeats = 0;
  #reason: string | undefined = 'not connected yet';

  /** `gathersTurns: false` writes every command by itself, as the client does. */
  constructor(address: RedisAddress, name: string, { gathersTurns = true } = {}) {
    super();
    this.turn = new TurnPipeline(() => (gathersTurns ? this.servers.map(streamOf) : []));
    this.client = openClient(address, name);
    this.client.on('error', (error) => {
      // Said by `close` and by every command that fails; without a listener the process would end.
      if (isRefusedDatabase(error)) this.#giveUp();
    });
    this.client.on('ready', () => {
      this.figures.connects += 1;
      this.#up();
    });
    this.client.on('close', () => this.#down('connection closed'));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** True while commands may be sent. */
  get isAvailable(): boolean {
    return this.#reason === undefined;
  }

  /** Why no command may be sent, for logs and readiness; undefined while all is well. */
  get unavailableReason(): string | undefined {
    return this.#reason;
  }

  /** True where keys lie on several servers, each with a clock of its own. */
  get isCluster(): boolean {
    return this.client instanceof Cluster;
  }

  /** Every server that takes writes, for questions about the servers themselves. */
  get servers(): Redis[] {
    return this.client instanceof Cluster ? this.client.nodes('master') : [this.client];
  }

  /** Runs a command, refused at once while the breaker is open. Rejects with `StoreUnavailable`, or an error reply that is a bug. */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#reason !== undefined) {
      this.figures.refused += 1;
      return Promise.reject(new StoreUnavailable(`Redis: ${this.#reason}`));
    }
    this.turn.hold();
    const startMs = performance.now();
    // Seven of these make a call: one promise each, and no async function around it.
    return command(this.client).then(
      (reply) => {
        this.figures.roundTrips.record(performance.now() - startMs);
        return reply;
      },
      (error: unknown) => {
        this.figures.roundTrips.record(performance.now() - startMs);
        const failure = toStoreError(error);
        if (failure instanceof StoreUnavailable) this.figures.failed += 1;
        throw failure;
      },
    );
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.removeAllListeners();
    this.client.disconnect();
  }

  /** One server of a cluster that hangs costs its own slots their calls' deadlines; the breaker opens when all of them do. */
  #beat(): void {
    if (this.client.status !== 'ready') {
      this.#down('connection closed');
      return this.#endHalfOpen();
    }
    this.#unreadyBeats = 0;
    const { servers } = this;
    for (const server of servers) this.#ask(server);
    const isSilent = (server: Redis) => (this.#owedBeats.get(server) ?? 0) >= BREAKER_BEATS;
    if (servers.length > 0 && servers.every(isSilent)) this.#down('no answer');
  }

  /** A server that takes the connection and then says nothing would be waited for as long as TCP likes. */
  #endHalfOpen(): void {
    this.#unreadyBeats = this.client.status === 'connect' ? this.#unreadyBeats + 1 : 0;
    if (this.#unreadyBeats < SILENCE_BEATS) return;
    this.#unreadyBeats = 0;
    if (!(this.client instanceof Cluster)) this.client.disconnect(true);
  }

  /** The client would go on in database 0, among whatever is kept there. */
  #giveUp(): void {
    if (!(this.client instanceof Cluster)) this.client.disconnect(true);
  }

  #ask(server: Redis): void {
    const owed = this.#owedBeats.get(server);
    if (owed !== undefined) {
      this.#owedBeats.set(server, owed + 1);
      if (owed + 1 < SILENCE_BEATS) return;
      this.#owedBeats.delete(server);
      return server.disconnect(true);
    }
    this.#owedBeats.set(server, 0);
    server.ping().then(
      () => {
        this.#owedBeats.delete(server);
        if (this.client.status === 'ready') this.#up();
      },
      () => this.#owedBeats.delete(server),
    );
  }

  #up(): void {
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.emit('ready');
  }

  #down(reason: string): void {
    const wasUp = this.#reason === undefined;
    this.#reason = reason;
    if (!wasUp) return;
    this.figures.breakerOpenings += 1;
    this.emit('down', reason);
  }
}
