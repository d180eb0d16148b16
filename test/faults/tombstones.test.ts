/** Sale events that come before their calculation, with a second event or a fault at the worst moment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, patiently } from '../support/caller.ts';
import { Service } from '../support/service.ts';
import { until, within } from '../support/wait.ts';
import {
  callInto,
  DEADLINE_MS,
  eventsOf,
  expectApplied,
  expectUnavailable,
  faultConfiguration,
  guestBasket,
  saleOf,
  shaOf,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();
let second: Service;
let other: Caller;

/** A process that the proxy's faults do not reach. */
beforeAll(async () => {
  const { redis, service } = stage;
  second = await Service.start({
    configuration: faultConfiguration(),
    redisUrl: redis.url,
    secrets: service.secrets,
  });
  other = second.newCaller({ isPatient: false });
});
afterAll(async () => {
  await second?.stop();
});

test('another outcome is 409 also while the late basket has claimed its ID and not committed yet', async () => {
  const { caller, proxy, redis } = stage;
  let basket = guestBasket();
  const failed = () => saleOf(basket.calculationId, 'failed');
  const lay = () => proxy.ambush(shaOf('commit-calculation'), { kind: 'hold' });
  const { armed, call: late } = await callInto(lay, async () => {
    basket = guestBasket();
    expect((await patiently(() => caller.sale(failed()))).json()).toEqual({ result: 'unknown_calculation' });
    return () => caller.basket(basket);
  });
  const answer = await patiently(() => other.sale(saleOf(basket.calculationId, 'applied')));
  armed.release();
  // It is answered now, or at its deadline, and then again.
  const lateAnswer = await late;
  if (lateAnswer !== 'no answer' && lateAnswer.status === 200) expectApplied(lateAnswer);
  else expect((await patiently(() => caller.basket(basket))).json().status).toBe('applied');
  expect({ status: answer.status, code: answer.code }).toEqual({ status: 409, code: 'idempotency_conflict' });
  // The first outcome stays.
  expect((await patiently(() => caller.sale(failed()))).json()).toEqual({ result: 'duplicate' });
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a sale refused after its tombstone has its event, and the late basket adds the one that it is recorded', async () => {
  const { caller, proxy, redis } = stage;
  // On a busy machine a sale may be refused before it comes to its receipt: then another one is sent.
  const { basket, failed, answer } = await until('a sale that meets the ambush', async () => {
    const basket = guestBasket();
    const failed = saleOf(basket.calculationId, 'failed');
    const armed = proxy.ambush(shaOf('note-receipt'), { kind: 'reset before' });
    const answer = await caller.sale(failed);
    const isMet = await within(
      armed.sprung.then(() => true),
      DEADLINE_MS,
    );
    return isMet && { basket, failed, answer };
  });
  expectUnavailable(answer);
  await untilServed(caller);
  const results = async () => (await eventsOf(redis, basket.calculationId)).map(({ result }) => result);
  expect(await results()).toEqual(['unknown_calculation']);
  expectApplied(await patiently(() => caller.basket(basket)));
  expect((await patiently(() => caller.sale(failed))).status).toBe(200);
  expect(await results()).toEqual(['unknown_calculation', 'recorded']);
});
