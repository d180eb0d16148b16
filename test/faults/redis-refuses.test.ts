/** A Redis that answers, but refuses or has forgotten: every refusal is 503 and never 500, and nothing is half written. */
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { patiently, resultOf } from '../support/caller.ts';
import { rewriteFile } from '../support/redis-server.ts';
import { sleep, until } from '../support/wait.ts';
import {
  basketOf,
  dumpOf,
  expectApplied,
  expectNoneRefused,
  expectUnavailable,
  guestBasket,
  keepCalling,
  saleOf,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

/** Each key takes 20 ms to load: a large file without a large file. Nothing is loaded before the test of it. */
const SLOW_LOADING = ['--key-load-delay', '20000', '--loading-process-events-interval-bytes', '1024'];

/** Between a caller's calls where they go on for long: a hundred a second are load enough. */
const PAUSE_MS = 10;

const stage = useFaultyService({ redisOptions: [...SLOW_LOADING, '--enable-debug-command', 'yes'] });

afterEach(async () => {
  await untilServed(stage.caller);
});

test('SCRIPT FLUSH every 100 ms under load costs no call', async () => {
  const { redis, caller } = stage;
  // A busy machine has calls refused at their deadline or because of those before; a lost script has other reasons.
  await expectNoneRefused(stage.service, ['redis', 'breaker', 'threads'], async () => {
    const load = keepCalling(() => caller.basket(basketOf()), 3, PAUSE_MS);
    for (let count = 0; count < 20; count += 1) {
      await redis.client.script('FLUSH');
      await sleep(100);
    }
    await load.stop();
    expect(load.faults).toEqual([]);
    const others = load.answers.filter(({ status }) => status !== 200 && status !== 503);
    expect(others.map(({ text }) => text)).toEqual([]);
    const served = load.answers.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThan(Math.max(50, load.answers.length / 2));
  });
});

test('a script of somebody else that blocks Redis is answered 503 while it runs, and never 500', async () => {
  const { redis, caller } = stage;
  await redis.client.config('SET', 'busy-reply-threshold', '50');
  const blocker = redis.client.duplicate();
  const endless = blocker.eval('while true do end', 0).catch((error: Error) => error.message);
  await until('the script to block Redis', () =>
    redis.client.ping().then(
      () => false,
      ({ message }: Error) => message.startsWith('BUSY'),
    ),
  );
  const answers = await Promise.all(Array.from({ length: 20 }, () => caller.basket(basketOf())));
  for (const answer of answers) expectUnavailable(answer);
  await redis.client.script('KILL' as 'FLUSH');
  await endless;
  blocker.disconnect();
  await untilServed(caller);
});

test('DEBUG SLEEP 2 is answered 503 inside the deadline and passes by itself', async () => {
  const { redis, caller } = stage;
  const sleeper = redis.client.duplicate();
  await sleeper.ping();
  const slept = sleeper.call('DEBUG', 'SLEEP', '2').catch((error: Error) => error.message);
  await sleep(50);
  const load = keepCalling(() => caller.basket(basketOf()), 4, PAUSE_MS);
  await slept;
  await sleep(300);
  await load.stop();
  sleeper.disconnect();
  expect(load.faults).toEqual([]);
  expect(load.answers.some((answer) => answer.status === 503)).toBe(true);
  for (const answer of load.answers) if (answer.status !== 200) expectUnavailable(answer);
});

test('a Redis without memory is answered 503, and nothing is written in part', async () => {
  const { redis, caller } = stage;
  const held = guestBasket();
  expectApplied(await patiently(() => caller.basket(held)));
  const before = await dumpOf(redis);
  await redis.client.config('SET', 'maxmemory', '1');
  try {
    expectUnavailable(await caller.basket(guestBasket()));
    expectUnavailable(await caller.basket(guestBasket({ supersedesCalculationId: held.calculationId })));
    expectUnavailable(await caller.sale(saleOf(held.calculationId)));
    expectUnavailable(await caller.sale(saleOf(basketOf().calculationId)));
  } finally {
    await redis.client.config('SET', 'maxmemory', '0');
  }
  expect(await dumpOf(redis)).toEqual(before);
});

test('a Redis that became a replica is answered 503 until it is a master again', async () => {
  const { redis, caller } = stage;
  const held = guestBasket();
  expectApplied(await patiently(() => caller.basket(held)));
  // A master that is not there: the replica keeps its data and goes on serving reads.
  await redis.client.replicaof('127.0.0.1', '1');
  try {
    for (let count = 0; count < 5; count += 1) expectUnavailable(await caller.basket(guestBasket()));
    expectUnavailable(await caller.sale(saleOf(held.calculationId)));
  } finally {
    await redis.client.replicaof('NO', 'ONE');
  }
  await untilServed(caller);
  expect(resultOf(await patiently(() => caller.sale(saleOf(held.calculationId))))).toBe('recorded');
});

test('a Redis that is loading its file is answered 503, then served', async () => {
  const { redis, caller, service } = stage;
  await redis.client.flushall();
  const held = guestBasket();
  expectApplied(await patiently(() => caller.basket(held)));
  for (let count = 0; count < 100; count += 1) await redis.client.set(`padding:${count}`, 'x'.repeat(40_000));
  await rewriteFile(redis.client);
  await redis.kill();
  const answers: Answer[] = [];
  let isLoaded = false;
  const loading = redis.start().then(() => {
    isLoaded = true;
  });
  await sleep(300);
  while (!isLoaded) answers.push(await caller.basket(basketOf()));
  await loading;
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) if (answer.status !== 200) expectUnavailable(answer);
  expect(answers[0]?.status).toBe(503);
  await untilServed(caller);
  expectApplied(await patiently(() => caller.basket(held)), true);
  await service.untilReady();
});

test('a Redis that lost everything is a fresh start: no crash, no lock-out, old sales unknown', async () => {
  const { redis, caller, service } = stage;
  const [basket, sold] = [guestBasket(), guestBasket()];
  expectApplied(await patiently(() => caller.basket(basket)));
  expectApplied(await patiently(() => caller.basket(sold)));
  await redis.client.flushall();
  expect((await patiently(() => caller.sale(saleOf(sold.calculationId)))).json()).toEqual({
    result: 'unknown_calculation',
  });
  expectApplied(await patiently(() => caller.basket(basket)));
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  expect(service.isAlive).toBe(true);
});
