import { EventEmitter } from 'node:events';
import { Cluster, type Redis } from 'ioredis';
import { openClient, type RedisClient } from './client.ts';
import { StoreUnavailable, toStoreError } from './failure.ts';
import type { RedisAddress } from './redis-address.ts';

/** How often a server is asked for a sign of life; a worker and a front end each ask for themselves. */
const HEARTBEAT_MS = 100;
/** A server that leaves a heartbeat unanswered for this long is taken for hung. */
const BREAKER_MS = 300;
/** A connection silent for this long is given up and made anew: its peer may be gone without a word. */
const SILENCE_MS = 2000;

/**
 * The connection of one thread to Redis, with a breaker: while no server answers, commands are refused at once instead
 * of at their call's deadline. Emits `ready` whenever Redis is usable again, `down` with the reason when it is not.
 */
export class Connection extends EventEmitter<{ ready: []; down: [reason: string] }> {
  readonly client: RedisClient;
  readonly #heartbeat: NodeJS.Timeout;
  /** When a server was asked for the sign of life that it still owes. */
  readonly #askedAtMs = new WeakMap<Redis, number>();
  #unreadySinceMs: number | undefined;
  #reason: string | undefined = 'not connected yet';

  constructor(address: RedisAddress, name: string) {
    super();
    this.client = openClient(address, name);
    this.client.on('error', () => {
      // Said by `close` and by every command that fails; without a listener the process would end.
    });
    this.client.on('ready', () => this.#up());
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

  /** Every server that takes writes, for questions about the servers themselves. */
  get servers(): Redis[] {
    return this.client instanceof Cluster ? this.client.nodes('master') : [this.client];
  }

  /** Runs a command, refused at once while the breaker is open. Throws `StoreUnavailable`, or an error reply that is a bug. */
  async run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    if (this.#reason !== undefined) throw new StoreUnavailable(`Redis: ${this.#reason}`);
    try {
      return await command(this.client);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.removeAllListeners();
    this.client.disconnect();
  }

  /** One server of a cluster that hangs costs its own slots their calls' deadlines; the breaker opens when all of them do. */
  #beat(): void {
    const nowMs = performance.now();
    if (this.client.status !== 'ready') {
      this.#down('connection closed');
      return this.#endHalfOpen(nowMs);
    }
    this.#unreadySinceMs = undefined;
    const { servers } = this;
    for (const server of servers) this.#ask(server, nowMs);
    const isSilent = (server: Redis) => nowMs - (this.#askedAtMs.get(server) ?? nowMs) >= BREAKER_MS;
    if (servers.length > 0 && servers.every(isSilent)) this.#down('no answer');
  }

  /** A server that takes the connection and then says nothing would be waited for as long as TCP likes. */
  #endHalfOpen(nowMs: number): void {
    this.#unreadySinceMs ??= nowMs;
    if (this.client.status !== 'connect' || nowMs - this.#unreadySinceMs < SILENCE_MS) return;
    this.#unreadySinceMs = undefined;
    if (!(this.client instanceof Cluster)) this.client.disconnect(true);
  }

  #ask(server: Redis, nowMs: number): void {
    const askedAtMs = this.#askedAtMs.get(server);
    if (askedAtMs !== undefined) {
      if (nowMs - askedAtMs < SILENCE_MS) return;
      this.#askedAtMs.delete(server);
      return server.disconnect(true);
    }
    this.#askedAtMs.set(server, nowMs);
    server.ping().then(
      () => {
        this.#askedAtMs.delete(server);
        if (this.client.status === 'ready') this.#up();
      },
      () => this.#askedAtMs.delete(server),
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
    if (wasUp) this.emit('down', reason);
  }
}
