/** The service's own process killed at the worst moments, or asked to end under load. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { patiently } from '../support/caller.ts';
import { Service } from '../support/service.ts';
import { sleep, until, within } from '../support/wait.ts';
import { RedisProxy } from './proxy.ts';
import {
  basketOf,
  callInto,
  DEADLINE_MS,
  eventsOf,
  expectApplied,
  expectUnavailable,
  faultConfiguration,
  guestBasket,
  keepCalling,
  saleOf,
  shaOf,
  unitsOf,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

/** It ends within 5 s; the rest is slack. */
const EXIT_LIMIT_MS = 15_000;
let second: Service;
let proxy: RedisProxy;

/** Every test kills a process of its own; the one of the stage goes on beside it, as a second process would. */
beforeEach(async () => {
  proxy = await RedisProxy.start(stage.redis.socket);
  second = await Service.start({
    configuration: faultConfiguration(),
    redisUrl: proxy.url,
    secrets: stage.service.secrets,
  });
  await second.newCaller().basket(basketOf());
});
afterEach(async () => {
  if (second.isAlive) await second.stop();
  await proxy.close();
});

test.each(['read-member', 'commit-calculation'])(
  'killed while %s waits: the calculation leaves no hold and claims nothing, so another body under its key is answered',
  async (script) => {
    let basket = guestBasket();
    const lay = () => proxy.ambush(shaOf(script), { kind: 'hold' });
    const caller = second.newCaller({ isPatient: false });
    const { armed, call } = await callInto(lay, async () => {
      basket = guestBasket();
      return () => caller.basket(basket);
    });
    await second.kill('SIGKILL');
    expect(await call).toBe('no answer');
    // What had not left the machine before the kill is lost with it: the held request never reaches Redis.
    await proxy.down();
    armed.release();
    await sleep(100);
    // Nothing was claimed: a mended basket of another member waits for nobody, and is no conflict.
    expect(await stage.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
    const mended = guestBasket({ calculationId: basket.calculationId });
    expectApplied(await patiently(() => stage.caller.basket(mended)));
    expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
    expect(await unitsOf(stage.redis, mended.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  },
);

test('killed after the commit, before the answer: the retry replays, with one hold', async () => {
  let basket = guestBasket();
  const lay = () => proxy.ambush(shaOf('commit-calculation'), { kind: 'garbage', bytes: Buffer.alloc(0) });
  const caller = second.newCaller({ isPatient: false });
  const { call } = await callInto(lay, async () => {
    basket = guestBasket();
    return () => caller.basket(basket);
  });
  await second.kill('SIGKILL');
  expect(await call).toBe('no answer');
  expectApplied(await patiently(() => stage.caller.basket(basket)), true);
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('killed after a settlement: its event is there, and the retry is a duplicate and brings no other one', async () => {
  let basket = guestBasket();
  const lay = () => proxy.ambush(shaOf('note-receipt'), { kind: 'hold' });
  const caller = second.newCaller({ isPatient: false });
  const { armed, call } = await callInto(lay, async () => {
    basket = guestBasket();
    expect((await stage.patient.basket(basket)).json().status).toBe('applied');
    return () => caller.sale(saleOf(basket.calculationId));
  });
  await second.kill('SIGKILL');
  await call;
  await proxy.down();
  armed.release();
  await sleep(100);
  expect(await eventsOf(stage.redis, basket.calculationId)).toMatchObject([{ result: 'recorded' }]);
  const sale = saleOf(basket.calculationId);
  expect((await patiently(() => stage.caller.sale(sale))).json()).toEqual({ result: 'duplicate' });
  expect(await eventsOf(stage.redis, basket.calculationId)).toHaveLength(1);
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 1, over: 0, held: 0 });
});

test('killed between a commit and the release of another member: the replay completes the release', async () => {
  let [older, newer] = [guestBasket(), guestBasket()];
  const lay = () => proxy.ambush(shaOf('release-superseded'), { kind: 'hold' });
  const caller = second.newCaller({ isPatient: false });
  const { armed, call } = await callInto(lay, async () => {
    older = guestBasket();
    expect((await stage.patient.basket(older)).json().status).toBe('applied');
    newer = guestBasket({ supersedesCalculationId: older.calculationId });
    return () => caller.basket(newer);
  });
  await second.kill('SIGKILL');
  await call;
  await proxy.down();
  armed.release();
  await sleep(100);
  expect(await unitsOf(stage.redis, older.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  expectApplied(await patiently(() => stage.caller.basket(newer)), true);
  expect(await unitsOf(stage.redis, older.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
  expect(await unitsOf(stage.redis, newer.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
});

test('SIGTERM under load, and once more: what was accepted is answered, and the process ends with 0', async () => {
  const caller = second.newCaller({ isPatient: false });
  let isTerminated = false;
  const refused: string[] = [];
  const load = keepCalling(async () => {
    try {
      return await caller.basket({ ...basketOf(), calculationId: randomUUID() });
    } catch (fault) {
      const code = String((fault as NodeJS.ErrnoException).code ?? fault);
      if (isTerminated) refused.push(code);
      await sleep(20);
      throw fault;
    }
  }, 8);
  await until('calls to be answered', () => load.answers.length > 50);
  const before = load.answers.length;
  isTerminated = true;
  await second.kill('SIGTERM');
  await sleep(20);
  // It does not cut the draining short.
  await second.kill('SIGTERM');
  const exit = await within(second.exited, EXIT_LIMIT_MS);
  await load.stop();
  expect(exit).toEqual({ code: 0, signal: null });
  // Before and after the signal a busy machine may have refused a call at its deadline; at once none may be, unless Redis fell silent.
  const { length } = load.answers.filter((answer) => answer.status === 200);
  expect(length).toBeGreaterThan(before / 2);
  const others = load.answers.filter((answer) => answer.status !== 200);
  for (const answer of others) expectUnavailable(answer);
  const hasFallenSilent = second.log.some(({ msg, reason }) => msg === 'redis down' && reason === 'no answer');
  if (!hasFallenSilent) expect(others.filter((answer) => answer.durationMs < DEADLINE_MS / 2)).toEqual([]);
  // After the listener is closed a new connection is refused; an accepted one is never reset without an answer.
  expect(refused.filter((code) => code !== 'ECONNREFUSED')).toEqual([]);
});

test('SIGSTOP and SIGCONT of the process: nothing is answered after its budget with a fresh hold, and after 4 s it goes on with the threads it has', async () => {
  const caller = second.newCaller({ isPatient: false });
  const baskets = Array.from({ length: 10 }, () => guestBasket());
  const calls = Promise.all(baskets.map((basket) => caller.basket(basket)));
  await second.kill('SIGSTOP');
  await sleep(1500);
  await second.kill('SIGCONT');
  for (const [index, answer] of (await calls).entries()) {
    const loyaltyId = baskets[index]?.loyaltyId ?? '';
    if (answer.status === 200) expectApplied(answer);
    else expect(answer.status).toBe(503);
    const { held } = await unitsOf(stage.redis, loyaltyId);
    if (answer.status === 503) expect(held, `${loyaltyId} after 503`).toBeLessThanOrEqual(1);
  }
  for (const basket of baskets) expect((await patiently(() => caller.basket(basket))).status).toBe(200);
  for (const { loyaltyId } of baskets) {
    expect(await unitsOf(stage.redis, loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  }
  // A suspended machine or a frozen container: silence of the threads while nothing ran at all proves nothing.
  await second.kill('SIGSTOP');
  await sleep(4000);
  await second.kill('SIGCONT');
  await sleep(1000);
  for (let count = 0; count < 5; count += 1) {
    expect((await patiently(() => caller.basket(guestBasket()))).status).toBe(200);
  }
  expect(second.log.filter((line) => line.msg === 'worker thread').map((line) => line.fault)).toEqual([]);
});
