/** Limits that count money: held to the unit by an open calculation, given back, consumed, and never oversold. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Benefit, configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';

const LIMIT = 5_000;
const HALF: Benefit = {
  ...TWENTY,
  percent: 50,
  limit: { quantity: { NOK: LIMIT, EUR: 700 }, period: 'lifetime', counts: 'money' },
};

const stage = useSharedService(
  configurationOf({
    programme: { benefits: [HALF, SINGLE_USE] },
    moreMembers: ['held', 'raced'].map((name) => memberOf(name, ['twenty'])),
  }),
);

const offer = (loyaltyId: string, unitPrice: number, more: Partial<BasketBody> = {}) =>
  basketOf([{ quantity: 1, unitPrice }], { loyaltyId, ...more });

async function savedBy(basket: BasketBody): Promise<number> {
  const { status, totals } = (await stage.caller.basket(basket)).json<AppliedBody>();
  return status === 'applied' ? basket.totals.total - totals.total : 0;
}

const report = (basket: BasketBody, status: string) => stage.caller.sale(saleOf(basket.calculationId, status));

test('what others hold and have used is left out, to the unit, and comes back where no sale follows', async () => {
  const [first, second, third] = [3_000, 10_000, 10_000].map((price) => offer('held', price));
  expect(await savedBy(first!)).toBe(1_500);
  expect(await savedBy(second!)).toBe(3_500);
  expect(await savedBy(third!)).toBe(0);
  await report(second!, 'cancelled');
  await report(first!, 'applied');
  const fourth = offer('held', 10_000, { supersedesCalculationId: second!.calculationId });
  expect(await savedBy(fourth)).toBe(3_500);
  const fifth = offer('held', 2_000, { supersedesCalculationId: fourth.calculationId });
  expect(await savedBy(fifth)).toBe(1_000);
  expect(await savedBy(offer('held', 9_000))).toBe(2_500);
});

test('tills at the same time never give more than the limit together', async () => {
  const baskets = Array.from({ length: 12 }, (_, at) => offer('raced', 1_000 + 200 * at));
  const saved = await Promise.all(baskets.map(savedBy));
  const together = saved.reduce((sum, amount) => sum + amount, 0);
  expect(together).toBeLessThanOrEqual(LIMIT);
  await Promise.all(baskets.filter((_, at) => saved[at]! > 0).map((basket) => report(basket, 'applied')));
  // Who met a shortage again and again was priced without; nothing of the limit is lost by that.
  expect(await savedBy(offer('raced', 20_000))).toBe(LIMIT - together);
});
