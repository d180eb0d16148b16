import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { describe, expect, test } from 'vitest';
import type { CallRequest } from '../../src/calls/call.ts';
import { BreakerOpen, DeadlinePassed, StoreUnavailable } from '../../src/redis/failure.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { until } from '../support/wait.ts';
import { basketsDo, connectTo, signed, useHouse } from './support/house.ts';

const house = useHouse();
const [VENUE, APPLIED] = ['oslo-central', 'applied'];
const lastEnd = () => until('the end of the call', () => house.ended.at(-1));
const never = new Promise<never>(() => undefined);

describe('a basket call', () => {
  test('is answered on the event loop, and its record tells what became of it', async () => {
    const basket = basketOf();
    const answer = await house.caller.basket(basket);
    expect([answer.status, answer.isReplayed]).toEqual([200, false]);
    const { record, phases, status } = await lastEnd();
    expect(record).toMatchObject({
      ...{ route: BASKET_PATH, calculationId: basket.calculationId, stage: 'known' },
      ...{ venueId: VENUE, status: APPLIED },
    });
    expect([status, record.remote, record.code]).toEqual([200, undefined, undefined]);
    expect(phases).toEqual(['body', 'signature', 'parse', 'member', 'price', 'commit', 'reply']);
    expect([house.outcomes.length, house.tasks, house.faults]).toEqual([1, [], []]);
  });

  test('whose stored answer is damaged is a fault of ours, told to nobody but the log', async () => {
    const basket = basketOf();
    await house.caller.basket(basket);
    const entry = await readIndexEntry(house.store, basket.calculationId);
    await house.redis.client.set(house.store.keys.answer(entry!.member!, basket.calculationId), 'no answer');
    expect((await house.caller.basket(basket)).code).toBe('internal_error');
    expect((await until('its end', () => house.ended[1])).record).toMatchObject({
      ...{ unreplayable: true, code: 'internal_error' },
    });
    expect(house.faults).toEqual([expect.stringContaining('cannot be replayed')]);
  });

  test('goes to a thread when its body is large, and is answered alike', async () => {
    const basket = basketOf();
    const { text } = await house.caller.basket(basket);
    await house.redis.client.flushall();
    house.context.inlineBytes = 10;
    expect(await house.caller.basket(basket)).toMatchObject({ status: 200, text });
    expect(house.tasks).toMatchObject([{ venueId: VENUE, configuration: house.context.environment.version }]);
    expect((await until('its end', () => house.ended[1])).phases).toContain('worker');
  });

  test('stays where it is up to the size that the event loop bears', async () => {
    const basket = basketOf();
    house.context.inlineBytes = Buffer.byteLength(JSON.stringify(basket));
    await house.caller.basket(basket);
    expect(house.tasks).toEqual([]);
  });

  test('knows whether its caller still waits', async () => {
    let call: CallRequest | undefined;
    basketsDo(house, (_, own) => {
      call = own;
      return never;
    });
    const connection = await connectTo(house, signed(house, BASKET_PATH, basketOf()));
    const seen = await until('the call', () => call);
    expect(seen.isOver()).toBe(false);
    connection.reset();
    await until('the end', () => seen.isOver());
    expect(await lastEnd()).toMatchObject({ isAborted: true, status: 0 });
  });
});

describe('a call is refused', () => {
  test('where nobody knows the secrets, and nothing is done of it', async () => {
    house.parts.credentials = () => {
      throw new Error('no secrets');
    };
    expect((await house.caller.basket(basketOf())).code).toBe('internal_error');
    expect(house.faults).toEqual([expect.stringContaining('no secrets')]);
    expect([await house.redis.client.keys('*'), house.outcomes.length]).toEqual([[], 1]);
  });

  test('before anything else where Redis must not be used', async () => {
    house.parts.obstacle = () => 'out_of_memory';
    const answer = await house.caller.basket({ ...basketOf(), currency: 'SEK' }, { headers: { 'Content-Type': 'x' } });
    expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
    const { record } = await lastEnd();
    expect(record).toMatchObject({ reason: 'redis', cause: 'out_of_memory', code: 'unavailable', stage: 'known' });
  });

  test('for the limit before its headers are looked at, and then without asking Redis', async () => {
    house.rateLimit = { sustained: 0.5, burst: 2 };
    const wrong = { headers: { 'Content-Type': 'text/plain' } };
    const statuses = [];
    for (const options of [{}, wrong, wrong, {}]) statuses.push(await house.caller.basket(basketOf(), options));
    expect(statuses.map(({ status }) => status)).toEqual([200, 400, 429, 429]);
    expect(statuses[2]!.header('Retry-After')).toBe('2');
    expect(statuses[1]!.header('Retry-After')).toBeUndefined();
    const before = await countScripts();
    expect((await house.caller.basket(basketOf())).status).toBe(429);
    expect([await countScripts(), house.faults]).toEqual([before, []]);
    await until('a token', async () => (await house.caller.basket(basketOf())).status === 200);
  });

  test.each([
    [
      'what Redis says',
      new StoreUnavailable('full', { redisCause: 'out_of_memory', server: '10.0.0.1:1' }),
      { reason: 'redis', cause: 'out_of_memory', server: '10.0.0.1:1' },
    ],
    ['a Redis that is silent', new BreakerOpen('silent'), { reason: 'breaker' }],
    ['a deadline', new DeadlinePassed(), { reason: 'deadline', phase: 'parse' }],
    ['threads that are gone', new PoolUnavailable('no thread'), { reason: 'threads' }],
  ])('for %s', async (_, error, told) => {
    basketsDo(house, () => Promise.reject(error));
    const answer = await house.caller.basket(basketOf());
    expect(answer.code).toBe('unavailable');
    expect(answer.text.includes('could not be finished in time')).toBe(error instanceof DeadlinePassed);
    const { route: _route, calculationId: _id, ...record } = (await lastEnd()).record;
    expect(record).toEqual({ stage: 'known', code: 'unavailable', ...told });
  });

  test.each([
    ['an error', new Error('broken'), /^Error: broken\n +at /],
    ['an error without a stack', Object.assign(new Error('plain'), { stack: undefined }), /^plain$/],
    ['anything else', 'a text', /^a text$/],
  ])('for %s of ours, which the log alone is told', async (_, error, told) => {
    basketsDo(house, () => Promise.reject(error));
    const answer = await house.caller.basket(basketOf());
    expect([answer.status, answer.code]).toEqual([500, 'internal_error']);
    expect(house.faults).toEqual([expect.stringMatching(told)]);
    expect((await lastEnd()).record.code).toBe('internal_error');
  });
});

/** How often a script has run in Redis. */
async function countScripts(): Promise<number> {
  const stats = await house.redis.client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}
