/** What docs/interface.md says of corner cases that neither the kit nor test/corpus plays. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ServiceDouble } from '../../packages/conformance/src/double/service-double.ts';
import { basketOf } from '../support/baskets.ts';
import { Caller, resultOf, SALE_PATH } from '../support/caller.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService(configurationOf({ moreMembers: singleUseMembers('changed', 4) }));

test('of a key that stands twice in a body the last counts', async () => {
  const calculationId = randomUUID();
  const text = `{"calculationId":"${calculationId}","status":"applied","transactionId":"r-1","status":"cancelled"}`;
  expect((await stage.caller.send(SALE_PATH, text)).status).toBe(200);
  const event = { calculationId, transactionId: 'r-1' };
  expect((await stage.caller.send(SALE_PATH, { ...event, status: 'cancelled' })).status).toBe(200);
  expect((await stage.caller.send(SALE_PATH, { ...event, status: 'applied' })).status).toBe(409);
});

/** Events in every order that a caller can get wrong, and the status and result of each answer. */
async function eventAnswers(caller: Caller): Promise<unknown[]> {
  const answers: unknown[] = [];
  const send = async (calculationId: string, outcome: object): Promise<void> => {
    const answer = await caller.send(SALE_PATH, { calculationId, ...outcome });
    answers.push([answer.status, resultOf(answer) ?? answer.code]);
  };
  const sold = (transactionId: string) => ({ status: 'applied', transactionId });
  const price = async (more = {}): Promise<string> => {
    const basket = basketOf([{}], { loyaltyId: 'test-member-20', ...more });
    await caller.basket(basket);
    return basket.calculationId;
  };
  // Superseded: sold all the same, sold twice, cancelled, and then sold.
  const first = await price();
  const second = await price({ supersedesCalculationId: first });
  for (const outcome of [sold('r-1'), sold('r-1'), { status: 'cancelled' }]) await send(first, outcome);
  const third = await price({ supersedesCalculationId: second });
  for (const outcome of [{ status: 'cancelled' }, sold('r-2')]) await send(second, outcome);
  // A receipt that is used again: for the same calculation, for another one, and another receipt for the same one.
  for (const receipt of ['r-3', 'r-3', 'r-4']) await send(third, sold(receipt));
  await send(await price(), sold('r-3'));
  // An event that comes before its basket, and again after it.
  const early = basketOf([{}], { loyaltyId: 'test-member-20' });
  for (const outcome of [sold('r-5'), sold('r-5'), sold('r-6')]) await send(early.calculationId, outcome);
  await caller.basket(early);
  for (const outcome of [sold('r-5'), sold('r-6')]) await send(early.calculationId, outcome);
  // The event of a calculation whose successor came, and which itself never did.
  const missing = basketOf([{}], { loyaltyId: 'test-member-20' });
  await price({ supersedesCalculationId: missing.calculationId });
  for (const receipt of ['r-7', 'r-7']) await send(missing.calculationId, sold(receipt));
  return answers;
}

test('the test double answers events of superseded calculations and receipts used twice as the service does', async () => {
  const double = await ServiceDouble.start({ secret: Buffer.from(stage.caller.secret, 'hex') });
  try {
    const ofDouble = await eventAnswers(new Caller(double.baseUrl, { secret: stage.caller.secret }));
    expect(ofDouble).toEqual(await eventAnswers(stage.caller));
    expect(ofDouble.slice(0, 3)).toEqual([
      [200, 'recorded'],
      [200, 'duplicate'],
      [409, 'idempotency_conflict'],
    ]);
  } finally {
    await double.close();
  }
});

describe('a basket that changes again after its call failed', () => {
  const price = async (loyaltyId: string, supersedesCalculationId?: string) => {
    const basket = basketOf([{}], { loyaltyId, ...(supersedesCalculationId && { supersedesCalculationId }) });
    const { status } = (await stage.caller.basket(basket)).json<{ status: string }>();
    return { id: basket.calculationId, status };
  };
  const cancel = (calculationId: string) => stage.caller.send(SALE_PATH, { calculationId, status: 'cancelled' });

  test.each([
    ['arrived', 'changed-0', true],
    ['never arrived', 'changed-1', false],
  ])('has its benefit once the answered one is cancelled, where the failed call %s', async (_, member, hasArrived) => {
    const answered = await price(member);
    const failed = hasArrived ? (await price(member, answered.id)).id : randomUUID();
    expect((await cancel(answered.id)).status).toBe(200);
    expect((await price(member, failed)).status).toBe('applied');
  });

  test.each([
    ['arrived', 'changed-2', true],
    ['never arrived', 'changed-3', false],
  ])(
    'leaves the benefit to a later purchase, where both are cancelled and the call %s',
    async (_, member, hasArrived) => {
      const answered = await price(member);
      const failed = hasArrived ? (await price(member, answered.id)).id : randomUUID();
      for (const id of [failed, answered.id]) expect((await cancel(id)).status).toBe(200);
      expect((await price(member)).status).toBe('applied');
    },
  );
});
