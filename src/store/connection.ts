import { EventEmitter } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { StoreUnavailable, toStoreError } from './failure.ts';

/** How often the connection is asked for a sign of life; a worker and a front end each ask for themselves. */
const HEARTBEAT_MS = 100;
/** A heartbeat unanswered for this long opens the breaker: calls are refused at once instead of at their deadline. */
const BREAKER_MS = 300;
/** A connection silent for this long is given up and made anew: its peer may be gone without a word. */
const SILENCE_MS = 2000;
const CONNECT_TIMEOUT_MS = 1000;
const MAX_RECONNECT_DELAY_MS = 250;

/** What scripts and plain commands need of a client: commands by name, replies as Buffers. */
export type RedisClient = Redis;

/**
 * One connection to Redis with a breaker. A command is sent at once or not at all: nothing waits in a queue for a
 * reconnect, where it would become a write that lands after its caller was told 503.
 * Emits `ready` whenever the connection is usable again.
 */
export class Connection extends EventEmitter<{ ready: []; down: [reason: string] }> {
  readonly client: RedisClient;
  readonly #heartbeat: NodeJS.Timeout;
  #askedAtMs: number | undefined;
  #reason: string | undefined = 'not connected yet';

  constructor(url: string, name: string) {
    super();
    this.client = openClient(url, name);
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

  #beat(): void {
    if (this.client.status !== 'ready') return this.#down('connection closed');
    const nowMs = performance.now();
    if (this.#askedAtMs !== undefined) return this.#judgeSilence(nowMs - this.#askedAtMs);
    this.#askedAtMs = nowMs;
    this.client.ping().then(
      () => this.#up(),
      (error: Error) => {
        this.#askedAtMs = undefined;
        this.#down(error.message);
      },
    );
  }

  #judgeSilence(silentMs: number): void {
    if (silentMs >= BREAKER_MS) this.#down('no answer');
    if (silentMs < SILENCE_MS) return;
    this.#askedAtMs = undefined;
    this.client.disconnect(true);
  }

  #up(): void {
    this.#askedAtMs = undefined;
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

function openClient(url: string, name: string): RedisClient {
  const options = {
    connectionName: name,
    protocol: 2 as const,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    enableReadyCheck: true,
    maxLoadingRetryTime: MAX_RECONNECT_DELAY_MS,
    keepAlive: 10_000,
    noDelay: true,
    retryStrategy: (attempt: number) => Math.min(MAX_RECONNECT_DELAY_MS, 25 * attempt),
    // A master that became a replica answers READONLY: its successor is found by connecting anew.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
  if (url.startsWith('unix:')) return new Redis({ ...options, path: url.slice('unix:'.length) });
  return new Redis(url, options);
}
