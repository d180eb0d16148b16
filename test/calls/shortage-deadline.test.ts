/** A shortage that is known only after the deadline: nothing is priced again that could no longer be written. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calculateBasket } from '../../src/calls/basket-call.ts';
import type { CallContext } from '../../src/calls/call.ts';
import { factsOf } from '../../src/calls/call-facts.ts';
import { outcomeOfError } from '../../src/calls/result.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { parseRedisAddress } from '../../src/redis/address.ts';
import { Connection } from '../../src/redis/connection.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { Tokens } from '../../src/store/tokens.ts';
import { monotonicMs } from '../../src/telemetry/stopwatch.ts';
import { RedisProxy } from '../faults/proxy.ts';
import { shaOf } from '../faults/support.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { NOTHING_KEPT } from '../support/nothing-kept.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';
import { callOf } from './support/till.ts';

/** The call has so long; Redis' answer to its commit is on its way for as long, so that the deadline passes meanwhile. */
const PATIENCE_MS = 170;
const LATENCY_MS = 150;
/** A machine that stands still may let the deadline pass before there is a shortage. */
const ATTEMPTS = 20;
const COMMIT = shaOf('commit-calculation');

let redis: RedisServer;
let proxy: RedisProxy;
let store: Store;
let direct: Store;
let context: CallContext;
/** Each attempt needs a member of its own, those of a repeated test too. */
let nextGuest = 0;
const environment = loadEnvironment(
  JSON.stringify(configurationOf({ moreMembers: singleUseMembers('guest', 2 * ATTEMPTS) })),
  'a test',
);

beforeAll(async () => {
  redis = await RedisServer.launch();
  proxy = await RedisProxy.start(redis.socket);
  const open = async (address: string): Promise<Store> => {
    const connection = new Connection(parseRedisAddress(address)!, 'test');
    await until('the connection to be ready', () => connection.isAvailable);
    return { connection, keys: createKeys('staging'), periods: environment.calculation };
  };
  store = await open(proxy.url);
  direct = await open(`unix:${redis.socket}`);
  await writeMembers(direct, environment.members);
  const tokens = new Tokens(
    () => direct,
    () => ({ sustained: 1_000, burst: 1_000 }),
  );
  const threads = {} as CallContext['threads'];
  context = { environment, store, tokens, threads, repairDir: temporaryDirectory(), inlineBytes: 16_384 };
});
afterAll(async () => {
  store?.connection.close();
  direct?.connection.close();
  await proxy?.close();
  await redis?.stop();
  cleanUp();
});

/** How often a script has run in Redis; the commit is the only one after a basket is priced. */
async function countScripts(): Promise<number> {
  const stats = await redis.client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Another till takes the last use of a member's benefit. */
async function takeUse(loyaltyId: string): Promise<void> {
  const taken = await commitCalculation(direct, {
    calculationId: randomUUID(),
    member: memberToken('coffee-club', loyaltyId),
    fingerprint: 'print',
    stored: Buffer.from('{}'),
    venueId: 'oslo-central',
    status: 'applied',
    total: 1,
    uses: [{ usageKey: 'single-use:*', units: 1, limit: 1 }],
    supersedes: undefined,
    entry: undefined,
    ...NOTHING_KEPT,
    deadlineMs: Date.UTC(2100, 0, 1),
    remainingMs: () => 60_000,
  });
  expect(taken.outcome).toBe('committed');
}

/** Prices a basket whose commit meets a shortage, told after the deadline; and counts the commits that followed. */
async function meetShortage(loyaltyId: string) {
  await until('the connection to be ready', () => store.connection.isAvailable);
  const held = proxy.ambush(COMMIT, { kind: 'hold' });
  const deadlineMs = monotonicMs() + PATIENCE_MS;
  const call = callOf(basketOf([{}], { loyaltyId }), { deadlineMs });
  const ended = calculateBasket(context, call).catch((error: unknown) => outcomeOfError(error));
  await Promise.race([held.sprung, ended]);
  await takeUse(loyaltyId);
  const before = await countScripts();
  proxy.latencyMs = LATENCY_MS;
  held.release();
  const outcome = await ended;
  proxy.disarm();
  proxy.heal();
  return { outcome, facts: factsOf(call.facts), commits: (await countScripts()) - before };
}

test('the call ends with 503, and the basket is neither priced nor committed once more', async () => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { outcome, facts, commits } = await meetShortage(`guest-${nextGuest++}`);
    if (facts.shortages !== 1) continue;
    expect(outcome).toMatchObject({ kind: 'refusal', refusal: { status: 503 } });
    expect(commits).toBe(1);
    return;
  }
  expect.fail('no attempt met a shortage before its deadline');
});
