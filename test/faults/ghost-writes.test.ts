/**
 * A call that was refused because Redis hung in the middle of it, and a Redis that then carries out what was under way:
 * nothing of the call may land after its 503.
 */
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { patiently, resultOf } from '../support/caller.ts';
import { sleep, until, within } from '../support/wait.ts';
import {
  basketOf,
  DEADLINE_MS,
  dumpOf,
  expectApplied,
  expectUnavailable,
  guestBasket,
  SETTLED_MS,
  saleOf,
  shaOf,
  unitsOf,
  untilServed,
  useFaultyService,
} from './support.ts';

const stage = useFaultyService();

afterEach(async () => {
  stage.proxy.heal();
  await untilServed(stage.caller);
});

/** Hangs Redis at the marked request of the call, lets it go on after the 503, and says which keys have changed then. */
async function changesAfterHang(marker: string, call: () => Promise<Answer>) {
  const { proxy, redis } = stage;
  // On a busy machine the call may be refused before it comes to the request: then it is made again.
  const before = await until('the call to meet the hang', async () => {
    const before = await dumpOf(redis);
    const armed = proxy.ambush(marker, { kind: 'hang' });
    expectUnavailable(await call());
    const isMet = await within(
      armed.sprung.then(() => true),
      DEADLINE_MS,
    );
    return isMet && before;
  });
  // Longer than the deadline's margin, shorter than the silence after which a connection is given up.
  await sleep(100);
  proxy.heal();
  await sleep(SETTLED_MS);
  const after = await dumpOf(redis);
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

test('a basket refused at its commit leaves nothing behind', async () => {
  const basket = guestBasket();
  const changed = await changesAfterHang(shaOf('commit-calculation'), () => stage.caller.basket(basket));
  expect(changed).toEqual([]);
  expectApplied(await patiently(() => stage.caller.basket({ ...basket, loyaltyId: guestBasket().loyaltyId })));
});

test('a sale refused at its settlement is not booked', async () => {
  const basket = guestBasket();
  expectApplied(await stage.patient.basket(basket));
  const sale = saleOf(basket.calculationId);
  expect(await changesAfterHang(shaOf('settle-sale'), () => stage.caller.sale(sale))).toEqual([]);
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  const cancelled = saleOf(basket.calculationId, 'cancelled');
  expect(resultOf(await patiently(() => stage.caller.sale(cancelled)))).toBe('recorded');
});

test('a sale of an unknown calculation, refused at its tombstone, leaves neither tombstone nor event', async () => {
  const basket = basketOf();
  const sale = saleOf(basket.calculationId);
  expect(await changesAfterHang(shaOf('claim-index'), () => stage.caller.sale(sale))).toEqual([]);
  const cancelled = saleOf(basket.calculationId, 'cancelled');
  expect((await patiently(() => stage.caller.sale(cancelled))).json()).toEqual({ result: 'unknown_calculation' });
});

test('a supersession refused at its commit leaves the older hold as it was', async () => {
  const first = guestBasket();
  expectApplied(await stage.patient.basket(first));
  const second = guestBasket({ loyaltyId: first.loyaltyId, supersedesCalculationId: first.calculationId });
  const changed = await changesAfterHang(shaOf('commit-calculation'), () => stage.caller.basket(second));
  expect(changed).toEqual([]);
});
