import { Cluster } from 'ioredis';
import { describeAddress, type RedisAddress } from './address.ts';
import { type RedisTrouble, troubleOfConnecting } from './cause.ts';
import type { RedisClient } from './client.ts';
import { parseInfo } from './server-info.ts';

/** A loading server answers between two parts of its file alone, and a slow disk makes them long. */
const LOADING_SILENCE_MS = 10_000;

/**
 * Why the client has no connection, from ioredis' own errors. An attempt to connect ends with its connection, and what went
 * wrong in it counts until the next attempt has ended: errors come in several, and must not take turns in the log.
 */
export class ConnectionTrouble {
  readonly #client: RedisClient;
  readonly #where: string;
  readonly #isTls: boolean;
  #found: RedisTrouble | undefined;
  /** What went wrong in this attempt. */
  #ofAttempt: RedisTrouble | undefined;
  #isUsable = false;
  /** A node of the cluster has named the slots. */
  #hasSlots = false;
  #isAsking = false;
  #loadingAtMs = Number.NEGATIVE_INFINITY;

  constructor(client: RedisClient, address: RedisAddress) {
    this.#client = client;
    this.#where = describeAddress(address);
    this.#isTls = address.kind !== 'socket' && address.access.isTls;
    client.on('connecting', () => this.#begin());
    client.on('ready', () => this.clear());
    client.on('close', () => this.#settle());
    if (client instanceof Cluster) {
      client.on('node error', (error: Error, place: string) => this.#note(place, error));
      client.on('refresh', () => {
        this.#hasSlots = true;
      });
      return;
    }
    client.on('error', (error: Error) => {
      // The Sentinels are asked again within one attempt.
      if (!error.message.startsWith('All sentinels')) return this.#note(this.#where, error);
      this.#settle();
      this.#begin();
    });
    client.on('sentinelError', ({ message }: Error) => {
      const [, place = this.#where, why = message] = /sentinel (\S+)(?: because)? (.*)$/s.exec(message) ?? [];
      this.#note(place, new Error(why));
    });
  }

  /** Undefined while there is a connection, and until the first attempt has ended. */
  get found(): RedisTrouble | undefined {
    return this.#found;
  }

  /** Notes that the connection can be used. */
  clear(): void {
    this.#isUsable = true;
    this.#found = undefined;
  }

  /** Notes that a connected server does not answer. */
  noteSilence(): void {
    const isLoading = this.#found?.cause === 'loading' && performance.now() - this.#loadingAtMs < LOADING_SILENCE_MS;
    if (!isLoading) this.#found = this.#explain(new Error('timeout'));
    this.#ofAttempt = this.#found;
  }

  /** Asks a server that takes no commands yet how far it has loaded its data; found once it answers. */
  askForLoading(): void {
    if (this.#client instanceof Cluster || this.#client.status !== 'connect' || this.#isAsking) return;
    this.#isAsking = true;
    this.#client
      .info('persistence')
      .then((text) => this.#noteProgress(text))
      // The connection reports its end.
      .catch(() => undefined)
      .finally(() => {
        this.#isAsking = false;
      });
  }

  #noteProgress(text: string): void {
    const info = parseInfo(text);
    if (info.get('loading') !== '1' || this.#isUsable) return;
    const [percent, seconds] = [info.get('loading_loaded_perc'), info.get('loading_eta_seconds')];
    const left = seconds === undefined ? '' : `, about ${seconds} s left`;
    this.#found = { cause: 'loading', detail: `${Math.floor(Number(percent))} %${left}` };
    this.#loadingAtMs = performance.now();
  }

  #begin(): void {
    [this.#ofAttempt, this.#isUsable, this.#hasSlots] = [undefined, false, false];
  }

  #note(where: string, error: Error): void {
    // Of several servers one that answers explains more than one that cannot be reached.
    if (this.#ofAttempt === undefined || this.#ofAttempt.cause === 'unreachable')
      this.#ofAttempt = this.#explain(error, where);
  }

  #explain(error: Error, where = this.#where): RedisTrouble {
    return troubleOfConnecting(where, this.#isTls, error);
  }

  #settle(): void {
    // Why a connection was lost is seen by the attempt that follows.
    if (this.#isUsable) return;
    if (this.#hasSlots) this.#found = { cause: 'cluster_down', detail: `${this.#where} says that it is down` };
    else this.#found = this.#ofAttempt ?? this.#explain(new Error('Connection is closed.'));
  }
}
