/** What a call has held of a limit over all members before it had to read everything again: its commit settles that too. */
import { expect, test } from 'vitest';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import type { Store } from '../../src/store/store.ts';
import { until } from '../support/wait.ts';
import { basketNow, CLUB, tokenOf } from './support/club.ts';
import { ask, interrupted, tellSale, useTill } from './support/till.ts';

const till = useTill(CLUB);
const crowd = (loyaltyId: string, quantity: number, more: object = {}) =>
  basketNow([{ quantity, productGroupId: 'crowd' }], { loyaltyId, ...more });

/** The counter of all members that the answer took from. */
async function counterOf(calculationId: string) {
  const [use] = (await findAnswered(till.context.store, calculationId))!.commonUses;
  return use!.counter;
}

/** A store in which something happens once, when a call of carla has held its units and is about to commit. */
function whenHeld(store: Store, calculationId: string, happens: () => Promise<unknown>): Store {
  let hasHappened = false;
  return interrupted(
    store,
    (key) => key === store.keys.calculation(tokenOf('carla'), calculationId) && !hasHappened,
    async () => {
      hasHappened = true;
      await happens();
    },
  );
}

test('is given back where the answer no longer takes it', async () => {
  const { store } = till.context;
  const late = crowd('tester', 10);
  await ask(till.context, late);
  await ask(till.context, basketNow([{}], { loyaltyId: 'tester', supersedesCalculationId: late.calculationId }));
  const counter = await counterOf(late.calculationId);
  const held = () => till.redis.client.hkeys(store.keys.hold(counter));
  await until('the superseded units to be free', async () => (await held()).length === 0);

  const basket = crowd('carla', 7);
  let heldBefore: string[] = [];
  const meddled = whenHeld(store, basket.calculationId, async () => {
    heldBefore = await held();
    // The superseded basket is sold after all, which leaves nothing; and the entry of our own ID changes.
    await tellSale(till, late.calculationId);
    await tellSale(till, basket.calculationId, { status: 'cancelled' });
  });
  const { answer } = await ask({ ...till.context, store: meddled }, basket);
  expect(heldBefore).toEqual([basket.calculationId]);
  expect(answer?.total).toBe(63_000);
  await until('the units to be given back', async () => (await held()).length === 0);
});

test('is confirmed where it was held for a member that was merged meanwhile', async () => {
  const { store, environment } = till.context;
  await writeMembers(store, environment.members);
  const basket = crowd('carla', 7);
  const meddled = whenHeld(store, basket.calculationId, () => mergeMembers(store, 'coffee-club', 'carla', 'tester'));
  const { answer } = await ask({ ...till.context, store: meddled }, basket);
  expect(answer?.total).toBe(35_000);
  const counter = await counterOf(basket.calculationId);
  // Of a hold that waits for its confirmation as the first member's, nobody would find the commit there, and its units would go.
  const waiting = () => till.redis.client.zrange(store.keys.unconfirmed(counter), 0, '-1');
  await until('the confirmation', async () => (await waiting()).length === 0);
  expect(await till.redis.client.hkeys(store.keys.hold(counter))).toEqual([basket.calculationId]);
});
