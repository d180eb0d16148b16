import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Connection } from '../../src/redis/connection.ts';
import type { DescribeBasket } from '../../src/store/calculation-events.ts';
import { type Commit, commitCalculation } from '../../src/store/calculations.ts';
import type { CountedSale } from '../../src/store/completion.ts';
import { type IndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import type { Sale } from '../../src/store/sale.ts';
import { settleSale } from '../../src/store/sales.ts';
import type { Store } from '../../src/store/store.ts';
import { cleanUp } from '../support/cleanup.ts';
import { NOTHING_KEPT } from '../support/nothing-kept.ts';
import { describeNothing } from '../support/plain-books.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';

/** A store on a real Redis of its own, and terse ways to use it. */
export interface Fixture {
  readonly redis: RedisServer;
  readonly store: Store;
}

export const ANNA = memberToken('coffee-club', 'anna');
export const BERIT = memberToken('coffee-club', 'berit');

const FAR_AWAY_MS = Date.UTC(2100, 0, 1);
const PATIENCE_MS = 60_000;

/** A store, with or without the server that it is on. */
type AnyFixture = Pick<Fixture, 'store'> & Partial<Fixture>;

/** A fixture for all tests of a file, emptied before each. */
export function useFixture(open: () => Promise<Fixture> = openFixture): Fixture {
  const fixture = {} as { -readonly [Part in keyof Fixture]: Fixture[Part] };
  beforeAll(async () => {
    Object.assign(fixture, await open());
  });
  beforeEach(async () => {
    await fixture.redis.client.flushall();
    // Much that is removed at once may keep Redis silent for so long that the breaker opens.
    await until('the connection to be ready', () => fixture.store.connection.isAvailable);
  });
  afterAll(async () => {
    fixture.store.connection.close();
    await fixture.redis.stop();
    cleanUp();
  });
  return fixture;
}

/** Tests of a store read no file of Redis, and a disk that is slow for a moment would keep it silent. */
const WITHOUT_FILE = ['--appendonly', 'no'];

export async function openFixture(holdMs = 60_000, options: readonly string[] = WITHOUT_FILE): Promise<Fixture> {
  const redis = await RedisServer.launch(options);
  const store = await openStore(redis, holdMs);
  return { redis, store };
}

/** Another store on the same Redis, as another process would have. */
export async function openStore(redis: RedisServer, holdMs = 60_000): Promise<Store> {
  const connection = new Connection({ kind: 'socket', path: redis.socket }, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
  return { connection, keys: createKeys('test'), periods: { holdMs, idempotencyMs: 60_000, retentionMs: 120_000 } };
}

/** A commit of one unit of a benefit limited to one, unless `more` says otherwise. */
export function commitOf(more: Partial<Commit> = {}): Commit {
  return {
    calculationId: randomUUID(),
    member: ANNA,
    fingerprint: 'print',
    stored: Buffer.from('as stored'),
    venueId: 'oslo-central',
    status: 'applied',
    total: 100,
    uses: [{ usageKey: 'coffee:*', units: 1, limit: 1 }],
    supersedes: undefined,
    ...NOTHING_KEPT,
    entry: undefined,
    deadlineMs: FAR_AWAY_MS,
    remainingMs: () => 400,
    ...more,
  };
}

/** Reads the calculation's index entry and commits it, as a call does. */
export async function calculate({ store }: AnyFixture, more: Partial<Commit> = {}) {
  const commit = commitOf(more);
  const entry = await readIndexEntry(store, commit.calculationId);
  return { commit, ...(await commitCalculation(store, { ...commit, entry })) };
}

/** How an outcome is told: what its event says, and what else a call has to do with it. */
interface Telling extends Partial<Sale> {
  /** The index entry that the call was handed. */
  readonly seen?: IndexEntry | undefined;
  readonly deadline?: Partial<Parameters<typeof settleSale>[3]>;
  readonly describe?: DescribeBasket;
  /** What is to be counted in the costs; also where the call fails. */
  readonly counted?: CountedSale[];
}

/** Reports an outcome of a calculation, as the worker does for a sale event. `counted`, of what is returned, is absent where it is nothing. */
export async function report({ store }: AnyFixture, calculationId: string, status: string, telling: Telling = {}) {
  const { seen, deadline, describe = describeNothing, counted = [], ...more } = telling;
  const sale = { calculationId, status, transactionId: 't-1', failureReason: undefined, ...more };
  const entry = seen ?? (await readIndexEntry(store, calculationId));
  const patience = { remainingMs: () => PATIENCE_MS, redisMs: Number.MAX_SAFE_INTEGER };
  const count = (one: CountedSale) => counted.push(one);
  const settled = await settleSale(store, sale, entry, { ...patience, ...deadline }, describe, count);
  return { ...settled, ...(counted.length > 0 && { counted }) };
}

/** Has everything looked at by the next sweep that is noted for later. */
export async function makeAllDue({ client }: RedisServer): Promise<void> {
  for (const key of await client.keys('*:due:*')) {
    for (const id of await client.zrange(key, 0, '-1')) await client.zadd(key, 1, id);
  }
}

/** Units consumed, over-redeemed and held of `coffee:*`; held as the live holds of Redis say. */
export async function countUnits({ redis, store }: Fixture, member = ANNA) {
  const use = await redis.client.hgetall(store.keys.use(member));
  const holds = Object.values(await redis.client.hgetall(store.keys.hold(member)));
  const [seconds, micros] = (await redis.client.time()).map(Number) as [number, number];
  const nowMs = seconds * 1000 + micros / 1000;
  const live = holds.filter((hold) => Number(hold.split(' ')[0]) > nowMs);
  const held = live.reduce((sum, hold) => sum + Number(/coffee:\*=(\d+)/.exec(hold)?.[1] ?? 0), 0);
  return { consumed: Number(use['coffee:*'] ?? 0), over: Number(use['coffee:*!over'] ?? 0), held };
}
