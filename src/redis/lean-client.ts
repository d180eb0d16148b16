import { isIP } from 'node:net';
import { Cluster, type Redis } from 'ioredis';
import type { RedisAddress } from './address.ts';
import type { RedisClient } from './client.ts';
import type { Word } from './command-bytes.ts';
import { slotOf } from './key-slot.ts';
import { LeanLink, type LinkPlace } from './lean-link.ts';
import { placeOfServer } from './masters.ts';
import type { Reply } from './reply-reader.ts';

/** A server that refused a link is asked for another one after this many beats (5 s); until then ioredis serves. */
const REFUSED_BEATS = 50;

/**
 * The hot path's client, which knows the happy way alone: beside each connection of ioredis to a master it has a raw
 * one, and it gives a command to that of its key's slot. ioredis stays the authority on which servers there are, where
 * the slots lie and whether Redis can be used: a link ends with ioredis' own connection, and a command that finds no
 * link goes through ioredis. The commands of a call cost 44 to 64 µs of CPU over links and 68 to 115 µs over ioredis
 * (docs/measurements/service.md).
 */
export class LeanClient {
  readonly #client: RedisClient;
  readonly #address: RedisAddress;
  readonly #name: string;
  /** By `host:port`, as the slots of a cluster name their masters; a single server's key is empty. */
  readonly #links = new Map<string, LeanLink>();
  readonly #pauses = new Map<string, number>();

  constructor(client: RedisClient, address: RedisAddress, name: string) {
    [this.#client, this.#address, this.#name] = [client, address, name];
  }

  /** Runs a command whose first key is `key`: over a link, or through ioredis by `otherwise`. */
  ask(key: string, words: readonly Word[], otherwise: () => Promise<Reply>): Promise<Reply> {
    const { slots } = this.#client as Partial<Cluster>;
    const link = this.#links.get(slots ? (slots[slotOf(key)]?.[0] ?? '') : '');
    return link?.isUsable ? link.ask(words, otherwise) : otherwise();
  }

  /** Sends the commands of a turn. */
  flush(): void {
    for (const link of this.#links.values()) link.flush();
  }

  /** Opens the missing links to the servers that ioredis is connected to, and ends those to others. */
  beat(servers: readonly Redis[]): void {
    const ready = new Map(
      servers.filter(({ status }) => status === 'ready').map((server) => [this.#keyOf(server), server]),
    );
    for (const [key, link] of this.#links) {
      if (ready.has(key) && (link.state === 'opening' || link.state === 'ready')) link.beat();
      else this.#drop(key, link);
    }
    for (const [key, server] of ready) {
      if (this.#links.has(key)) continue;
      const pause = this.#pauses.get(key) ?? 0;
      const place = this.#placeOf(server);
      const access = 'access' in this.#address ? this.#address.access : undefined;
      if (pause > 0) this.#pauses.set(key, pause - 1);
      else if (place) this.#links.set(key, new LeanLink(place, access, this.#name));
    }
  }

  /** Ends all links. Commands without a reply fail. */
  close(): void {
    for (const [key, link] of this.#links) this.#drop(key, link);
  }

  #drop(key: string, link: LeanLink): void {
    this.#pauses.set(key, link.state === 'refused' ? REFUSED_BEATS : 0);
    this.#links.delete(key);
    link.close();
  }

  #keyOf(server: Redis): string {
    return this.#client instanceof Cluster ? placeOfServer(server) : '';
  }

  /**
   * The place that ioredis itself is connected to, because a name may by now stand for another server. The name is kept
   * for the certificate; a Sentinel that names hosts instead of addresses leaves us without one, and ioredis serves.
   */
  #placeOf(server: Redis): LinkPlace | undefined {
    if (this.#address.kind === 'socket') return { path: this.#address.path };
    const { remoteAddress, remotePort } = server.stream;
    if (remoteAddress === undefined || remotePort === undefined) return undefined;
    const name = this.#address.kind === 'sentinel' ? undefined : server.options.host;
    const verified = name === undefined || isIP(name) !== 0 ? {} : { servername: name };
    return { host: remoteAddress, port: remotePort, ...verified };
  }
}
