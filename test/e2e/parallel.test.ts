/** Many callers at one instant: one calculation, one hold, one settlement (issue "must hold" figures). */
import { expect, test } from 'vitest';
import { Random } from '../../src/tools/simulator/random.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { holdCount } from '../support/holds.ts';
import { useService } from '../support/service.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useService({ configuration: configurationOf({ moreMembers: singleUseMembers('guest', 60) }) });

/** Sends them all at once. */
function together(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => patiently(() => send(index))));
}

function countBy(answers: readonly Answer[], name: (answer: Answer) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[String(name(answer))] = (counts[String(name(answer))] ?? 0) + 1;
  return counts;
}

test.each([
  ['one line', basketOf([{}], { loyaltyId: 'guest-0' })],
  ['200 lines', randomBasket(new Random(3), 200, { loyaltyId: 'guest-1' })],
])('100 parallel requests with one key (%s): identical bytes, one of them fresh, one hold', async (_, basket) => {
  const before = await holdCount(stage.redis);
  const answers = await together(100, () => stage.caller.basket(basket));
  expect(countBy(answers, (answer) => answer.status)).toEqual({ 200: 100 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(countBy(answers, (answer) => answer.isReplayed)).toEqual({ true: 99, false: 1 });
  expect((await holdCount(stage.redis)) - before).toBe(1);
});

test('50 parallel baskets for one single-use benefit: exactly one is applied', async () => {
  const answers = await together(50, () => stage.caller.basket(basketOf([{}], { loyaltyId: 'guest-2' })));
  expect(countBy(answers, (answer) => answer.json().status)).toEqual({ applied: 1, unchanged: 49 });
});

test('50 pairs of tills for 25 members: each member gets it once', async () => {
  const member = (index: number) => `guest-${10 + (index % 25)}`;
  const answers = await together(50, (index) => stage.caller.basket(basketOf([{}], { loyaltyId: member(index) })));
  expect(countBy(answers, (answer) => answer.json().status)).toEqual({ applied: 25, unchanged: 25 });
});

test('two bodies racing for one key: one wins, the other is 409 every time', async () => {
  const first = basketOf([{}], { loyaltyId: 'guest-3' });
  const bodies: BasketBody[] = [first, { ...first, requestedAt: '2026-11-20T12:00:01+01:00' }];
  const answers = await together(60, (index) => stage.caller.basket(bodies[index % 2] ?? first));
  const byBody = [0, 1].map((parity) =>
    countBy(
      answers.filter((_, index) => index % 2 === parity),
      (answer) => answer.status,
    ),
  );
  expect(byBody.map((counts) => JSON.stringify(counts)).sort()).toEqual(['{"200":30}', '{"409":30}']);
});

test('100 parallel identical sale events: one recorded, 99 duplicate', async () => {
  const basket = basketOf([{}], { loyaltyId: 'guest-4' });
  await stage.caller.basket(basket);
  const sale = saleOf(basket.calculationId);
  const answers = await together(100, () => stage.caller.sale(sale));
  expect(countBy(answers, (answer) => answer.json().result)).toEqual({ recorded: 1, duplicate: 99 });
});

test.each([0, 1, 2, 3, 4])('two outcomes racing, round %d: one is recorded, the other 409', async (round) => {
  const basket = basketOf([{}], { loyaltyId: `guest-${40 + round}` });
  await stage.caller.basket(basket);
  const outcomes = ['applied', 'cancelled'];
  const answers = await together(20, (index) =>
    stage.caller.sale(saleOf(basket.calculationId, outcomes[(index + round) % 2] ?? 'applied')),
  );
  expect(countBy(answers, (answer) => answer.json().result ?? answer.code)).toEqual({
    recorded: 1,
    duplicate: 9,
    idempotency_conflict: 10,
  });
  const winner = answers.findIndex((answer) => answer.json().result === 'recorded');
  const isSold = outcomes[(winner + round) % 2] === 'applied';
  const next = await stage.caller.basket(basketOf([{}], { loyaltyId: `guest-${40 + round}` }));
  expect(next.json().status).toBe(isSold ? 'unchanged' : 'applied');
});

test('a sale event racing its own basket: whichever comes first, nothing stays held for ever', async () => {
  for (let round = 0; round < 10; round += 1) {
    const loyaltyId = `guest-${45 + round}`;
    const basket = basketOf([{}], { loyaltyId });
    const [answer, sale] = await Promise.all([
      stage.caller.basket(basket),
      stage.caller.sale(saleOf(basket.calculationId, 'cancelled')),
    ]);
    expect(answer.status).toBe(200);
    expect(['recorded', 'unknown_calculation']).toContain(sale.json().result);
    expect((await stage.caller.basket(basketOf([{}], { loyaltyId }))).json().status).toBe('applied');
  }
});
