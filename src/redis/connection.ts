import { EventEmitter } from 'node:events';
import { Cluster, type Redis } from 'ioredis';
import { RedisFigures } from '../telemetry/redis-figures.ts';
import type { RedisAddress } from './address.ts';
import { describeTrouble, type RedisTrouble } from './cause.ts';
import { openClient, type RedisClient } from './client.ts';
import { BreakerOpen, StoreUnavailable, toStoreError } from './failure.ts';
import { BREAKER_BEATS, HEARTBEAT_MS, SILENCE_BEATS } from './heartbeat.ts';
import { Masters } from './masters.ts';
import { ReplyPace } from './reply-pace.ts';
import { ConnectionTrouble } from './trouble.ts';
import { TurnPipeline } from './turn-pipeline.ts';

/** True for a failed SELECT, the client's first command on a connection. */
function isRefusedDatabase(error: unknown): boolean {
  return (error as { readonly command?: { readonly name?: string } }).command?.name === 'select';
}

export interface ConnectionOptions {
  readonly gathersTurns?: boolean;
  readonly inspect?: Inspection;
}

/** Looks at a server's data before any other command; returns the trouble that forbids its use. */
export type Inspection = (client: RedisClient) => Promise<RedisTrouble | undefined>;

/**
 * The connection of one thread to Redis, with a breaker: while every server is silent or the connection is closed,
 * commands are refused at once instead of at their call's deadline. Emits `ready` whenever Redis is usable again, `down` with the reason when it
 * is not, and `failedStep` with an error that no call is told of.
 */
export class Connection extends EventEmitter<{ ready: []; down: [reason: string]; failedStep: [error: Error] }> {
  readonly client: RedisClient;
  readonly figures = new RedisFigures();
  readonly turn: TurnPipeline;
  readonly masters: Masters;
  readonly #pace = new ReplyPace();
  readonly #trouble: ConnectionTrouble;
  readonly #heartbeat: NodeJS.Timeout;
  /** Beats since a server's last unanswered ping. */
  readonly #owedBeats = new WeakMap<Redis, number>();
  #unreadyBeats = 0;
  #readyBeats = 0;
  #reason: string | undefined = 'not connected yet';
  readonly #inspect: Inspection | undefined;
  #isInspecting = false;
  /** Why the inspection forbids the use of Redis. */
  #refusal: RedisTrouble | undefined;

