/** A Redis that takes a probe and refuses commits: what real calls meet is what readiness, metric, log and page say. */
import { expect, test } from 'vitest';
import { readingOf, scrape } from '../support/metrics.ts';
import { readyzOf } from '../support/readyz.ts';
import { sleep, until } from '../support/wait.ts';
import { basketOf, expectUnavailable, guestBasket, saleOf, untilServed, useFaultyService } from './support.ts';

const stage = useFaultyService();

/** As a write of the service's own probe: refused while memory is full, and smaller than any commit. */
const SMALL_WRITE = "return redis.call('SET', KEYS[1], '', 'XX')";

const readyz = () => readyzOf(stage.service);
const unreachable = async (cause: string) =>
  readingOf(await scrape(stage.service), 'loyalty_redis_unreachable', { cause });
const live = async () =>
  (await (await fetch(`${stage.service.opsUrl}/live`)).json()) as { red: Record<string, string>; redisCause?: string };

const MOST_REFILLS = 3;

/** A basket with 12 KB of product names, which its commit stores. */
function largeBasket() {
  const lines = Array.from({ length: 60 }, (_, index) => ({ name: `${index} ${'x'.repeat(200)}` }));
  return basketOf(lines);
}

async function usedMemory(): Promise<number> {
  const info = await stage.redis.client.info('memory');
  const of = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1]);
  return of('used_memory') - of('mem_not_counted_for_evict');
}

/** Leaves just so much memory that a small write is taken, several times in a row. */
async function fillUp(): Promise<void> {
  const { client } = stage.redis;
  for (let limit = await usedMemory(); ; limit += 512) {
    await client.config('SET', 'maxmemory', String(limit));
    const tries = Array.from({ length: 5 }, () => client.eval(SMALL_WRITE, 1, 'loyalty:staging:probe'));
    const taken = await Promise.allSettled(tries);
    if (taken.every(({ status }) => status === 'fulfilled')) return;
  }
}

test('memory is full for commits and not for a probe: readiness, metric, log and page agree with the calls', async () => {
  const { caller, redis, service } = stage;
  // The script reads the member first and the rate limit writes a few bytes: large baskets alone are refused at first.
  await fillUp();
  try {
    await until('a commit to be refused', async () => (await caller.basket(largeBasket())).status === 503);
    // While calls are refused nothing says that writes are taken, whatever a probe meets.
    let refills = 0;
    for (let looks = 0; looks < 20; ) {
      const { status: answered } = await caller.basket(largeBasket());
      // Redis may give memory of its own back in the meantime, so that a commit has room: then it is filled again.
      if (answered === 200 && refills < MOST_REFILLS) {
        refills += 1;
        await fillUp();
        await until('a commit to be refused again', async () => (await caller.basket(largeBasket())).status === 503);
        looks = 0;
        continue;
      }
      expect(answered).toBe(503);
      const { httpStatus, checks } = await readyz();
      expect(httpStatus).toBe(503);
      // A machine that stands still lets Redis fall silent for a moment, which is said instead: then nothing was shown.
      if (checks.redis?.startsWith('no_answer')) continue;
      expect(checks.redis).toContain('out_of_memory');
      looks += 1;
      await sleep(50);
    }
    const causes = await until('a metric of no silence', async () => {
      const told = [await unreachable('no_answer'), await unreachable('out_of_memory')];
      return told[0] !== 1 && told;
    });
    expect(causes[1]).toBe(1);
    const page = await until('a page of no silence', async () => {
      const told = await live();
      return told.redisCause !== 'no_answer' && told;
    });
    expect(page).toMatchObject({
      redisCause: 'out_of_memory',
      red: { redis: expect.stringContaining('out_of_memory') },
    });
    // Calls of a standstill have run out of their time, or met a Redis that was silent.
    const calls = service.log.filter(({ httpStatus, msg }) => msg === 'request' && httpStatus === 503);
    expect(calls.findLast(({ reason }) => reason === 'redis')).toMatchObject({ cause: 'out_of_memory' });
    expect(service.log.filter(({ msg }) => msg === 'redis takes writes again')).toEqual([]);
  } finally {
    await redis.client.config('SET', 'maxmemory', '0');
  }
  await service.untilReady();
  await untilServed(caller);
  expect(await unreachable('out_of_memory')).toBe(0);
});

test('without calls it stays named until there is room for them', async () => {
  const { caller, redis, service } = stage;
  await fillUp();
  try {
    await until('a commit to be refused', async () => (await caller.basket(largeBasket())).status === 503);
    // Longer than a refused call alone counts: the server has been asked for its memory since.
    const endMs = performance.now() + 4000;
    while (performance.now() < endMs) {
      expect((await readyz()).httpStatus).toBe(503);
      await sleep(100);
    }
  } finally {
    await redis.client.config('SET', 'maxmemory', '0');
  }
  await service.untilReady();
});

const refusals: [cause: string, begin: [string, string], end: [string, string]][] = [
  ['not_writable', ['min-replicas-to-write', '1'], ['min-replicas-to-write', '0']],
  ['out_of_memory', ['maxmemory', '1'], ['maxmemory', '0']],
];

test.each(refusals)('%s stands in the line of every refused call', async (cause, begin, end) => {
  const { caller, redis, service } = stage;
  await untilServed(caller);
  await redis.client.config('SET', ...begin);
  try {
    // A machine that stands still has a call refused at its deadline, or because Redis is silent: then both are made again.
    const lines = await until('two calls that Redis has refused', async () => {
      const basket = guestBasket();
      expectUnavailable(await caller.basket(basket));
      expectUnavailable(await caller.sale(saleOf(basket.calculationId)));
      expect((await readyz()).httpStatus).toBe(503);
      const own = () => service.log.filter(({ calculationId }) => calculationId === basket.calculationId);
      await until('both lines', () => own().length === 2);
      return own().every(({ reason }) => reason === 'redis') && own();
    });
    expect(lines.map(({ cause: named }) => named)).toEqual([cause, cause]);
  } finally {
    await redis.client.config('SET', ...end);
  }
  await service.untilReady();
});

test('read_only stands in the line of a refused call and in readiness', async () => {
  const { caller, redis, service } = stage;
  await untilServed(caller);
  await redis.client.replicaof('127.0.0.1', '1');
  try {
    await until('the cause', async () => {
      await caller.basket(guestBasket());
      const last = service.log.findLast(({ httpStatus, msg }) => msg === 'request' && httpStatus === 503);
      return last?.cause === 'read_only' && (await readyz()).checks.redis?.includes('read_only');
    });
  } finally {
    await redis.client.replicaof('NO', 'ONE');
  }
  await service.untilReady();
});

test('a command that the probe does not use is refused: calls alone show it', async () => {
  const { caller, redis, service } = stage;
  await untilServed(caller);
  await redis.client.call('ACL', 'SETUSER', 'default', '-hset');
  try {
    // A machine that stands still has a call refused at its deadline, or because Redis is silent: then another one is made.
    await until('a call that Redis has refused', async () => {
      const basket = guestBasket();
      expectUnavailable(await caller.basket(basket));
      const { checks } = await readyz();
      const own = () => service.log.find(({ calculationId }) => calculationId === basket.calculationId);
      const { reason } = await until('its line', own);
      if (reason !== 'redis' || checks.redis?.startsWith('no_answer')) return false;
      expect(checks.redis).toContain('no_permission');
      return true;
    });
  } finally {
    await redis.client.call('ACL', 'SETUSER', 'default', '+hset');
  }
  await service.untilReady();
});
