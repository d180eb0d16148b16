/** Sale events that come before their calculation, with a second event or a fault at the worst moment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, patiently } from '../support/caller.ts';
import { Service } from '../support/service.ts';
import {
  callInto,
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
  const basket = guestBasket();
  const failed = saleOf(basket.calculationId, 'failed');
  expect((await patiently(() => caller.sale(failed))).json()).toEqual({ result: 'unknown_calculation' });
  const armed = proxy.ambush(shaOf('commit-calculation'), { kind: 'hold' });
  const { call: late } = await callInto(armed, () => caller.basket(basket));
  const answer = await other.sale(saleOf(basket.calculationId, 'applied'));
  armed.release();
  // It is answered now, or at its deadline, and then again.
  const lateAnswer = await late;
  if (lateAnswer !== 'no answer' && lateAnswer.status === 200) expectApplied(lateAnswer);
  else expect((await patiently(() => caller.basket(basket))).json().status).toBe('applied');
  expect({ status: answer.status, code: answer.code }).toEqual({ status: 409, code: 'idempotency_conflict' });
  // The first outcome stays.
  expect((await patiently(() => caller.sale(failed))).json()).toEqual({ result: 'duplicate' });
  expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
});

test('a sale refused after its tombstone has its event, and the late basket adds the one that it is recorded', async () => {
  const { caller, proxy, redis } = stage;
  const basket = guestBasket();
  const failed = saleOf(basket.calculationId, 'failed');
  proxy.ambush(shaOf('note-receipt'), { kind: 'reset before' });
  expectUnavailable(await caller.sale(failed));
  await untilServed(caller);
  const results = async () => (await eventsOf(redis, basket.calculationId)).map(({ result }) => result);
  expect(await results()).toEqual(['unknown_calculation']);
  expectApplied(await patiently(() => caller.basket(basket)));
  const retried = await caller.sale(failed);
  expect(retried.status).toBe(200);
  expect(await results()).toEqual(['unknown_calculation', 'recorded']);
});
