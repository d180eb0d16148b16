/**
 * A TCP proxy between the service and Redis whose faults are switched while it runs. Both directions keep their order
 * whatever the fault; what a fault withholds is delivered later, as a network does, unless the fault says otherwise.
 */
import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../packages/simulator/src/random.ts';

/** What happens to the next request that contains a marker. */
export type Ambush =
  /** The connection is reset and Redis never sees the request. */
  | { readonly kind: 'reset before' }
  /** Redis carries the request out, then the connection is reset: the caller cannot know. */
  | { readonly kind: 'reset after' }
  /** Redis carries the request out; this many bytes of its replies are passed on, then the connection is reset. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Redis carries the request out; this is passed on in place of its replies. */
  | { readonly kind: 'garbage'; readonly bytes: Uint8Array }
  /** The request waits before Redis until `release` is called; its connection stays open. */
  | { readonly kind: 'hold' }
  /** Everything hangs from this request on, until `heal`. */
  | { readonly kind: 'hang' };

/** How long Redis must have been quiet before its replies to an ambushed request are taken to be complete. */
const QUIET_MS = 25;

export class RedisProxy {
  /** Added to every delivery towards the service, with up to `jitterMs` more. */
  latencyMs = 0;
  jitterMs = 0;
  /** Deliveries in both directions are cut into packets of so many bytes; 0: not at all. */
  sliceBytes = 0;
  port = 0;
  readonly #redisSocket: string;
  readonly #random: Random;
  readonly #links = new Set<Link>();
  #server: Server | undefined;
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  #ambush: ArmedAmbush | undefined;

  private constructor(redisSocket: string, seed: number) {
    this.#redisSocket = redisSocket;
    this.#random = new Random(seed);
  }

  /** A proxy in front of the Redis that listens on this unix socket. The seed makes the jitter repeatable. */
  static async start(redisSocket: string, seed = 1): Promise<RedisProxy> {
    const proxy = new RedisProxy(redisSocket, seed);
    await proxy.up();
    return proxy;
  }

