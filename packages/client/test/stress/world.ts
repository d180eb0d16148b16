/** The real service and its Redis, which are killed, hung and cut off while callers sell. */
import { readFileSync } from 'node:fs';
import type { ServiceBooks } from '../../../../packages/simulator/src/reconcile.ts';
import { loadEnvironment } from '../../../../src/programme/load.ts';
import { Connection } from '../../../../src/redis/connection.ts';
import { createKeys } from '../../../../src/store/keys.ts';
import { configurationOf, singleUseMembers } from '../../../../test/support/configuration.ts';
import { freePorts } from '../../../../test/support/free-ports.ts';
import type { RedisServer } from '../../../../test/support/redis-server.ts';
import { Service } from '../../../../test/support/service.ts';
import { newSecret } from '../../../../test/support/signer.ts';
import { sleep, until } from '../../../../test/support/wait.ts';
import { openServiceBooks } from '../../../tools/src/commands/demo-books.ts';

const KEYS = createKeys('staging');
const MEMBERS = 400;
const OUTAGE_MS = 700;

/** The service and its Redis, with their ways to fail. */
export class World {
  readonly secret: string;
  readonly baseUrl: string;
  readonly #redis: RedisServer;
  readonly #port: number;
  #service: Service | undefined;

  private constructor(redis: RedisServer, port: number) {
    this.#redis = redis;
    this.#port = port;
    this.secret = newSecret();
    this.baseUrl = `http://127.0.0.1:${port}`;
  }

  static async open(redis: RedisServer): Promise<World> {
    const [port] = (await freePorts(1)) as [number];
    const world = new World(redis, port);
    await world.#start();
    return world;
  }

  faultsPlayed = 0;
  /** Each ends with everything back. */
  readonly #faults: readonly (() => Promise<void>)[] = [
    () => this.#restart('SIGKILL'),
    () => this.#hangRedis(),
    () => this.#killRedis(),
    () => this.#restart('SIGTERM'),
    () => this.hangService(() => sleep(OUTAGE_MS)),
  ];

  /** The next fault in turn. */
  async playFault(): Promise<void> {
    await this.#faults[this.faultsPlayed % this.#faults.length]!();
    this.faultsPlayed += 1;
  }

  async close(): Promise<void> {
    await this.#service?.stop();
  }

  async #start(): Promise<void> {
    this.#service = await Service.start({
      configuration: configurationOf({ moreMembers: singleUseMembers('guest', MEMBERS), deadline: 400 }),
      secrets: [this.secret],
      redisUrl: this.#redis.url,
      env: { PORT: String(this.#port) },
      awaitReady: false,
    });
    await this.#service.untilReady();
  }

  async #restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.#service?.kill(signal);
    await this.#service?.exited;
    await sleep(OUTAGE_MS);
    await this.#start();
  }

  /** Stops the service in the middle of whatever it does, for as long as `meanwhile` takes. */
  async hangService(meanwhile: () => Promise<void>): Promise<void> {
    const service = this.#service;
    await service?.kill('SIGSTOP');
    await meanwhile();
    await service?.kill('SIGCONT');
  }

  async #hangRedis(): Promise<void> {
    this.#redis.pause();
    await sleep(OUTAGE_MS);
    this.#redis.resume();
  }

  async #killRedis(): Promise<void> {
    await this.#redis.kill();
    await sleep(OUTAGE_MS);
    await this.#redis.start();
  }
}

/** Plays one fault after another until the selling is over. */
export async function playFaults(world: World, quietMs: number, isSelling: () => boolean): Promise<void> {
  while (isSelling()) {
    await sleep(quietMs);
    if (!isSelling()) break;
    await world.playFault();
  }
}

/** Opens the service's books in its Redis for as long as `read` takes. */
export async function withServiceBooks<T>(redis: RedisServer, read: (service: ServiceBooks) => Promise<T>): Promise<T> {
  const connection = new Connection({ kind: 'socket', path: redis.socket }, 'fault-run');
  await until('a connection', () => connection.isAvailable);
  const text = readFileSync('config/staging.yaml', 'utf8');
  const { calculation } = loadEnvironment(text, 'config/staging.yaml');
  try {
    return await read(await openServiceBooks({ connection, keys: KEYS, periods: calculation }, 0));
  } finally {
    connection.close();
  }
}
