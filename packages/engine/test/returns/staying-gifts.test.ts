/** Given products after a return: those that stay are free while what stays earns them, and those that came back are not kept. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, test } from 'vitest';
import type { GivenProduct, Priced } from '../../src/returns/priced.ts';
import { priceRest } from '../../src/returns/repriced.ts';
import { type SoldBasket, type SoldLine, soldAsSent } from '../../src/returns/sold-basket.ts';
import { type StayingGift, settleGifts } from '../../src/returns/staying-gifts.ts';
import { buildBasket, buildLine } from '../support/basket.ts';

const product = (benefitId: string, productId = 'cake', units = 1): GivenProduct => ({
  benefit: 0,
  benefitId,
  productId,
  productMasterId: undefined,
  productGroupId: undefined,
  ean: undefined,
  name: productId,
  units,
  unitPrice: 4_500,
  noDiscount: false,
  noPercentageDiscount: false,
});
const staying = (benefitId: string, quantity = 1, productId = 'cake'): StayingGift => ({
  lineId: `added-${benefitId}`,
  product: product(benefitId, productId, quantity),
  quantity,
});
const giving = (gifts: readonly GivenProduct[], more: Priced['given'] = [], total = 10_000): Priced => ({
  total,
  given: [...gifts.map(({ benefitId, units, unitPrice }) => ({ benefitId, units, saved: units * unitPrice })), ...more],
  gifts,
});
const unitsOf = (gifts: readonly StayingGift[]) => gifts.map(({ lineId, quantity }) => [lineId, quantity]);
const settle = (earned: readonly GivenProduct[], stay: readonly StayingGift[]) => {
  const settled = settleGifts(giving(earned), stay);
  const kept = settled.kept.map(({ benefitId, units, saved }) => [benefitId, units, saved]);
  return { earned: unitsOf(settled.earned), unearned: unitsOf(settled.unearned), kept };
};

describe('a given product', () => {
  test('that stays and is earned is kept', () => {
    const kept = [['a', 2, 9_000]];
    expect(settle([product('a', 'cake', 2)], [staying('a', 2)])).toEqual({
      earned: [['added-a', 2]],
      unearned: [],
      kept,
    });
  });

  test('that stays and is not earned is bought, also in part', () => {
    expect(settle([], [staying('a')])).toEqual({ earned: [], unearned: [['added-a', 1]], kept: [] });
    const half = settle([product('a')], [staying('a', 2)]);
    expect(half).toEqual({ earned: [['added-a', 1]], unearned: [['added-a', 1]], kept: [['a', 1, 4_500]] });
  });

  test('that is earned and came back is not kept, also in part', () => {
    expect(settle([product('a')], [])).toEqual({ earned: [], unearned: [], kept: [] });
    expect(settle([product('a', 'cake', 3)], [staying('a', 2)]).kept).toEqual([['a', 2, 9_000]]);
    expect(settle([product('a')], [staying('a', 0.5)]).kept).toEqual([['a', 0.5, 2_250]]);
  });

  test('of another kind pays for nothing', () => {
    const one = settle([product('a', 'bun')], [staying('a', 1, 'cake')]);
    expect(one).toEqual({ earned: [], unearned: [['added-a', 1]], kept: [] });
  });

  test('is kept by the benefit that gave it, before others that earn the same', () => {
    const both = [product('a'), product('b')];
    expect(settle(both, [staying('b')]).kept).toEqual([['b', 1, 4_500]]);
    expect(settle([product('b')], [staying('a'), staying('b')]).unearned).toEqual([['added-a', 1]]);
    expect(settle([product('b')], [staying('a')]).kept).toEqual([['b', 1, 4_500]]);
  });

  test('leaves a benefit what it gives besides, and other benefits all', () => {
    const more = [{ benefitId: 'other', units: 4, saved: 100 }];
    expect(settleGifts(giving([product('a')], more), []).kept).toEqual(more);
    const twice = { ...giving([product('a')]), given: [{ benefitId: 'a', units: 2, saved: 8_000 }] };
    expect(settleGifts(twice, []).kept).toEqual([{ benefitId: 'a', units: 1, saved: 3_500 }]);
  });
});

describe('what stays with given products', () => {
  const basket = buildBasket([buildLine({ lineId: '1', quantity: 1, unitPrice: 10_000 })]);
  const gift = (gave: GivenProduct): SoldLine => ({
    lineId: `added-${gave.benefitId}`,
    quantity: gave.units,
    paid: 0,
    withoutLoyalty: 4_500,
    line: undefined,
    gift: gave,
    isCounted: true,
    saved: new Map(),
  });
  const sold = (...gifts: GivenProduct[]): SoldBasket => {
    const sent = soldAsSent(basket);
    return { ...sent, lines: [...sent.lines, ...gifts.map(gift)] };
  };
  /** Prices baskets by how many given products are bought with them. */
  const pricer = (...priced: Priced[]) => {
    const asked: BasketRequest[] = [];
    const price = (rest: BasketRequest): Priced => {
      asked.push(rest);
      return priced[asked.length - 1]!;
    };
    return { price, lineIds: () => asked.map(({ lines }) => lines.map(({ lineId }) => lineId)) };
  };
  const rest = (of: SoldBasket, { price }: ReturnType<typeof pricer>, returned: Record<string, number> = {}) => {
    const { total, kept, paidGifts } = priceRest(of, new Map(Object.entries(returned)), price);
    return { total, kept: kept.map(({ benefitId }) => benefitId), paid: unitsOf(paidGifts) };
  };

  test('is priced once where it earns them all', () => {
    const once = pricer(giving([product('a')]));
    expect(rest(sold(product('a')), once)).toEqual({ total: 10_000, kept: ['a'], paid: [] });
    expect(once.lineIds()).toEqual([['1']]);
  });

  test('is charged their list price where they are not earned and earn nothing themselves', () => {
    const twice = pricer(giving([]), giving([], [], 14_500));
    expect(rest(sold(product('a')), twice)).toEqual({ total: 14_500, kept: [], paid: [['added-a', 1]] });
    expect(twice.lineIds()).toEqual([['1'], ['1', 'added-a']]);
  });

  test('is priced with those that it buys where that is cheaper', () => {
    const cheaper = pricer(giving([]), giving([], [{ benefitId: 'ten', units: 2, saved: 1_450 }], 13_050));
    expect(rest(sold(product('a')), cheaper)).toEqual({ total: 13_050, kept: ['ten'], paid: [['added-a', 1]] });
  });

  test('pays for those that it earned and does not earn beside the ones that it buys', () => {
    const both = sold(product('a'), product('b'));
    const kept = [{ benefitId: 'a', units: 1, saved: 4_500 }];
    const same = pricer(giving([product('a')]), giving([], kept, 10_000));
    expect(rest(both, same)).toEqual({ total: 14_500, kept: ['a'], paid: [['added-b', 1]] });
    const cheaper = pricer(giving([product('a')]), giving([], kept, 9_000));
    const paid = [
      ['added-b', 1],
      ['added-a', 1],
    ];
    expect(rest(both, cheaper)).toEqual({ total: 13_500, kept: ['a'], paid });
  });

  test('may be nothing but them', () => {
    const bought = pricer(giving([], [], 4_500));
    expect(rest(sold(product('a')), bought, { 1: 1 })).toEqual({ total: 4_500, kept: [], paid: [['added-a', 1]] });
    expect(rest(sold(product('a')), pricer(), { 1: 1, 'added-a': 1 })).toEqual({ total: 0, kept: [], paid: [] });
  });
});
