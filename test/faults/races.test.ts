/** Two processes on one Redis, and callers that all want the same thing at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { type Caller, patiently } from '../support/caller.ts';
import { Service } from '../support/service.ts';
import { sleep } from '../support/wait.ts';
import {
  basketOf,
  expectApplied,
  faultConfiguration,
  guestBasket,
  saleOf,
  unitsOf,
  useFaultyService,
} from './support.ts';

/** Longer than a busy machine stands still: two tills that ask at once both get a benefit whose first hold has ended. */
const HOLD_MS = 2000;
const configuration = faultConfiguration({ holdMinutes: HOLD_MS / 60_000 });
const stage = useFaultyService({ configuration });
let second: Service;
let callers: readonly [Caller, Caller];

beforeAll(async () => {
  second = await Service.start({ configuration, redisUrl: stage.redis.url, secrets: stage.service.secrets });
  callers = [stage.patient, second.newCaller()];
  for (let count = 0; count < 20; count += 1) await callers[1].basket(basketOf());
});
afterAll(async () => {
  await second?.stop();
});

/** Sends all at once, taking turns between the two processes. */
function all(count: number, call: (caller: Caller, index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(callers[index % 2 ? 1 : 0], index)));
}

/** 503s that the patient callers have met. */
const refusals = () => callers.reduce((sum, { seen }) => sum + seen.refusals, 0);

/** An event is recorded; one that was repeated after a 503 may have been recorded before it, and is a duplicate then. */
function expectRecorded(sale: Answer, refusalsBefore: number): void {
  const results = refusals() > refusalsBefore ? ['recorded', 'duplicate'] : ['recorded'];
  expect(results.map((result) => ({ result }))).toContainEqual(sale.json());
}

function count(answers: readonly Answer[], isCounted: (answer: Answer) => boolean): number {
  return answers.filter(isCounted).length;
}

test('1,000 times the same request: one calculation, one hold, one answer that is not a replay', async () => {
  const basket = guestBasket();
  const answers = await all(1000, (caller) => caller.basket(basket));
  const served = answers.filter((answer) => answer.status === 200);
  expect(answers.filter((answer) => answer.status !== 200 && answer.status !== 503)).toEqual([]);
  expect(new Set(served.map((answer) => answer.text)).size).toBe(1);
  expect(count(served, (answer) => !answer.isReplayed)).toBeLessThanOrEqual(1);
  expectApplied(await patiently(() => stage.caller.basket(basket)), true);
});

test('two bodies under one key, 250 times each: one wins, the other is 409 throughout', async () => {
  const bodies = [guestBasket(), guestBasket()] as const;
  const key = bodies[0].calculationId;
  const answers = await all(500, (caller, index) =>
    caller.basket({ ...bodies[Math.floor(index / 2) % 2 ? 1 : 0], calculationId: key }),
  );
  const byBody = [0, 1].map((which) => answers.filter((_, index) => Math.floor(index / 2) % 2 === which));
  const wins = byBody.map((of) => count(of, (answer) => answer.status === 200));
  expect(wins.filter((won) => won > 0)).toHaveLength(1);
  const loser = byBody[wins.indexOf(0)] ?? [];
  expect(loser.filter((answer) => answer.status !== 409 && answer.status !== 503)).toEqual([]);
  const served = answers.filter((answer) => answer.status === 200);
  expect(new Set(served.map((answer) => answer.text)).size).toBe(1);
});

test('40 members, each at two tills at once: each gets the limited benefit at exactly one', async () => {
  const baskets = Array.from({ length: 40 }, () => guestBasket());
  const answers = await all(80, (caller, index) => {
    const { loyaltyId } = baskets[Math.floor(index / 2)] ?? basketOf();
    return caller.basket(basketOf([{}], { loyaltyId }));
  });
  expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
  for (const index of baskets.keys()) {
    const statuses = answers.slice(2 * index, 2 * index + 2).map((answer) => answer.json().status);
    expect(statuses.toSorted()).toEqual(['applied', 'unchanged']);
  }
});

