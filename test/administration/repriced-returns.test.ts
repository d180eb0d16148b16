/** Returns of a club that prices what stays (`repriced`), on a real Redis: limits, gifts, own discounts and costs. */

import { parseDateTime } from '@loyalty/contract/date-time';
import { sum } from '@loyalty/contract/money/sum';
import { describe, expect, test } from 'vitest';
import { moveClock } from '../../src/store/member-clock.ts';
import { tokenOf } from '../calls/support/club.ts';
import { useFairClub } from '../calls/support/fair-club.ts';
import { basketOf, totalsOf } from '../support/baskets.ts';

const { till, sell, quote, book, consumed, costs, lookUp } = useFairClub();

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

describe('an order discount of our own that came back with the basket', () => {
  /** Plates at 100.00; of each the till has taken off what our discount took before. */
  const plates = (shares: readonly number[]) =>
    basketOf(
      shares.map((ours) => ({ productGroupId: 'plate', unitPrice: 10_000, shares: { ours } })),
      { orderDiscounts: [{ orderDiscountId: 'ours', type: 'amount', amount: sum(shares), discountCode: 'loyalty' }] },
    );

  test('is no discount of the till: all that was paid comes back', async () => {
    const [line] = plates([2_000]).lines;
    const small = {
      ...plates([2_000]),
      lines: [{ ...line!, unitPrice: 9_000, originalLinePrice: 9_000, orderLinePrice: 7_000 }],
    };
    const { calculationId, total } = await sell({ ...small, totals: totalsOf(small.lines) });
    expect(total).toBe(9_000);
    const all = await book(calculationId, { 'line-1': 1 });
    expect(all).toMatchObject({ refund: 9_000 });
    expect(all.explanation.join()).not.toContain('without loyalty');
  });

  test('and was given anew counts once for what stays, and in the look-up', async () => {
    const { calculationId, total } = await sell(plates([1_000, 1_000]));
    expect(total).toBe(18_000);
    expect(await lookUp(calculationId)).toMatchObject({ isSame: true, explanation: { totalAfter: 18_000 } });
    const one = await quote(calculationId, { 'line-1': 1 });
    expect(one).toMatchObject({ refund: 10_000, kept: [{ benefitId: 'order', saved: 2_000 }] });
    expect(await quote(calculationId, { 'line-1': 1, 'line-2': 1 })).toMatchObject({ refund: 18_000 });
  });

  test('stays with the till where it lies on a line that may have no discount, also after that line has come back', async () => {
    const [protectedOne, other] = plates([1_000, 1_000]).lines;
    const lines = [{ ...protectedOne!, noDiscount: true }, other!, ...goods({ soup: 1 }).lines];
    const { calculationId, total } = await sell({ ...plates([1_000, 1_000]), lines, totals: totalsOf(lines) });
    const one = await quote(calculationId, { 'line-1': 1 });
    expect([total, one.refund, one.kept]).toEqual([23_000, 9_000, [{ benefitId: 'lunch-hours', saved: 5_000 }]]);
  });
});

describe('at a time at the edge of the calendar', () => {
  const soup = (requestedAt: string) =>
    basketOf([{ lineId: 'soup', productGroupId: 'soup', quantity: 2 }], { requestedAt });

  test.each([
    ['the zero of OLE', '1899-12-30T12:00:00+01:00', 10_000],
    ['the first year', '0001-01-01T12:00:00.500+01:00', 10_000],
    ['before the year 0', '0000-01-01T00:30:00+12:00', 10_000],
    ['after the year 9999', '9999-12-31T23:59:59-12:00', 10_000],
    ['outside the hours', '1899-12-30T16:00:00+01:00', 20_000],
  ])('a sale is looked up and comes back as it was sold: %s', async (_, requestedAt, paid) => {
    const { calculationId, total } = await sell(soup(requestedAt));
    const past = await lookUp(calculationId);
    expect([total, past.isSame, Date.parse(past.basket.requestedAt)]).toEqual([paid, true, parseDateTime(requestedAt)]);
    expect(await book(calculationId, { soup: 1 })).toMatchObject({ refund: paid / 2 });
  });

  test('the clock of a test member may be beyond it', async () => {
    const DAY_MS = 86_400_000;
    for (const [days, requestedAt] of [
      [2, '9999-12-31T23:00:00Z'],
      [-2, '0000-01-01T01:00:00Z'],
    ] as const) {
      await moveClock(till.context.store, tokenOf('anna'), days * DAY_MS, DAY_MS);
      const { calculationId, total } = await sell(soup(requestedAt));
      expect(total).toBeGreaterThan(0);
      expect((await lookUp(calculationId)).isSame).toBe(true);
    }
  });
});
