/** One bucket per environment over all processes (interface, section 8): bursts pass, then 429 with an exact Retry-After. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKeys } from '../../src/store/keys.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';

const SUSTAINED = 4;
const BURST = 20;

let redis: RedisServer;
let services: Service[];
let callers: Caller[];

beforeAll(async () => {
  redis = await RedisServer.launch();
  const secrets = [newSecret()];
  const configuration = configurationOf({ rateLimit: { sustained: SUSTAINED, burst: BURST } });
  const options = { redisUrl: redis.url, secrets, configuration };
  services = await Promise.all([Service.start(options), Service.start(options)]);
  callers = services.map((service) => service.newCaller());
});

afterAll(async () => {
  try {
    await Promise.all(services.map((service) => service.stop()));
    await redis.stop();
  } finally {
    cleanUp();
  }
});

/** Every test begins with a full bucket: the limiter's only key is taken away, and nobody remembers an empty one. */
beforeEach(fillBucket);

async function fillBucket(): Promise<void> {
  const keys = await redis.client.keys('*:rate');
  if (keys.length > 0) await redis.client.del(keys);
  await sleep(1_000 / SUSTAINED);
}

/** How many scripts Redis has run. */
async function countScripts(): Promise<number> {
  const stats = await redis.client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
}

interface Burst {
  readonly passed: number;
  readonly refused: Answer[];
  /** What may have flowed back into the bucket while the burst was being sent. */
  readonly refilled: number;
}

/**
 * Plays a scene with a full bucket and judges it. A call that a standstill has refused at its deadline took a token all the same,
 * and takes another one when its caller repeats it: then nothing was shown, and all begins anew.
 */
async function fromFullBucket(play: () => Promise<() => void>): Promise<void> {
  const refusals = () => callers.reduce((sum, { seen }) => sum + seen.refusals, 0);
  await until('a scene in which no call runs out of its time', async () => {
    await fillBucket();
    const before = refusals();
    const judge = await play();
    if (refusals() > before) return false;
    judge();
    return true;
  });
}

async function burst(count: number, send: (index: number) => Promise<Answer>): Promise<Burst> {
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  const refilled = Math.ceil(((performance.now() - started) / 1_000) * SUSTAINED);
  const refused = answers.filter((answer) => answer.status === 429);
  for (const answer of answers) expect([200, 429]).toContain(answer.status);
  return { passed: count - refused.length, refused, refilled };
}

const basketBy = (index: number) => (callers[index % callers.length] as Caller).basket(basketOf());
const saleBy = (index: number) => (callers[index % callers.length] as Caller).sale(saleOf(randomUUID()));

test('a burst passes, over two processes together, and no more', async () => {
  await fromFullBucket(async () => {
    const { passed, refused, refilled } = await burst(2 * BURST, basketBy);
    return () => {
      expect(passed).toBeGreaterThanOrEqual(BURST);
      expect(passed).toBeLessThanOrEqual(BURST + refilled);
      for (const answer of refused) expect([answer.code, answer.header('Retry-After')]).toEqual(['rate_limited', '1']);
    };
  });
});

test('a flood of refused calls costs Redis no more than the tokens that come back meanwhile', async () => {
  // Both processes look for what has expired, and write what they have counted, every second: a scene may meet more of that than another.
  const besideTokens: number[] = [];
  for (let times = 0; times < 3; times += 1) {
    await fromFullBucket(async () => {
      await burst(2 * BURST, basketBy);
      const [before, started] = [await countScripts(), performance.now()];
      let refused = 0;
      for (let sent = 0; sent < 60; sent += 1) if ((await basketBy(sent)).status === 429) refused += 1;
      const tokens = Math.ceil(((performance.now() - started) / 1_000) * SUSTAINED);
      const scripts = (await countScripts()) - before;
      return () => {
        expect(refused).toBeGreaterThan(0);
        // For each token both processes ask, and whoever gets it reads and commits.
        besideTokens.push(scripts - 6 * tokens);
      };
    });
  }
  expect(Math.min(...besideTokens)).toBeLessThanOrEqual(10);
});

test('what is refused costs nothing: the sustained rate flows on under fire', async () => {
  await burst(BURST + 5, basketBy);
  const started = performance.now();
  const elapsedSeconds = () => (performance.now() - started) / 1_000;
  let passed = 0;
  // A refusal says that every token which had come back by then was taken, however long the machine stood still.
  let due = 0;
  while (elapsedSeconds() < 1.5) {
    const sentAt = elapsedSeconds();
    const { status } = await basketBy(passed);
    if (status === 200) passed += 1;
    if (status === 429) due = Math.floor(sentAt * SUSTAINED) - 1;
    expect(passed).toBeGreaterThanOrEqual(due);
    await sleep(10);
  }
  expect(due).toBeGreaterThan(0);
  expect(passed).toBeLessThanOrEqual(Math.ceil(elapsedSeconds() * SUSTAINED) + 1);
});