test('applied and cancelled race for one calculation: one is recorded, the other is 409', async () => {
  for (let round = 0; round < 20; round += 1) {
    const basket = guestBasket();
    expectApplied(await patiently(() => stage.caller.basket(basket)));
    const statuses = ['applied', 'cancelled'] as const;
    const refusalsBefore = refusals();
    const answers = await all(6, (caller, index) =>
      caller.sale(saleOf(basket.calculationId, statuses[Math.floor(index / 2) % 2])),
    );
    const recorded = answers.filter((answer) => answer.status === 200 && answer.json().result === 'recorded');
    expect(recorded.length).toBeLessThanOrEqual(1);
    if (refusals() === refusalsBefore) expect(recorded.length).toBe(1);
    const won = Math.floor(answers.findIndex(({ status }) => status === 200) / 2) % 2;
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(Math.floor(index / 2) % 2 === won ? 200 : 409);
    }
    const consumed = won === 0 ? 1 : 0;
    expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed, over: 0, held: 0 });
  }
});

test('a supersession races the sale of the older calculation: either order, and nothing is oversold unseen', async () => {
  for (let round = 0; round < 20; round += 1) {
    const older = guestBasket();
    expectApplied(await patiently(() => stage.caller.basket(older)));
    const newer = guestBasket({ loyaltyId: older.loyaltyId, supersedesCalculationId: older.calculationId });
    const refusalsBefore = refusals();
    const [answer, sale] = await Promise.all([
      callers[round % 2 ? 0 : 1].basket(newer),
      callers[round % 2 ? 1 : 0].sale(saleOf(older.calculationId)),
    ]);
    expectRecorded(sale, refusalsBefore);
    const { consumed, over, held } = await unitsOf(stage.redis, older.loyaltyId);
    expect(consumed).toBe(1);
    expect(consumed + held).toBeLessThanOrEqual(1 + over);
    if (answer.json().status === 'unchanged') expect({ over, held }).toEqual({ over: 0, held: 0 });
  }
});

test('the sale at the very end of the hold is booked once, on time or late', async () => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const basket = guestBasket();
    expectApplied(await patiently(() => stage.caller.basket(basket)));
    await sleep(HOLD_MS - 20 + 4 * round);
    const refusalsBefore = refusals();
    const [sale, other] = await Promise.all([
      callers[0].sale(saleOf(basket.calculationId)),
      callers[1].basket(basketOf([{}], { loyaltyId: basket.loyaltyId })),
    ]);
    expectRecorded(sale, refusalsBefore);
    const { consumed, over, held } = await unitsOf(stage.redis, basket.loyaltyId);
    expect(consumed).toBe(1);
    expect(consumed + held).toBeLessThanOrEqual(1 + over);
    expect(held).toBe(other.json().status === 'applied' ? 1 : 0);
  });
  await Promise.all(rounds);
});

test('a cancellation races its own basket: whichever comes first, nothing stays held', async () => {
  for (let round = 0; round < 10; round += 1) {
    const basket = guestBasket();
    const [answer, sale] = await Promise.all([
      callers[round % 2 ? 0 : 1].basket(basket),
      callers[round % 2 ? 1 : 0].sale(saleOf(basket.calculationId, 'cancelled')),
    ]);
    expect(answer.status).toBe(200);
    expect(['recorded', 'unknown_calculation', 'duplicate']).toContain(sale.json().result);
    expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
  }
});

test('a basket after its failed sale event is answered and holds nothing', async () => {
  const basket = guestBasket();
  const failed = saleOf(basket.calculationId, 'failed');
  expect((await patiently(() => stage.caller.sale(failed))).json()).toEqual({ result: 'unknown_calculation' });
  expectApplied(await patiently(() => callers[1].basket(basket)));
  expect(await unitsOf(stage.redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 0 });
});
