/** What has come between what a basket call has read and its commit on a cluster, where the ID is claimed just before the commit. */
import { expect, test } from 'vitest';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { openOneNode } from '../store/one-node.ts';
import type { BasketBody } from '../support/wire.ts';
import { CLUB, ofAnna, ofBerit, tokenOf } from './support/club.ts';
import { ask, interrupted, tellSale, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB, openOneNode);
const askWhile = (basket: BasketBody, happens: () => Promise<unknown>) =>
  ask(whilePriced(till.context, happens), basket);
const ownerOf = async (basket: BasketBody) => (await readIndexEntry(till.context.store, basket.calculationId))?.member;

test('a sale: the basket is answered, holds nothing, and is sold', async () => {
  const basket = ofAnna();
  const { answer, facts } = await askWhile(basket, () => tellSale(till, basket.calculationId));
  expect(answer).toEqual({ status: 'applied', total: 8_000 });
  expect(facts).not.toHaveProperty('holdsMade');
  expect(await findCalculation(till.context.store, basket.calculationId)).toMatchObject({ state: 'sold' });
});

test('the same call of another process: its bytes are given', async () => {
  const basket = ofBerit();
  let first: Awaited<ReturnType<typeof ask>> | undefined;
  const { outcome } = await askWhile(basket, async () => {
    first = await ask(till.context, basket);
  });
  expect(outcome).toEqual({ ...first!.outcome, isReplayed: true });
  expect(await till.redis.client.hlen(till.context.store.keys.hold(tokenOf('berit')))).toBe(1);
});

test.each(['berit', 'anna'])('another body with its ID, of %s: 409', async (loyaltyId) => {
  const basket = ofBerit();
  const other = { ...ofBerit(2), calculationId: basket.calculationId, loyaltyId };
  const { outcome } = await askWhile(basket, () => ask(till.context, other));
  expect(outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'idempotency_conflict' } });
  expect(await ownerOf(basket)).toBe(tokenOf(loyaltyId));
});

test('a shortage: the basket is priced again, under the claim that it has', async () => {
  const basket = ofBerit();
  const { answer, facts } = await askWhile(basket, () => ask(till.context, ofBerit(2)));
  expect([answer?.total, facts.shortages, facts.holdsMade]).toEqual([64_000, 1, 1]);
});

test('a merge of its member: it is read and priced again as the other one', async () => {
  const { store, environment } = till.context;
  await writeMembers(store, environment.members);
  const basket = ofBerit();
  const { outcome } = await askWhile(basket, () => mergeMembers(store, 'coffee-club', 'berit', 'anna'));
  expect(outcome.kind).toBe('answer');
  expect(await ownerOf(basket)).toBe(tokenOf('anna'));
  expect((await tellSale(till, basket.calculationId)).facts.result).toBe('recorded');
});

test('nothing: a call that is refused before its commit has claimed nothing', async () => {
  const basket = ofAnna();
  const { store } = till.context;
  let isOver = false;
  const context = whilePriced(till.context, async () => {
    isOver = true;
  });
  await expect(ask(context, basket, { isOver: () => isOver })).rejects.toThrow('nobody waits for the call');
  expect(await till.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
  // A commit that fails leaves the claim, which the same call takes again.
  const commits = store.keys.calculation(tokenOf('anna'), basket.calculationId);
  const cut = interrupted(
    store,
    (key) => key === commits,
    () => Promise.reject(new Error('the process died')),
  );
  await expect(ask({ ...till.context, store: cut }, basket)).rejects.toThrow('the process died');
  expect(await ownerOf(basket)).toBe(tokenOf('anna'));
  expect((await ask(till.context, basket)).answer).toEqual({ status: 'applied', total: 8_000 });
});
