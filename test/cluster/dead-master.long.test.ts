/** A cluster of three masters without replicas: each dies in turn, and only the calls whose data lies there are refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slotOf } from '../../src/redis/key-slot.ts';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import { ask, OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { RedisCluster } from './redis-cluster.ts';

const KEYS = createKeys('staging');
const PROGRAMME = 'coffee-club';
const GUESTS = 300;

let cluster: RedisCluster;
let service: Service;
let caller: Caller;
/** Repeats a 503, which a busy machine may get too; a call that is always refused stays refused. */
let patient: Caller;
let guests = 0;
/** The master of each slot, by its port. */
let owners: Map<number, number>;

beforeAll(async () => {
  cluster = await RedisCluster.launch({ replicas: 0, settings: { 'cluster-require-full-coverage': 'no' } });
  service = await Service.start({
    redisUrl: cluster.url,
    configuration: configurationOf({ moreMembers: singleUseMembers('guest', GUESTS) }),
    env: { PROCESSES: '2', OPS_TOKEN: `tests:${OPS_TOKEN}` },
  });
  [caller, patient] = [service.newCaller({ isPatient: false }), service.newCaller()];
  const [port] = cluster.ports as [number];
  const ranges = (await cluster.ask(port, (node) => node.cluster('SLOTS'))) as unknown as [
    number,
    number,
    [string, number],
  ][];
  owners = new Map(
    ranges.flatMap(([from, to, [, master]]) =>
      Array.from({ length: to - from + 1 }, (_, step): [number, number] => [from + step, master]),
    ),
  );
  await until('warm processes', async () => (await caller.basket(nextBasket())).status === 200);
});
afterAll(async () => {
  try {
    await service?.stop();
    await cluster?.stop();
  } finally {
    cleanUp();
  }
});

function nextBasket(): BasketBody {
  guests += 1;
  return basketOf([{}], { loyaltyId: `guest-${guests % GUESTS}` });
}

const ownerOf = (key: string): number => owners.get(slotOf(key)) as number;

/** The masters without which the call cannot be answered: those of the calculation's entry and of the member. */
function mastersOf({ calculationId, loyaltyId }: BasketBody): number[] {
  return [ownerOf(KEYS.index(calculationId)), ownerOf(KEYS.member(memberToken(PROGRAMME, loyaltyId)))];
}

const readyz = async () => {
  const answer = await fetch(`${service.opsUrl}/readyz`);
  return { status: answer.status, facts: ((await answer.json()) as { facts: Record<string, string> }).facts };
};

/** Names of what every call shares, so that each master that dies takes some of them. */
const shared = () =>
  Object.entries({
    rate: KEYS.rate(),
    format: KEYS.format(),
    ...Object.fromEntries(
      [0, 1, 2, 3].flatMap((n) => [
        [`due ${n}`, KEYS.examinations(n)],
        [`events ${n}`, KEYS.events(n)],
      ]),
    ),
  });

test.each([0, 1, 2])('master %i of three dies: the others serve their calls, and it is named', async (index) => {
  const victim = cluster.ports[index] as number;
  const place = `127.0.0.1:${victim}`;
  const before = new Set(service.log.map((line) => line));
  await cluster.kill(victim);
  await until('the master to be named', async () => (await readyz()).facts.masters?.includes(place));

  const baskets = Array.from({ length: 40 }, nextBasket);
  const isTouched = (basket: BasketBody) => mastersOf(basket).includes(victim);
  const answers = await Promise.all(baskets.map((basket) => (isTouched(basket) ? caller : patient).basket(basket)));
  const statuses = baskets.map((basket, at) => `${isTouched(basket)} ${answers[at]?.status}`);
  expect(new Set(statuses)).toEqual(new Set(['true 503', 'false 200']));
  const healthy = baskets.filter((basket) => !isTouched(basket));
  const sales = await Promise.all(healthy.map(({ calculationId }) => patient.sale(saleOf(calculationId))));
  // A repeated event is a duplicate, when its first answer was late.
  for (const sale of sales) expect(sale.text).toMatch(/"(recorded|duplicate)"/);

  expect((await readyz()).status).toBe(200);
  const samples = await scrape(service);
  const up = samples.filter(({ name }) => name === 'loyalty_redis_master_up');
  expect(up.map(({ labels, value }) => [labels.server, value]).sort()).toEqual(
    cluster.ports.map((port) => [`127.0.0.1:${port}`, port === victim ? 0 : 1]).sort(),
  );
  const isRateGone = ownerOf(KEYS.rate()) === victim;
  const local = async () => readingOf(await scrape(service), 'loyalty_rate_limit_local');
  // It is said for two seconds after a call; a report of a process takes a moment.
  await until('the metric of the rate limit', async () => {
    await caller.basket(nextBasket());
    return (await local()) === Number(isRateGone);
  });
  if (isRateGone) await until('its fact', async () => (await readyz()).facts.rateLimit?.includes('limits by itself'));
  const lines = service.log.filter((line) => !before.has(line));
  expect(lines.some(({ msg, server }) => msg === 'redis master in trouble' && server === place)).toBe(true);
  const refused = lines.filter(({ httpStatus }) => httpStatus === 503);
  expect(refused.map(({ cause, server }) => `${cause} ${server}`)).toContain(`master_away ${place}`);
  expect(shared().some(([, key]) => ownerOf(key) === victim)).toBe(true);

  await cluster.start(victim);
  await until('the master to serve again', async () => (await readyz()).facts.masters === undefined);
  await until('a call of that master to be answered', async () => {
    const basket = nextBasket();
    return isTouched(basket) && (await caller.basket(basket)).status === 200;
  });
});

