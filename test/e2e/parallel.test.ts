/** Many callers at one instant: one calculation, one hold, one settlement (issue "must hold" figures). */
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { holdCount } from '../support/holds.ts';
import { useService } from '../support/service.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useService({ configuration: configurationOf({ moreMembers: singleUseMembers('guest', 60) }) });
/** Patient, and not the stage's: so many calls at once are refused for good reason. */
let caller: Caller;
beforeAll(() => {
  caller = stage.service.newCaller();
});

/** Sends them all at once. The caller sends again what a busy machine refused. */
function together(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

/**
 * Sends them all at once and expects one first answer and the rest to repeat it. A first answer that came past its deadline
 * was a refusal, and its repetition finds the result like all others.
 */
async function expectOneFirst(
  count: number,
  send: (index: number) => Promise<Answer>,
  isFirst: (answer: Answer) => boolean,
): Promise<Answer[]> {
  const before = caller.seen.refusals;
  const answers = await together(count, send);
  const first = answers.filter(isFirst).length;
  expect(first).toBeLessThanOrEqual(1);
  if (caller.seen.refusals === before) expect(first).toBe(1);
  return answers;
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
  const answers = await expectOneFirst(
    100,
    () => caller.basket(basket),
    (answer) => !answer.isReplayed,
  );
  expect(countBy(answers, (answer) => answer.status)).toEqual({ 200: 100 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect((await holdCount(stage.redis)) - before).toBe(1);
});

test('50 parallel baskets for one single-use benefit: exactly one is applied', async () => {
  const answers = await together(50, () => caller.basket(basketOf([{}], { loyaltyId: 'guest-2' })));
  expect(countBy(answers, (answer) => answer.json().status)).toEqual({ applied: 1, unchanged: 49 });
});

test('50 pairs of tills for 25 members: each member gets it once', async () => {
  const member = (index: number) => `guest-${10 + (index % 25)}`;
  const answers = await together(50, (index) => caller.basket(basketOf([{}], { loyaltyId: member(index) })));
  expect(countBy(answers, (answer) => answer.json().status)).toEqual({ applied: 25, unchanged: 25 });
});

test('two bodies racing for one key: one wins, the other is 409 every time', async () => {
  const first = basketOf([{}], { loyaltyId: 'guest-3' });
  const bodies: BasketBody[] = [first, { ...first, requestedAt: '2026-11-20T12:00:01+01:00' }];
  const answers = await together(60, (index) => caller.basket(bodies[index % 2] ?? first));
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
  await caller.basket(basket);
  const sale = saleOf(basket.calculationId);
  const resultOf = (answer: Answer) => String(answer.json().result);
  const answers = await expectOneFirst(
    100,
    () => caller.sale(sale),
    (answer) => resultOf(answer) === 'recorded',
  );
  expect(answers.filter((answer) => !['recorded', 'duplicate'].includes(resultOf(answer)))).toEqual([]);
});

test.each([0, 1, 2, 3, 4])('two outcomes racing, round %d: one is recorded, the other 409', async (round) => {
  const basket = basketOf([{}], { loyaltyId: `guest-${40 + round}` });
  await caller.basket(basket);
  const outcomes = ['applied', 'cancelled'];
  const answers = await expectOneFirst(
    20,
    (index) => caller.sale(saleOf(basket.calculationId, outcomes[(index + round) % 2] ?? 'applied')),
    (answer) => answer.json().result === 'recorded',
  );
  expect(answers.filter((answer) => answer.code === 'idempotency_conflict')).toHaveLength(10);
  const winner = answers.findIndex((answer) => answer.status === 200);
  const won = answers.filter((_, index) => index % 2 === winner % 2);
  expect(won.every((answer) => ['recorded', 'duplicate'].includes(String(answer.json().result)))).toBe(true);
  const isSold = outcomes[(winner + round) % 2] === 'applied';
  const next = await caller.basket(basketOf([{}], { loyaltyId: `guest-${40 + round}` }));
  expect(next.json().status).toBe(isSold ? 'unchanged' : 'applied');
});

test('a sale event racing its own basket: whichever comes first, nothing stays held for ever', async () => {
  for (let round = 0; round < 10; round += 1) {
    const loyaltyId = `guest-${45 + round}`;
    const basket = basketOf([{}], { loyaltyId });
    const [answer, sale] = await Promise.all([
      caller.basket(basket),
      caller.sale(saleOf(basket.calculationId, 'cancelled')),
    ]);
    expect(answer.status).toBe(200);
    expect(['recorded', 'unknown_calculation']).toContain(sale.json().result);
    expect((await caller.basket(basketOf([{}], { loyaltyId }))).json().status).toBe('applied');
  }
});
