/**
 * Sales in numbers against the real service while it and its Redis are killed, hung and cut off: every sale completes,
 * every calculation comes to exactly one settled outcome, and the reconciliation with the service's own books is empty.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoyaltyClient } from 'loyalty-basket-client';
import { Books, percentile } from '../../../packages/simulator/src/books.ts';
import { type Finding, reconcile, type ServiceBooks } from '../../../packages/simulator/src/reconcile.ts';
import { Shop } from '../../../packages/simulator/src/shop.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../../../test/support/configuration.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { RedisServer } from '../../../test/support/redis-server.ts';
import { Service } from '../../../test/support/service.ts';
import { newSecret } from '../../../test/support/signer.ts';
import { sleep, until } from '../../../test/support/wait.ts';
import { openServiceBooks } from '../../tools/src/commands/demo-books.ts';
import { timed } from './fixture.ts';

export interface FaultRun {
  readonly sales: number;
  readonly calculations: number;
  readonly faultsPlayed: number;
  readonly seconds: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly results: Readonly<Record<string, number>>;
  /** The longest any till was held, in milliseconds. */
  /** The longest wait of a till as this process saw it pass (`timed`). */
  readonly longestSeenMs: number;
  readonly longestWaitMs: number;
  readonly p99WaitMs: number;
  readonly findings: readonly Finding[];
  /** Units of limited benefits that were consumed past their limit. */
  readonly overRedeemed: number;
  readonly complaints: readonly string[];
}

const KEYS = createKeys('staging');
const TILLS = 24;
const MEMBERS = 400;
const OUTAGE_MS = 700;
const SETTLE_PATIENCE_MS = 90_000;

export interface FaultRunOptions {
  readonly sales: number;
  readonly callsPerSecond: number;
  /** Between two faults there is time to recover in, and to sell. */
  readonly quietMs: number;
  /** Selling goes on until so many faults were played, however slow the machine is. */
  readonly leastFaults: number;
}

/** Plays the sales with faults until the last is made, lets the outbox drain, and reconciles. */
/** The client, with a note of how long each basket was waited for. */
function watched(client: LoyaltyClient, note: (waitedMs: number) => void): LoyaltyClient {
  const calculateBasket: LoyaltyClient['calculateBasket'] = async (basket) => {
    const { result, waitedMs } = await timed(client.calculateBasket(basket));
    note(waitedMs);
    return result;
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === 'calculateBasket') return calculateBasket;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export async function sellUnderFaults(options: FaultRunOptions): Promise<FaultRun> {
  const { sales, callsPerSecond, quietMs, leastFaults } = options;
  const redis = await RedisServer.launch(['--appendfsync', 'always']);
  const world = await World.open(redis);
  const books = new Books();
  const complaints: string[] = [];
  const client = await LoyaltyClient.open({
    baseUrl: world.baseUrl,
    secret: world.secret,
    outbox: join(temporaryDirectory(), 'outbox.log'),
    saleBackoff: { firstDelayMs: 100, longestDelayMs: 1_000 },
    onSaleEnding: (ending) => books.end(ending),
    onFault: (detail) => complaints.push(detail),
  });
  const startMs = performance.now();
  let isSelling = true;
  let longestSeenMs = 0;
  const faults = playFaults(world, quietMs, () => isSelling);
  try {
    await new Shop({
      client: watched(client, (waitedMs) => {
        longestSeenMs = Math.max(longestSeenMs, waitedMs);
      }),
      books,
      tills: TILLS,
      place: { venueId: 'oslo-central', baxId: '500123', currency: 'NOK' },
      loyaltyIds: [
        'member-twenty',
        'member-plain',
        'nobody',
        ...Array.from({ length: MEMBERS }, (_, n) => `guest-${n}`),
      ],
      callsPerSecond: () => callsPerSecond,
      isOpen: () => books.totals.sales < sales || world.faultsPlayed < leastFaults,
      replayAfterMs: 300,
      seed: 20_261_121,
    }).run();
    isSelling = false;
    await faults;
    await until('the outbox to drain', () => client.pendingSales === 0, SETTLE_PATIENCE_MS);
    const { findings, overRedeemed } = await reconcileWith(redis, books);
    return {
      sales: books.totals.sales,
      calculations: books.entries.size,
      faultsPlayed: world.faultsPlayed,
      seconds: (performance.now() - startMs) / 1000,
      outcomes: Object.fromEntries(books.totals.outcomes),
      results: Object.fromEntries(books.totals.results),
      longestSeenMs,
      longestWaitMs: percentile(books.totals.waitsMs, 1),
      p99WaitMs: percentile(books.totals.waitsMs, 0.99),
      findings,
      overRedeemed,
      complaints,
    };
  } finally {
    isSelling = false;
    await faults.catch(() => {});
    await client.close();
    await world.close();
    await redis.stop();
  }
}

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

async function reconcileWith(redis: RedisServer, books: Books): Promise<{ findings: Finding[]; overRedeemed: number }> {
  const findings = await withServiceBooks(redis, (service) => reconcile(books.entries.values(), service));
  const uses = await redis.client.keys(KEYS.use('*' as Parameters<typeof KEYS.use>[0]).replace(/[{}]/g, '?'));
  let overRedeemed = 0;
  for (const key of uses) {
    for (const [field, units] of Object.entries(await redis.client.hgetall(key))) {
      if (field.endsWith('!over')) overRedeemed += Number(units);
    }
  }
  return { findings, overRedeemed };
}