  /**
   * With `gathersTurns: false` every command is a system call of its own, as ioredis sends it by default. `inspect` is asked
   * whenever Redis becomes usable; while it finds trouble, commands are refused.
   */
  constructor(address: RedisAddress, name: string, { gathersTurns = true, inspect }: ConnectionOptions = {}) {
    super();
    this.#inspect = inspect;
    this.client = openClient(address, name);
    this.masters = new Masters(this.client);
    this.#trouble = new ConnectionTrouble(this.client, address);
    this.turn = new TurnPipeline(() => (gathersTurns ? this.servers.map(({ stream }) => stream) : []));
    this.client.on('error', (error) => {
      // `close` and every failed command report the error; without a listener the process would end. After a refused
      // SELECT the client would use database 0 and its foreign data.
      if (isRefusedDatabase(error)) this.#reconnect();
    });
    this.client.on('ready', () => {
      this.figures.connects += 1;
      this.#readyBeats = 0;
      // A cluster's client connects to a master with its first command, and refuses those behind it until then.
      for (const server of this.servers) this.#ask(server);
      this.#up();
    });
    this.client.on('close', () => this.#down('connection closed'));
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Hands on fewer replies in a turn of the event loop while calls are shed. */
  paceReplies(isShedding: boolean): void {
    this.#pace.isShedding = isShedding;
  }

  /** True while commands may be sent. */
  get isAvailable(): boolean {
    return this.#reason === undefined;
  }

  /** The reason why commands are refused, for logs and readiness; undefined while they are accepted. */
  get unavailableReason(): string | undefined {
    return this.#reason;
  }

  /** Why commands are refused, as far as it is known: what the inspection found, or what ioredis' attempts end with. */
  get trouble(): RedisTrouble | undefined {
    if (this.isAvailable) return undefined;
    return this.#refusal ?? this.#trouble.found;
  }

  /** True for a cluster: keys lie on several servers, each with a clock of its own. */
  get isCluster(): boolean {
    return this.client instanceof Cluster;
  }

  /** Every server that takes writes, for commands about the servers themselves. */
  get servers(): Redis[] {
    return this.client instanceof Cluster ? this.client.nodes('master') : [this.client];
  }

  /** Those of the servers that answer, so that asking them waits for none that is away. */
  get answering(): Redis[] {
    return this.servers.filter((server) => server.status === 'ready' && !this.#isSilent(server));
  }

  /**
   * Runs commands on a key, and on others of its slot. While the breaker is open they are refused at once, and so they are while the
   * master of a cluster that has the key is away. Rejects with `StoreUnavailable`, or with an error reply that only a bug explains.
   */
  run<T>(key: string, command: (client: RedisClient, key: string) => Promise<T>): Promise<T> {
    return this.#send(key, command, this.masters.awayFor(key));
  }

  /** Runs commands about the servers themselves, such as TIME and INFO; otherwise as `run`. */
  runWithoutKey<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    return this.#send(undefined, command, undefined);
  }

  #send<T, Key extends string | undefined>(
    key: Key,
    command: (client: RedisClient, key: Key) => Promise<T>,
    away: string | undefined,
  ): Promise<T> {
    if (this.#reason !== undefined || away !== undefined) {
      this.figures.refused += 1;
      if (away === undefined) return Promise.reject(new BreakerOpen(`Redis: ${this.#reason}`));
      const facts = { redisCause: 'master_away', server: away } as const;
      return Promise.reject(new BreakerOpen(`Redis: the master ${away} is away`, facts));
    }
    this.turn.hold();
    const startMs = performance.now();
    // Every command of a call comes here, so each creates one promise and no async function wraps it.
    return command(this.client, key).then(
      (reply) => {
        this.figures.roundTrips.record(performance.now() - startMs);
        return this.#pace.pass(reply);
      },
      (error: unknown) => {
        this.figures.roundTrips.record(performance.now() - startMs);
        const failure = toStoreError(error, key === undefined ? undefined : this.masters.placeOf(key));
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

  /**
   * Pings every server. The breaker opens when the connection is closed or all servers are silent: when one server of a
   * cluster hangs, only calls on its slots fail, at their deadlines.
   */
  #beat(): void {
    if (this.client.status !== 'ready') {
      this.#down('connection closed');
      this.#trouble.askForLoading();
      return this.#endHalfOpen();
    }
    this.#unreadyBeats = 0;
    this.#readyBeats += 1;
    const { servers } = this;
    for (const server of servers) this.#ask(server);
    this.masters.beat(this.answering);
    if (servers.length === 0 || !servers.every((server) => this.#isSilent(server))) return;
    this.#trouble.noteSilence();
    this.#down('no answer');
  }

  #isSilent(server: Redis): boolean {
    return (this.#owedBeats.get(server) ?? 0) >= BREAKER_BEATS;
  }

  /** Replaces a connection on which the server is silent from the start; TCP alone would wait for minutes. */
  #endHalfOpen(): void {
    this.#unreadyBeats = this.client.status === 'connect' ? this.#unreadyBeats + 1 : 0;
    if (this.#unreadyBeats < SILENCE_BEATS) return;
    this.#unreadyBeats = 0;
    this.#trouble.noteSilence();
    this.#reconnect();
  }

  #reconnect(): void {
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

  /** A cluster is usable when each master is connected, or those that are not have had their time. */
  #up(): void {
    if (this.#reason === undefined || this.#isInspecting) return;
    const isComplete = this.servers.every(({ status }) => status === 'ready');
    if (!isComplete && this.#readyBeats < BREAKER_BEATS) return;
    if (!this.#inspect) return this.#open();
    this.#isInspecting = true;
    void this.#inspect(this.client)
      // A server that refuses the inspection refuses calls as well, and is diagnosed by their replies.
      .catch(() => undefined)
      .then((trouble) => {
        this.#isInspecting = false;
        if (this.client.status !== 'ready') return;
        this.#refusal = trouble;
        if (trouble) this.#reason = describeTrouble(trouble);
        else this.#open();
      });
  }

  #open(): void {
    this.#reason = undefined;
    this.#trouble.clear();
    this.emit('ready');
  }

  #down(reason: string): void {
    this.#refusal = undefined;
    const wasUp = this.#reason === undefined;
    this.#reason = reason;
    if (!wasUp) return;
    this.figures.breakerOpenings += 1;
    this.emit('down', reason);
  }
}