test('a replay and a conflict take a token like any call', async () => {
  const basket = basketOf();
  const other = basketOf([{ quantity: 2 }], { calculationId: basket.calculationId });
  const started = performance.now();
  expect((await (callers[0] as Caller).basket(basket)).status).toBe(200);
  const sent = Array.from({ length: 2 * BURST }, (_, index) =>
    (callers[index % 2] as Caller).basket(index % 4 < 2 ? basket : other),
  );
  const answers = await Promise.all(sent);
  const refilled = Math.ceil(((performance.now() - started) / 1_000) * SUSTAINED);
  const outcomes = answers.map(({ status, isReplayed }) => (isReplayed ? 'replay' : status));
  expect(new Set(outcomes)).toEqual(new Set(['replay', 409, 429]));
  const passed = 1 + outcomes.filter((outcome) => outcome !== 429).length;
  expect(passed).toBeLessThanOrEqual(BURST + refilled);
});

test('a call that is refused leaves nothing of its calculation', async () => {
  const baskets = Array.from({ length: 2 * BURST }, () => basketOf());
  const answers = await Promise.all(baskets.map((basket, index) => (callers[index % 2] as Caller).basket(basket)));
  const refused = baskets.filter((_, index) => answers[index]?.status === 429);
  expect(refused.length).toBeGreaterThan(BURST / 2);
  const keys = (await redis.client.keys('*')).join(' ');
  const due = await Promise.all(
    [0, 1, 2, 3].map((list) => redis.client.zrange(createKeys('staging').examinations(list), '0', '-1')),
  );
  for (const { calculationId } of refused) {
    expect(keys).not.toContain(calculationId);
    expect(due.flat()).not.toContain(calculationId);
  }
});

test('what is not signed costs nothing', async () => {
  const caller = callers[0] as Caller;
  await fromFullBucket(async () => {
    await Promise.all(Array.from({ length: 3 * BURST }, () => caller.basket(basketOf(), { secret: newSecret() })));
    const { passed } = await burst(BURST, basketBy);
    return () => expect(passed).toBe(BURST);
  });
});

test('with an empty bucket: faults before the limit are named, faults behind it are not looked at', async () => {
  const caller = callers[0] as Caller;
  // A machine that stands still lets tokens flow back: then nothing was shown, and all begins anew.
  await until('four calls that cannot all find a token', async () => {
    await fillBucket();
    const started = performance.now();
    const { passed } = await burst(BURST + 5, basketBy);
    expect((await caller.send('/nowhere', {})).status).toBe(404);
    expect((await caller.basket(basketOf(), { secret: newSecret() })).status).toBe(401);
    const behind = await Promise.all([
      caller.basket(basketOf(), { headers: { 'Idempotency-Key': null } }),
      caller.basket(basketOf(), { headers: { 'Content-Type': 'text/plain' } }),
      caller.send('/v1/pos/basket', 'no json'),
      caller.basket(basketOf([{}], { currency: 'XXX' })),
    ]);
    const refilled = Math.ceil(((performance.now() - started) / 1_000) * SUSTAINED);
    const lookedAt = behind.filter((answer) => answer.status !== 429).length;
    expect(lookedAt).toBeLessThanOrEqual(BURST + refilled - passed);
    return BURST + refilled - passed < behind.length;
  });
});

test('sale events draw only on the first half of the burst, so that a backlog costs no basket', async () => {
  await fromFullBucket(async () => {
    const sales = await burst(2 * BURST, saleBy);
    const baskets = await burst(BURST, basketBy);
    return () => {
      expect(sales.passed).toBeGreaterThanOrEqual(BURST / 2);
      expect(sales.passed).toBeLessThanOrEqual(BURST / 2 + 1 + sales.refilled);
      expect(baskets.passed).toBeGreaterThanOrEqual(BURST / 2 - 1);
    };
  });
});

test('Retry-After is exact: it is not yet time a second earlier, and it is time then', async () => {
  // A machine that stands still lets the time pass before the look at it: then nothing was shown, and all begins anew.
  await until('a look before the time', async () => {
    await burst(BURST + 5, basketBy);
    const sentMs = performance.now();
    const refused = await saleBy(0);
    const refusedMs = performance.now();
    // Ten or eleven tokens have to flow back at four a second, fewer when the burst itself took its time.
    const waitSeconds = Number(refused.header('Retry-After'));
    if (refused.status !== 429 || waitSeconds < 2) return false;
    expect(waitSeconds).toBeLessThanOrEqual(3);
    await sleep((waitSeconds - 1) * 1_000 - 150);
    const { status } = await saleBy(0);
    if (performance.now() - sentMs >= (waitSeconds - 1) * 1_000) return false;
    expect(status).toBe(429);
    await sleep(refusedMs + waitSeconds * 1_000 + 20 - performance.now());
    expect((await saleBy(0)).status).toBe(200);
    return true;
  });
});
