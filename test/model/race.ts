/** Commits that race for limited benefits through the service's own scripts, on several connections to one real Redis. */

import { randomUUID } from 'node:crypto';
import { Random } from '../../packages/simulator/src/random.ts';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { type Commit, commitCalculation } from '../../src/store/calculations.ts';
import { createKeys, type Keys, type MemberToken, memberToken } from '../../src/store/keys.ts';
import { settleSale } from '../../src/store/sales.ts';
import type { Store } from '../../src/store/store.ts';
import { NOTHING_KEPT } from '../support/nothing-kept.ts';
import { describeNothing } from '../support/plain-books.ts';
import { RedisServer } from '../support/redis-server.ts';
import { sleep, until } from '../support/wait.ts';

/** Tills that want the same member's benefit at the same time, in each of two waves. */
const TILLS = 24;
const WAVES = 2;
const LIMIT = 10;
const USAGE_KEY = 'coffee:*';
const CONNECTIONS = 4;
const MEMBERS_AT_ONCE = 8;
const PROGRESS_EVERY = 100_000;
const MAX_ATTEMPTS = 200;

/** Short, so that a million calculations do not pile up; a member's race is over long before. */
const PERIODS = { holdMs: 60_000, idempotencyMs: 5000, retentionMs: 5000 };
const NEVER_MS = Date.UTC(2100, 0, 1);
const ANSWER = Buffer.from('{"an":"answer"}');

export interface RaceResult {
  /** Commits that were stored. */
  readonly stored: number;
  /** Commits that were refused because too little was left. */
  readonly short: number;
  readonly sales: number;
  /** Units held or consumed past a limit. */
  readonly oversold: number;
  /** Units that nobody could get although they were left. */
  readonly undersold: number;
  readonly text: string;
}

class Tracks {
  stored = 0;
  short = 0;
  sales = 0;
  oversold = 0;
  undersold = 0;
}

/** Races until at least so many commits were stored. */
export async function race(commits: number, tell: (line: string) => void = () => {}): Promise<RaceResult> {
  const redis = await RedisServer.launch(['--appendonly', 'no']);
  const keys = createKeys('race');
  const connections = Array.from(
    { length: CONNECTIONS },
    () => new Connection({ kind: 'socket', path: redis.socket }, 'race'),
  );
  const stores = connections.map((connection): Store => ({ connection, keys, periods: PERIODS }));
  const tracks = new Tracks();
  const startMs = performance.now();
  let told = 0;
  let next = 0;
  try {
    await until('the connections to be ready', () => connections.every(({ isAvailable }) => isAvailable));
    const lane = async () => {
      while (tracks.stored < commits) {
        next += 1;
        await raceForMember(redis, keys, stores, next, tracks);
        if (tracks.stored - told < PROGRESS_EVERY) continue;
        told = tracks.stored;
        tell(`${told} commits stored, ${tracks.oversold} units oversold`);
      }
    };
    await Promise.all(Array.from({ length: MEMBERS_AT_ONCE }, lane));
  } finally {
    for (const connection of connections) connection.close();
    await redis.stop();
  }
  const seconds = (performance.now() - startMs) / 1000;
  const text =
    `${tracks.stored} commits stored, ${tracks.short} refused as short, ${tracks.sales} sales, ${next} members, ` +
    `${seconds.toFixed(0)} s: ${tracks.oversold} units oversold, ${tracks.undersold} undersold`;
  return { ...tracks, text };
}

/** Two waves for one member; while the second one comes in, half of what the first one took is sold or given back. */
async function raceForMember(
  redis: RedisServer,
  keys: Keys,
  stores: readonly Store[],
  seed: number,
  tracks: Tracks,
): Promise<void> {
  const random = new Random(seed);
  const member = memberToken('race', `member-${seed}`);
  let won: { id: string; units: number }[] = [];
  const till = async (at: number, supersedes: string | undefined) => {
    const [id, units] = [randomUUID(), random.between(1, 2)];
    const commit = commitOf(id, member, units, supersedes);
    const { outcome } = await patiently(() => commitCalculation(stores[at % stores.length]!, commit));
    // A replay is a commit whose reply was lost.
    if (outcome === 'committed' || outcome === 'replay') {
      tracks.stored += 1;
      won = won.filter((each) => each.id !== supersedes);
      won.push({ id, units });
    } else if (outcome === 'shortage') {
      tracks.short += 1;
    } else throw new Error(`a commit in the race answered ${outcome}`);
  };
  for (let wave = 0; wave < WAVES; wave += 1) {
    const earlier = won.filter(() => random.chance(0.5));
    const settled = earlier.map(async ({ id }, at) => {
      const status = random.pick(['applied', 'cancelled'] as const);
      const sale = { calculationId: id, status, transactionId: 'transaction', failureReason: undefined };
      const entry = { member, tombstone: undefined, text: '' };
      await patiently(() =>
        settleSale(
          stores[(at + 1) % stores.length]!,
          sale,
          entry,
          {
            remainingMs: () => PERIODS.holdMs,
            redisMs: Number.MAX_SAFE_INTEGER,
          },
          describeNothing,
          () => undefined,
        ),
      );
      tracks.sales += 1;
      won = won.filter((each) => each.id !== id || status === 'applied');
    });
    const superseded = won.filter((each) => !earlier.includes(each)).map(({ id }) => id);
    const tills = Array.from({ length: TILLS }, (_, at) => till(at, superseded[at]));
    await Promise.all([...settled, ...tills]);
  }
  // Whoever comes last gets what is left, to the unit.
  for (let outcome = 'committed'; outcome !== 'shortage'; ) {
    const last = commitOf(randomUUID(), member, 1, undefined);
    outcome = (await patiently(() => commitCalculation(stores[0]!, last))).outcome;
    if (outcome !== 'shortage') tracks.stored += 1;
  }
  await count(redis, keys, member, tracks);
}

/** On a busy machine Redis may seem silent for a moment; the call is then made again, as its caller would. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === MAX_ATTEMPTS) throw error;
      await sleep(50);
    }
  }
}

async function count(redis: RedisServer, keys: Keys, member: MemberToken, tracks: Tracks): Promise<void> {
  const use = await redis.client.hgetall(keys.use(member));
  const holds = Object.values(await redis.client.hgetall(keys.hold(member)));
  const held = holds.reduce((sum, hold) => sum + Number(/=(\d+)\//.exec(hold)?.[1] ?? 0), 0);
  const taken = Number(use[USAGE_KEY] ?? 0) + held - Number(use[`${USAGE_KEY}!over`] ?? 0);
  tracks.oversold += Math.max(0, taken - LIMIT);
  tracks.undersold += Math.max(0, LIMIT - taken);
  // Looked at once, members would only take up room.
  await redis.client.del(keys.use(member), keys.hold(member));
}

function commitOf(id: string, member: MemberToken, units: number, supersedes: string | undefined): Commit {
  return {
    calculationId: id,
    member,
    fingerprint: 'print',
    stored: ANSWER,
    venueId: 'oslo-central',
    status: 'applied',
    total: 100,
    uses: [{ usageKey: USAGE_KEY, units, limit: LIMIT }],
    supersedes: supersedes === undefined ? undefined : { calculationId: supersedes, member },
    ...NOTHING_KEPT,
    entry: undefined,
    deadlineMs: NEVER_MS,
    remainingMs: () => 400,
  };
}