test('a master that hangs costs the calls of the others nothing', async () => {
  const victim = ownerOf(KEYS.rate());
  cluster.signal(victim, 'SIGSTOP');
  try {
    const baskets = Array.from({ length: 40 }, nextBasket).filter((basket) => !mastersOf(basket).includes(victim));
    const answers = await Promise.all(baskets.map((basket) => patient.basket(basket)));
    expect(answers.map(({ status }) => status)).toEqual(baskets.map(() => 200));
    await until('the master to be named', async () => (await readyz()).facts.masters?.includes(String(victim)));
  } finally {
    cluster.signal(victim, 'SIGCONT');
  }
  await until('the master to serve again', async () => (await readyz()).facts.masters === undefined);
});

test('one master of three is full: it is named with its cause, and the others serve', async () => {
  const victim = ownerOf(KEYS.rate());
  await cluster.ask(victim, (node) => node.config('SET', 'maxmemory', '1'));
  try {
    const baskets = Array.from({ length: 30 }, nextBasket);
    const isTouched = (basket: BasketBody) => mastersOf(basket).includes(victim);
    const answers = await Promise.all(baskets.map((basket) => (isTouched(basket) ? caller : patient).basket(basket)));
    const statuses = baskets.map((basket, at) => `${isTouched(basket)} ${answers[at]?.status}`);
    expect(new Set(statuses)).toEqual(new Set(['true 503', 'false 200']));
    await until('the cause', async () =>
      (await readyz()).facts.masters?.includes(`out_of_memory: 127.0.0.1:${victim}`),
    );
    expect((await readyz()).status).toBe(200);
    const line = () =>
      service.log.find(({ cause, server }) => cause === 'out_of_memory' && server === `127.0.0.1:${victim}`);
    await until('the line of a call', line);
  } finally {
    await cluster.ask(victim, (node) => node.config('SET', 'maxmemory', '0'));
  }
  await until('the master to serve again', async () => (await readyz()).facts.masters === undefined);
});

test('one master of three comes back empty: it is named, the others serve, and accepting ends it', async () => {
  await until('the data to be named everywhere', async () => {
    const owner = ownerOf(KEYS.format());
    return (await cluster.ask(owner, (node) => node.hget(KEYS.format(), 'marked'))) === '1';
  });
  for (const victim of [ownerOf(KEYS.format()), cluster.ports.find((port) => port !== ownerOf(KEYS.format()))]) {
    await cluster.ask(victim as number, (node) => node.flushall());
    await until('the data to be missed', async () => (await readyz()).facts.data?.includes(`127.0.0.1:${victim}`));
    expect((await readyz()).facts.data).toContain('the data is gone');
    expect((await readyz()).status).toBe(200);
    expect(readingOf(await scrape(service), 'loyalty_redis_data_gone')).toBe(1);
    expect((await patient.basket(nextBasket())).status).toBe(200);
    expect((await ask(service.opsUrl, 'POST /admin/data/accept')).status).toBe(200);
    await until('the end', async () => (await readyz()).facts.data === undefined);
  }
});
