/** Returns of a club that prices what stays (`repriced`), on a real Redis: limits, gifts, own discounts and costs. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { useFairClub } from './support/fair-club.ts';

const { sell, book, consumed, costs } = useFairClub();

/** A line for each product group, which is its ID, of so many units at 100.00. */
const goods = (quantities: Record<string, number>) =>
  basketOf(Object.entries(quantities).map(([lineId, quantity]) => ({ lineId, productGroupId: lineId, quantity })));

describe('of limited benefits what stays may use what the sale has used, and no more', () => {
  test('so that nobody gets a coupon unspent by returning something else', async () => {
    for (const _round of [1, 2]) {
      const { calculationId, total } = await sell(goods({ soap: 3 }));
      expect(total).toBe(20_000);
      const back = await book(calculationId, { soap: 1 });
      expect(back).toMatchObject({ refund: 0, kept: [], lost: [{ benefitId: 'three-soaps', saved: 10_000 }] });
      expect(await consumed()).toEqual({ 'three-soaps:*': '0' });
    }
  });

  test('a limit that two benefits share stays used while either of them applies', async () => {
    const { calculationId, total } = await sell(goods({ tea: 3 }));
    expect(total).toBe(20_000);
    const first = await book(calculationId, { tea: 1 });
    expect(first).toMatchObject({ refund: 5_000, kept: [{ benefitId: 'tea-coupon', saved: 5_000 }] });
    expect(await consumed()).toEqual({ '@tea:*': '1' });
    expect(await book(calculationId, { tea: 1 })).toMatchObject({ refund: 10_000 });
    expect(await book(calculationId, { tea: 1 })).toMatchObject({ refund: 5_000, kept: [] });
    expect(await consumed()).toEqual({ '@tea:*': '0' });
  });

  test('of a limit in money as much as the sale took', async () => {
    const { calculationId, total } = await sell(goods({ bread: 3, roll: 0.2 }));
    expect(total).toBe(20_000 + 1_400);
    expect(await consumed()).toEqual({ 'bread-money$NOK:*': '600' });
    const back = await book(calculationId, { bread: 1 });
    expect(back).toMatchObject({ refund: 0, kept: [{ benefitId: 'bread-money', saved: 600 }] });
    expect(await consumed()).toEqual({ 'bread-money$NOK:*': '600' });
  });
});

describe('a product that was given', () => {
  test('and comes back is lost, with its limit, although what stays would earn another one', async () => {
    const { calculationId, total } = await sell(goods({ meal: 1 }));
    expect([total, await consumed()]).toEqual([10_000, { 'cake:*': '1' }]);
    const back = await book(calculationId, { 'added-1': 1 });
    expect(back).toMatchObject({ refund: 0, kept: [], lost: [{ benefitId: 'cake', saved: 4_500 }] });
    expect(await consumed()).toEqual({ 'cake:*': '0' });
    expect((await costs(calculationId))['cake']).toMatchObject({
      undoneBaskets: 1,
      undoneUnits: 1,
      undoneSaved: 4_500,
    });
    expect(await book(calculationId, { meal: 1 })).toMatchObject({ refund: 10_000, kept: [], lost: [] });
  });

  test('is lost as well where the guest had rung it up', async () => {
    const basket = basketOf([
      { lineId: 'lunch', productGroupId: 'lunch' },
      { lineId: 'pie', productId: 'pie', unitPrice: 4_500 },
    ]);
    const { calculationId, total } = await sell(basket);
    expect([total, await consumed()]).toEqual([10_000, { 'pie:*': '1' }]);
    expect(await book(calculationId, { pie: 1 })).toMatchObject({ refund: 0, kept: [] });
    expect(await consumed()).toEqual({ 'pie:*': '0' });
  });

  test('is kept in part, by the benefit whose product stays', async () => {
    const { calculationId } = await sell(goods({ feast: 2 }));
    const first = await book(calculationId, { 'added-1': 1 });
    const [kept] = first.kept;
    expect(first).toMatchObject({ refund: 0, kept: [{ saved: 4_500 }], lost: [{ saved: 4_500 }] });
    expect(first.lost[0]?.benefitId).not.toBe(kept?.benefitId);
    expect(await book(calculationId, { 'added-2': 1 })).toMatchObject({ refund: 0, kept: [], lost: [kept] });
  });

  test('is charged when what stays does not earn it, also where it earns another one of the same product', async () => {
    const { calculationId, total } = await sell(goods({ feast: 2 }));
    expect(total).toBe(20_000);
    expect(await book(calculationId, { feast: 1 })).toMatchObject({
      ...{ refund: 5_500, kept: [{ benefitId: 'small-bun', saved: 4_500 }] },
      ...{ lost: [{ benefitId: 'large-bun', saved: 4_500 }] },
    });
  });
});

test('the costs add up: a benefit that applies to what stays is sold then, and lost when that comes back', async () => {
  const { calculationId, total } = await sell(goods({ cup: 3 }));
  expect(total).toBe(20_000);
  const refunds: number[] = [];
  for (const _unit of [1, 2, 3]) refunds.push((await book(calculationId, { cup: 1 })).refund);
  expect(refunds).toEqual([2_000, 9_000, 9_000]);
  const { 'three-cups': cups, 'cups-ten': ten, '+': whole, '=': all } = await costs(calculationId);
  expect(cups).toMatchObject({ baskets: 0, saved: 0, undoneBaskets: 1, undoneUnits: 1, undoneSaved: 10_000 });
  expect(ten).toMatchObject({ baskets: 1, saved: 2_000, turnover: 18_000, units: 0 });
  expect(ten).toMatchObject({ undoneBaskets: 1, undoneSaved: 2_000, undoneTurnover: 18_000, undoneUnits: 0 });
  expect(whole).toMatchObject({ baskets: 0, saved: 2_000, undoneBaskets: 1, undoneSaved: 12_000 });
  expect(all).toMatchObject({ turnover: 0, undoneTurnover: 20_000 });
});
