/** What docs/interface.md says of corner cases, each asked of the service. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ServiceDouble } from '../../packages/conformance/src/double/service-double.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, Caller, SALE_PATH } from '../support/caller.ts';
import { configurationOf, SINGLE_USE, singleUseMembers, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';

const stage = useSharedService(
  configurationOf({
    moreMembers: singleUseMembers('guest', 10),
    programme: { benefits: [TWENTY, SINGLE_USE] },
  }),
);

const offer = (loyaltyId: string, more = {}) => basketOf([{}], { loyaltyId, ...more });

async function status(basket: ReturnType<typeof offer>): Promise<unknown> {
  return (await stage.caller.basket(basket)).json().status;
}

async function report(calculationId: string, outcome: string) {
  return stage.caller.sale(saleOf(calculationId, outcome));
}

test('cancelled for A, when B never arrived, frees what A holds', async () => {
  const a = offer('guest-0');
  expect(await status(a)).toBe('applied');
  expect((await report(a.calculationId, 'cancelled')).json().result).toBe('recorded');
  expect(await status(offer('guest-0'))).toBe('applied');
});

test('cancelled for A, when B did arrive, takes nothing from B', async () => {
  const a = offer('guest-1');
  const b = offer('guest-1', { supersedesCalculationId: a.calculationId });
  expect([await status(a), await status(b)]).toEqual(['applied', 'applied']);
  expect((await report(a.calculationId, 'cancelled')).status).toBe(200);
  expect(await status(offer('guest-1'))).toBe('unchanged');
  expect((await report(b.calculationId, 'applied')).json().result).toBe('recorded');
  expect(await status(offer('guest-1'))).toBe('unchanged');
});

test('there is no cancelled after a sale', async () => {
  const basket = offer('guest-2');
  await status(basket);
  expect((await report(basket.calculationId, 'applied')).json().result).toBe('recorded');
  expect((await report(basket.calculationId, 'cancelled')).status).toBe(409);
});

test('one receipt may carry several calculations', async () => {
  for (const loyaltyId of ['guest-3', 'guest-4']) {
    const basket = offer(loyaltyId);
    await status(basket);
    const event = { calculationId: basket.calculationId, status: 'applied', transactionId: 'receipt-of-two' };
    expect((await stage.caller.sale(event)).json().result).toBe('recorded');
  }
});

test('a line ID is a string: a number is 400', async () => {
  const basket = basketOf();
  const [line] = basket.lines;
  const answer = await stage.caller.send(BASKET_PATH, { ...basket, lines: [{ ...line, lineId: 1 }] });
  expect([answer.status, answer.json<{ error: { details: object } }>().error.details]).toMatchObject([
    400,
    { field: '/lines/0/lineId' },
  ]);
});

test('of a key that stands twice in a body the last counts', async () => {
  const calculationId = randomUUID();
  const text = `{"calculationId":"${calculationId}","status":"applied","transactionId":"r-1","status":"cancelled"}`;
  expect((await stage.caller.send(SALE_PATH, text)).status).toBe(200);
  const event = { calculationId, transactionId: 'r-1' };
  expect((await stage.caller.send(SALE_PATH, { ...event, status: 'cancelled' })).status).toBe(200);
  expect((await stage.caller.send(SALE_PATH, { ...event, status: 'applied' })).status).toBe(409);
});

test('a negative line is 400', async () => {
  const basket = basketOf();
  const lines = basket.lines.map((line) => ({ ...line, quantity: -1 }));
  expect((await stage.caller.send(BASKET_PATH, { ...basket, lines })).status).toBe(400);
});

test('a chunked request costs its connection, and one with a length does not', async () => {
  const chunked = await stage.caller.send(BASKET_PATH, bytesOf(basketOf([{}, {}])), { chunkBytes: 64 });
  expect([chunked.status, chunked.header('Connection')]).toEqual([200, 'close']);
  const whole = await stage.caller.basket(basketOf());
  expect([whole.status, whole.header('Connection')]).not.toEqual([200, 'close']);
});

/** Events in every order that a caller can get wrong, and the status and result of each answer. */
async function eventAnswers(caller: Caller): Promise<unknown[]> {
  const answers: unknown[] = [];
  const send = async (calculationId: string, outcome: object): Promise<void> => {
    const answer = await caller.send(SALE_PATH, { calculationId, ...outcome });
    const { result, error } = answer.json<{ result?: string; error?: { code: string } }>();
    answers.push([answer.status, result ?? error?.code]);
  };
  const sold = (transactionId: string) => ({ status: 'applied', transactionId });
  const price = async (more = {}): Promise<string> => {
    const basket = offer('test-member-20', more);
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
  const early = offer('test-member-20');
  for (const outcome of [sold('r-5'), sold('r-5'), sold('r-6')]) await send(early.calculationId, outcome);
  await caller.basket(early);
  for (const outcome of [sold('r-5'), sold('r-6')]) await send(early.calculationId, outcome);
  // The event of a calculation whose successor came, and which itself never did.
  const missing = offer('test-member-20');
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
