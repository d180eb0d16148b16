import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { describe, expect, test } from 'vitest';
import type { CallRequest } from '../../src/calls/call.ts';
import { DeadlinePassed, StoreUnavailable } from '../../src/redis/failure.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { newSecret } from '../support/signer.ts';
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
      ...{ route: BASKET_PATH, calculationId: basket.calculationId, isAuthentic: true },
      ...{ venueId: VENUE, status: APPLIED },
    });
    expect([status, record.remote, record.code, record.isUnfinished]).toEqual([200, undefined, undefined, undefined]);
    expect([phases[0], phases.at(-1)]).toEqual(['body', 'reply']);
    expect([house.outcomes.length, house.tasks, house.faults]).toEqual([1, [], []]);
  });

  test('takes one way from its signature to its commit', async () => {
    await house.caller.basket(basketOf());
    expect((await lastEnd()).phases).toEqual(['body', 'signature', 'parse', 'member', 'price', 'commit', 'reply']);
  });

  test('of an ID that was answered is answered again, or is a conflict', async () => {
    const basket = basketOf();
    const first = await house.caller.basket(basket);
    const again = await house.caller.basket(basket);
    expect([again.status, again.isReplayed, again.text]).toEqual([200, true, first.text]);
    const replayed = await until('the replay', () => house.ended[1]);
    expect(replayed.record).toMatchObject({ isReplayed: true, venueId: VENUE, status: APPLIED });
    expect(replayed.phases).toEqual(['body', 'signature', 'parse', 'member', 'replay', 'reply']);

    const other = await house.caller.basket(basketOf([{ quantity: 2 }], { calculationId: basket.calculationId }));
    expect([other.status, other.code]).toEqual([409, 'idempotency_conflict']);
    expect((await until('the conflict', () => house.ended[2])).record.code).toBe('idempotency_conflict');
    expect(house.outcomes.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'refusal']);
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

  test('of an ID whose answer has expired is priced again', async () => {
    const basket = basketOf();
    await house.caller.basket(basket);
    const entry = await readIndexEntry(house.store, basket.calculationId);
    await house.redis.client.del(house.store.keys.answer(entry!.member!, basket.calculationId));
    const again = await house.caller.basket(basket);
    expect([again.status, again.isReplayed]).toEqual([200, false]);
    expect((await until('its end', () => house.ended[1])).phases).toEqual(expect.arrayContaining(['replay', 'commit']));
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

  test('is priced in place where the threads have another configuration', async () => {
    Object.assign(house.context, {
      inlineBytes: 10,
      threads: { ...house.context.threads, price: async () => undefined },
    });
    expect((await house.caller.basket(basketOf())).json()).toMatchObject({ status: APPLIED });
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

  test('at once for a wrong signature, with the address of its sender, on a connection that is closed', async () => {
    const answer = await house.caller.basket(basketOf(), { secret: newSecret() });
    expect([answer.status, answer.code, answer.header('Connection')]).toEqual([401, 'invalid_signature', 'close']);
    const { record, phases } = await lastEnd();
    expect(record).toEqual({ route: BASKET_PATH, code: 'invalid_signature', remote: '127.0.0.1' });
    expect(phases).toEqual(['body', 'signature', 'reply']);
    expect(await house.redis.client.keys('*')).toEqual([]);
  });

  test('before anything else where Redis must not be used', async () => {
    house.parts.obstacle = () => 'out_of_memory';
    const answer = await house.caller.basket({ ...basketOf(), currency: 'SEK' }, { headers: { 'Content-Type': 'x' } });
    expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
    const { record } = await lastEnd();
    expect(record).toMatchObject({ reason: 'redis', cause: 'out_of_memory', code: 'unavailable', isAuthentic: true });
  });

  test('for its headers, which take a token too', async () => {
    const wrong = await house.caller.basket(basketOf(), { headers: { 'Idempotency-Key': 'none' } });
    expect([wrong.status, wrong.details]).toMatchObject([400, { field: 'Idempotency-Key' }]);
    const { record, phases } = await lastEnd();
    expect([record.calculationId, record.code, phases.includes('lookup')]).toEqual([
      undefined,
      'invalid_request',
      true,
    ]);
    expect(await house.redis.client.exists(house.store.keys.rate())).toBe(1);
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
    ['a deadline', new DeadlinePassed(), { reason: 'deadline', phase: 'parse' }],
    ['threads that are gone', new PoolUnavailable('no thread'), { reason: 'threads' }],
  ])('for %s', async (_, error, told) => {
    basketsDo(house, () => Promise.reject(error));
    expect((await house.caller.basket(basketOf())).code).toBe('unavailable');
    const { route: _route, calculationId: _id, ...record } = (await lastEnd()).record;
    expect(record).toEqual({ isAuthentic: true, code: 'unavailable', ...told });
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
