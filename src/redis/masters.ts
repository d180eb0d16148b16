import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './client.ts';
import { BREAKER_BEATS } from './heartbeat.ts';
import { slotOf } from './key-slot.ts';

/** While a master is away, the cluster is asked every so many beats (500 ms) whether another one has taken its slots. */
const REFRESH_BEATS = 5;

/**
 * The masters of a cluster by `host:port`, and those of them that do not answer. Without a cluster there are none: a single
 * server is up or down with its connection.
 */
export class Masters {
  readonly #cluster: Cluster | undefined;
  /** Beats since each master last could be used, in the order of their slots. */
  #missed = new Map<string, number>();
  #away = new Set<string>();
  #isStale = true;
  #beats = 0;

  constructor(client: RedisClient) {
    this.#cluster = client instanceof Cluster ? client : undefined;
    this.#cluster?.on('refresh', () => {
      this.#isStale = true;
    });
  }

  /** Every master that has slots; empty without a cluster. */
  get places(): readonly string[] {
    return [...this.#missed.keys()];
  }

  /** Masters that could not be used for three beats (300 ms). */
  get away(): ReadonlySet<string> {
    return this.#away;
  }

  /** The master that has the slot of a key; undefined without a cluster. */
  placeOf(key: string): string | undefined {
    return this.#cluster?.slots[slotOf(key)]?.[0];
  }

  /** The master of the key if it is away. A call for it would only wait for its deadline. */
  awayFor(key: string): string | undefined {
    if (this.#away.size === 0) return undefined;
    const place = this.placeOf(key);
    return place !== undefined && this.#away.has(place) ? place : undefined;
  }

  /** Counts the beats of the masters that are not among `usable`. */
  beat(usable: readonly Redis[]): void {
    if (!this.#cluster) return;
    if (this.#isStale) this.#readPlaces(this.#cluster);
    const present = new Set(usable.map(placeOfServer));
    for (const [place, beats] of this.#missed) this.#missed.set(place, present.has(place) ? 0 : beats + 1);
    this.#away = new Set(this.places.filter((place) => (this.#missed.get(place) ?? 0) >= BREAKER_BEATS));
    this.#beats += 1;
    if (this.#away.size > 0 && this.#beats % REFRESH_BEATS === 0) this.#cluster.refreshSlotsCache();
  }

  #readPlaces({ slots }: Cluster): void {
    const places = new Set(slots.flatMap((nodes) => nodes?.[0] ?? []));
    this.#missed = new Map(Array.from(places, (place) => [place, this.#missed.get(place) ?? 0]));
    this.#isStale = false;
  }
}

/** `host:port`, as the slots of a cluster name their masters. */
export function placeOfServer({ options }: Redis): string {
  return `${options.host}:${options.port}`;
}
