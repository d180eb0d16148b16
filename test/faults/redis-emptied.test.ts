/** A Redis that came back empty: nobody who was lost is told that he is unknown, it is named, and a person ends it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ask } from '../ops/admin-client.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const TOKEN = 'sixteen-characters';
const FORMAT = 'loyalty:staging:format';

let redis: RedisServer;
let service: Service;
let caller: Caller;
/** Sends again what a machine that stands still has made too late; what is refused for another reason stays refused. */
let patient: Caller;
const remembering = temporaryDirectory();

async function startService(dataDirectory = remembering, env: Record<string, string> = {}): Promise<void> {
  service = await Service.start({
    redisUrl: redis.url,
    dataDirectory,
    awaitReady: false,
    env: { PROCESSES: '2', OPS_TOKEN: `shop:${TOKEN}`, ...env },
  });
  caller = service.newCaller({ isPatient: false });
  patient = service.newCaller();
}

beforeAll(async () => {
  redis = await RedisServer.launch(['--appendfsync', 'always']);
  await startService();
  await service.untilReady();
});
afterEach(async () => {
  await admin('POST /admin/data/accept');
  await until(
    'an end',
    async () => (await readyz()).status === 200 && !JSON.stringify(await readyz()).includes('gone'),
  );
});
afterAll(async () => {
  try {
    await service?.stop();
    await redis?.stop();
  } finally {
    cleanUp();
  }
});

const admin = (call: string, body?: object) => ask(service.opsUrl, call, { token: TOKEN, ...(body && { body }) });
const readyz = async () => {
  const { httpStatus: status, ...said } = await readyzOf(service);
  return { status, text: JSON.stringify(said) };
};
const dataGone = async () => readingOf(await scrape(service), 'loyalty_redis_data_gone');
const statusOf = async (loyaltyId: string, by: Caller = caller): Promise<string> => {
  const answer = await by.basket(basketOf([{}], { loyaltyId }));
  return answer.status === 200 ? String((answer.json() as { status: string }).status) : String(answer.status);
};
const importMember = (loyaltyId: string) =>
  admin(`PUT /admin/programmes/coffee-club/members/${loyaltyId}`, { status: 'active', grants: ['twenty'] });

/** Looks of all processes at the data so far: nobody else asks so, while there are no calls. */
async function looks(): Promise<number> {
  const stats = await redis.client.info('commandstats');
  return Number(/cmdstat_hmget:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Until both processes have looked since members were imported, and know that there are some. */
async function untilRemembered(): Promise<void> {
  const before = await looks();
  await until('both processes to look', async () => (await looks()) >= before + 5);
}

test('without members of its own the service goes on, and says that the data is gone', async () => {
  await until('the data to have a name', () => redis.client.hget(FORMAT, 'dataset'));
  const basket = basketOf();
  await until('an answer', async () => (await caller.basket(basket)).status === 200);
  await redis.client.flushall();
  await until('the fact', async () => (await readyz()).text.includes('the data is gone'));
  expect((await readyz()).status).toBe(200);
  await until('the metric', async () => (await dataGone()) === 1);
  expect(service.log.some(({ msg, cause }) => msg === 'redis data gone' && cause === 'data_gone')).toBe(true);
  // Nobody but the members of the file was ever known, so that an unknown one is unknown.
  expect(await statusOf('nobody', patient)).toBe('member_not_found');
  expect(await statusOf('member-twenty', patient)).toBe('applied');
  expect((await patient.sale(saleOf(basket.calculationId))).json()).toEqual({ result: 'unknown_calculation' });
});

test('a lost member is answered 503 and never member_not_found, from the first call on, until the data is restored', async () => {
  await importMember('guest-of-import');
  await untilRemembered();
  expect(await statusOf('guest-of-import', patient)).toBe('applied');
  const keys = await redis.client.keys('*');
  const dump = await Promise.all(keys.map(async (key) => [key, await redis.client.dumpBuffer(key)] as const));
  await redis.client.flushall();
  const seen = new Set<string>();
  for (let call = 0; call < 40; call += 1) seen.add(await statusOf('guest-of-import'));
  expect([...seen]).toEqual(['503']);
  // Those whom the configuration names are answered, before and while it is red.
  expect(await statusOf('member-twenty', patient)).toBe('applied');
  await until('readiness', async () => (await readyz()).status === 503);
  expect((await readyz()).text).toContain('the data is gone');
  const refused = () => service.log.filter(({ httpStatus, cause }) => httpStatus === 503 && cause === 'data_gone');
  await until('the line of a call', () => refused().length > 0);
  await until('the metric', async () => (await dataGone()) === 1);

  for (const [key, value] of dump) if (value) await redis.client.call('RESTORE', key, 0, value, 'REPLACE');
  await until('the end', async () => (await readyz()).status === 200);
  expect(await statusOf('guest-of-import', patient)).toBe('applied');
});

test('it is remembered over a restart of Redis and service, and accepting ends it in every process', async () => {
  // The service knows since the test before that there are members of its own.
  await service.stop();
  await redis.client.flushall();
  await startService();
  // One of the processes may look later than the other.
  await until('readiness', async () => {
    const { status, text } = await readyz();
    return status === 503 && text.includes('the data is gone');
  });
  const answer = await admin('POST /admin/data/accept');
  expect(answer.status).toBe(200);
  await service.untilReady();
  await until('an unknown member', async () => (await statusOf('guest-of-import')) === 'member_not_found');
});

test('a service that remembers nothing, as a new pod, takes an empty Redis for a new one unless members were imported', async () => {
  await importMember('guest-of-import');
  await service.stop();
  await redis.client.flushall();
  await startService(temporaryDirectory(), { MEMBERS_IMPORTED: '1' });
  for (let call = 0; call < 20; call += 1) expect(await statusOf('guest-of-import')).toBe('503');
  expect(await statusOf('member-twenty', patient)).toBe('applied');
  const { status, text } = await readyz();
  expect([status, text.includes('the data is gone')]).toEqual([503, true]);
  await admin('POST /admin/data/accept');
  await service.untilReady();
  expect(await statusOf('guest-of-import', patient)).toBe('member_not_found');

  // What is there has a name now, with or without the variable.
  await service.stop();
  await startService(temporaryDirectory(), { MEMBERS_IMPORTED: '1' });
  await service.untilReady();
  expect(await statusOf('guest-of-import', patient)).toBe('member_not_found');
  await redis.client.flushall();
  expect(await statusOf('guest-of-import')).toBe('503');

  await service.stop();
  await startService(temporaryDirectory());
  await service.untilReady();
  expect(await statusOf('guest-of-import', patient)).toBe('member_not_found');
});