  /** What REDIS_URL has to be for a service behind this proxy. */
  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Accepts connections again, on the same port. */
  async up(): Promise<void> {
    if (this.#server) return;
    const server = createServer({ noDelay: true }, (client) => this.#accept(client));
    this.#server = server;
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  /** Refuses connections and resets those that are open, as a machine does whose Redis was killed. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    this.reset();
    await closed;
  }

  /** Forwards nothing in either direction; connections stay open and new ones are accepted. */
  hang(): void {
    if (this.#gate) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = { opened: promise, open: resolve };
  }

  /** Ends every lasting fault. What was withheld is delivered now. */
  heal(): void {
    this.latencyMs = 0;
    this.jitterMs = 0;
    this.sliceBytes = 0;
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** Resets every connection at once. */
  reset(): void {
    for (const link of this.#links) link.reset();
  }

  /**
   * Lies in wait for the next request that contains `marker`. Resolves once the ambush was carried out; only one can be
   * laid at a time.
   */
  ambush(marker: string, ambush: Ambush): ArmedAmbush {
    this.#ambush = new ArmedAmbush(marker, ambush);
    return this.#ambush;
  }

  /** Takes up an ambush that nobody fell into. */
  disarm(): void {
    this.#ambush = undefined;
  }

  /** Ends the proxy and all its connections. */
  async close(): Promise<void> {
    this.heal();
    this.#ambush?.release();
    await this.down();
  }

  /** The ambush that this piece of a request falls into; `carried` is the end of what came before it. */
  takeAmbush(carried: string, chunk: Buffer): ArmedAmbush | undefined {
    const found = this.#ambush && (carried + chunk.toString('latin1')).includes(this.#ambush.marker);
    if (!found) return undefined;
    const armed = this.#ambush;
    this.#ambush = undefined;
    return armed;
  }

  delayMs(): number {
    return this.latencyMs + this.jitterMs * (this.jitterMs > 0 ? this.#random.next() : 0);
  }

  /** Resolves when nothing hangs. */
  async untilOpen(): Promise<void> {
    while (this.#gate) await this.#gate.opened;
  }

  #accept(client: Socket): void {
    const link = new Link(this, client, createConnection(this.#redisSocket));
    this.#links.add(link);
    void link.ended.then(() => this.#links.delete(link));
  }
}

/** An ambush that was laid. */
class ArmedAmbush {
  readonly marker: string;
  readonly ambush: Ambush;
  readonly #sprung = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();

  constructor(marker: string, ambush: Ambush) {
    this.marker = marker;
    this.ambush = ambush;
  }

  /** Resolves when the request had come and the fault was done; for `hold`, when the request is being held. */
  get sprung(): Promise<void> {
    return this.#sprung.promise;
  }

  get released(): Promise<void> {
    return this.#released.promise;
  }

  spring(): void {
    this.#sprung.resolve();
  }

  /** Lets a held request go on to Redis. */
  release(): void {
    this.#released.resolve();
  }
}

/** One connection of the service with its own connection to Redis. */
class Link {
  readonly ended: Promise<void>;
  readonly #proxy: RedisProxy;
  readonly #client: Socket;
  readonly #redis: Socket;
  /** The end of the last request piece, so that a marker is found across two of them. */
  #carried = '';
  #toRedis: Promise<void> = Promise.resolve();
  #toClient: Promise<void> = Promise.resolve();
  /** Replies go here instead of to the service while an ambush waits for them. */
  #caught: Buffer[] | undefined;

  constructor(proxy: RedisProxy, client: Socket, redis: Socket) {
    [this.#proxy, this.#client, this.#redis] = [proxy, client, redis];
    client.on('data', (chunk) => this.#onRequest(chunk));
    redis.on('data', (chunk) => this.#onReply(chunk));
    for (const socket of [client, redis]) socket.on('error', () => {});
    // What the service wrote before it hung up still reaches Redis, as it would through a network.
    client.on('close', () => this.#send('redis', async () => void redis.end()));
    redis.on('close', () => this.#send('client', async () => void client.destroy()));
    this.ended = Promise.all([closed(client), closed(redis)]).then(() => {});
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#redis.destroy();
  }

  #onRequest(chunk: Buffer): void {
    const armed = this.#proxy.takeAmbush(this.#carried, chunk);
    this.#carried = (this.#carried + chunk.toString('latin1')).slice(-200);
    this.#send('redis', () => (armed ? this.#carryOut(armed, chunk) : this.#deliver(this.#redis, chunk)));
  }

  #onReply(chunk: Buffer): void {
    if (this.#caught) return void this.#caught.push(chunk);
    const dueMs = performance.now() + this.#proxy.delayMs();
    this.#send('client', async () => {
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      await this.#deliver(this.#client, chunk);
    });
  }

  /** Adds a step to one direction, which keeps its order. */
  #send(direction: 'redis' | 'client', step: () => Promise<void>): void {
    const run = async () => {
      await this.#proxy.untilOpen();
      await step();
    };
    if (direction === 'redis') this.#toRedis = this.#toRedis.then(run);
    else this.#toClient = this.#toClient.then(run);
  }

  async #deliver(socket: Socket, chunk: Buffer): Promise<void> {
    const size = this.#proxy.sliceBytes || chunk.length;
    for (let at = 0; at < chunk.length && !socket.destroyed; at += size) {
      socket.write(chunk.subarray(at, at + size));
      if (size < chunk.length) await new Promise(setImmediate);
    }
  }

  async #carryOut(armed: ArmedAmbush, chunk: Buffer): Promise<void> {
    const { ambush } = armed;
    if (ambush.kind === 'hold') {
      armed.spring();
      await armed.released;
      return this.#deliver(this.#redis, chunk);
    }
    if (ambush.kind === 'hang') {
      this.#proxy.hang();
      armed.spring();
      await this.#proxy.untilOpen();
      return this.#deliver(this.#redis, chunk);
    }
    if (ambush.kind !== 'reset before') {
      const replies = await this.#catchReplies(chunk);
      if (ambush.kind === 'garbage') {
        // The connection stays open: it is the service that has to give it up.
        this.#client.write(ambush.bytes);
        return armed.spring();
      }
      if (ambush.kind === 'truncate') {
        this.#client.write(replies.subarray(0, ambush.bytes));
        // The bytes must leave before the reset does, which would overtake them.
        await sleep(QUIET_MS);
      }
    }
    this.reset();
    armed.spring();
  }

  /** Hands a request over and collects all that Redis answers until it has been quiet for a while. */
  async #catchReplies(request: Buffer): Promise<Buffer> {
    const caught: Buffer[] = [];
    this.#caught = caught;
    this.#redis.write(request);
    for (let seen = -1; !this.#redis.destroyed && (caught.length === 0 || seen < caught.length); ) {
      seen = caught.length;
      await sleep(QUIET_MS);
    }
    return Buffer.concat(caught);
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}
