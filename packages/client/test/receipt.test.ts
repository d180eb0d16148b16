/** The receipt of an answer, and the till's last look before a guest pays on it. */
import { type BasketLineOut, type BasketRequest, decideWithoutCall, printoutOf } from 'loyalty-basket-client';
import { describe, expect, test } from 'vitest';
import { LOYALTY_ID_PREFIX, MISBEHAVIOURS } from '../../conformance/src/double/table.ts';
import { priceOf } from '../../conformance/src/kit/judge/decimal.ts';
import { openClient, richBasket, useDouble } from './fixture.ts';

const stage = useDouble();

const answers = Object.entries(MISBEHAVIOURS).flatMap(([code, { act, right }]) =>
  act.kind === 'body' && (right as readonly { status: string }[])[0]?.status === 'applied' ? [code] : [],
);

describe('the receipt adds up', () => {
  test.each(['', ...answers])('of an answer %s', async (code) => {
    const basket = richBasket(code === '' ? 'member' : LOYALTY_ID_PREFIX + code);
    const outcome = await stage.client.calculateBasket(basket);
    expect(outcome.status).toBe('applied');
    const { lines, orderDiscounts, total } = printoutOf(outcome)!;
    for (const line of lines) {
      const taken = line.discounts.reduce((sum, { amount }) => sum + amount, 0);
      expect(line.price).toBe(Number(priceOf(line.quantity, line.unitPrice)) - taken);
    }
    const sum = lines.reduce((all, { price }) => all + price, 0);
    expect(sum - orderDiscounts.reduce((all, { amount }) => all + amount, 0)).toBe(total);
    expect(total).toBe(outcome.basket!.totals.total);
    expect(
      lines.some(({ discounts }) => discounts.some(({ isLoyalty }) => isLoyalty)) || orderDiscounts.length > 1,
    ).toBe(true);
  });

  test("of the till's own basket", async () => {
    const outcome = await stage.client.calculateBasket(richBasket('member-none'));
    const { lines, orderDiscounts, total } = printoutOf(outcome)!;
    expect(lines[3]).toMatchObject({ linePrice: 7_900, price: 7_500, discounts: [{ amount: 400, isLoyalty: false }] });
    expect(orderDiscounts).toMatchObject([{ amount: 500, isLoyalty: false }]);
    expect(total).toBe(outcome.basket!.totals.total);
  });
});

test('a price that the service has lowered has its note under the product, and a discount has its text', async () => {
  const outcome = await stage.client.calculateBasket(richBasket('member'));
  const basket = outcome.basket as unknown as { lines: BasketLineOut[] };
  const [line, ...others] = basket.lines;
  const printed = (more: Partial<BasketLineOut>) =>
    printoutOf({ ...outcome, basket: { ...basket, lines: [{ ...line, ...more }, ...others] } } as typeof outcome)!
      .lines[0];
  const lowered = { overrideUnitPrice: 900, lineDiscountAmount: 0, lineDiscountText: 'Member price' };
  expect(printed({ ...lowered, showLineDiscountText: true })).toMatchObject({ unitPrice: 900, note: 'Member price' });
  expect(printed({ ...lowered, showLineDiscountText: false })).not.toHaveProperty('note');
  const discounted = printed({ lineDiscountAmount: 100, lineDiscountText: 'Half', showLineDiscountText: true })!;
  expect(discounted).not.toHaveProperty('note');
  expect(discounted.discounts).toContainEqual({ amount: 100, text: 'Half', isLoyalty: true });
});

describe('there is no receipt', () => {
  const [line] = richBasket('member').lines;
  test.each<[string, unknown]>([
    ['nothing', null],
    ['a basket without lines', { ...richBasket('member'), lines: undefined }],
    ['a basket without totals', { ...richBasket('member'), totals: null }],
    ['a line that costs less than nothing', { ...richBasket('member'), lines: [{ ...line, quantity: -1 }] }],
    ['a line that is none', { ...richBasket('member'), lines: [null] }],
  ])('of %s, which the service refuses', async (_what, basket) => {
    const outcome = await stage.client.calculateBasket(basket as BasketRequest);
    expect(outcome.status).toBe('failed');
    expect(printoutOf(outcome)).toBeUndefined();
    expect(printoutOf(decideWithoutCall(basket as BasketRequest, 'offline'))).toBeUndefined();
  });
});

describe("the till's last look", () => {
  test.each([
    ['a reason', () => 'this till sells no gifts', 'invalid_response', 'refused by the till: this till sells no gifts'],
    ['an empty reason', () => '', 'invalid_response', 'refused by the till: '],
    ['a promise', () => Promise.resolve(undefined), 'pos_error', "the till's review returned object"],
    [
      'an error',
      () => {
        throw new Error('no shelf');
      },
      'pos_error',
      "the till's review threw: no shelf",
    ],
  ])('with %s keeps the basket', async (_what, review, failureReason, detail) => {
    const options = { reviewAnswer: review as () => string | undefined };
    const client = await openClient(stage.double.baseUrl, stage, options);
    const basket = richBasket('member');
    const outcome = await client.calculateBasket(basket);
    const requestId = stage.calls.at(-1)!.requestIds[0];
    expect(outcome).toMatchObject({ status: 'failed', failureReason, detail, isSaleEventDue: true, requestId });
    expect(outcome.basket).toBe(basket);
    await client.close();
  });

  test('sees the new basket and the old one, and lets it pass', async () => {
    const seen: unknown[] = [];
    const client = await openClient(stage.double.baseUrl, stage, {
      reviewAnswer: (...given) => {
        seen.push(given);
        return undefined;
      },
    });
    const basket = richBasket('member');
    const outcome = await client.calculateBasket(basket);
    expect(outcome.status).toBe('applied');
    expect(outcome).not.toHaveProperty('requestId');
    expect(seen).toEqual([[outcome.basket, basket]]);
    await client.calculateBasket(richBasket('member-none'));
    expect(seen).toHaveLength(1);
    await client.close();
  });
});
