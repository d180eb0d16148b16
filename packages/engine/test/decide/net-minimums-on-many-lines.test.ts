/** Minimums on what many lines cost after other benefits: which lines keep their price, and what is known of it. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { line } from '../support/choices.ts';
import type { Circumstances } from '../support/price.ts';
import { benefit, net, on, percent, tell } from './net.ts';

/** Thirteen lines at 10.00 of which members get a tenth off, and more of other goods. */
const CAKES = Array.from({ length: 13 }, (_, at) => line(`c${at}`, 1, 1_000, { productId: 'cake' }));
const TENTH = percent('tenth', 10, on('cake'));

describe('on many lines what may be missed is less than one line gives up', () => {
  /** One cake keeps its price: that is 100 for the 1 that the lines cost too little. */
  const told = (
    voucher: BenefitDefinition,
    more: BasketLine[] = [],
    others: BenefitDefinition[] = [],
    asked: Circumstances = {},
  ) => {
    const { total, applied, mostMissed } = tell([...CAKES, ...more], [TENTH, voucher, ...others], asked);
    return [total, applied.join(), mostMissed];
  };
  const paper = [line('paper', 1, 300, { noDiscount: true }), line('news', 2, 100, { noDiscount: true })];

  it('where the discount lies on all of them', () => {
    expect(told(net('voucher', 500, 11_701))).toEqual([11_300, 'tenth,voucher', 99]);
  });

  it('beside lines without discounts, which count or do not', () => {
    expect(told(net('voucher', 500, 11_701), paper)).toEqual([11_800, 'tenth,voucher', 99]);
    const ofBasket = net('voucher', 500, 12_201, { minimumSpendOn: 'basket' });
    expect(told(ofBasket, paper)).toEqual([11_800, 'tenth,voucher', 99]);
  });

  it('beside another discount on the order, and a product that is given', () => {
    const cake = { productId: 'free', name: 'Cake', unitPrice: 700, noDiscount: false, noPercentageDiscount: false };
    const ten = benefit('ten', 'order_amount', { amount: 10, priority: 2 });
    expect(told(net('voucher', 500, 11_701), [], [ten])).toEqual([11_290, 'ten,tenth,voucher', 99]);
    const others = [
      benefit('half', 'order_percent', { percent: 50 }),
      benefit('gift', 'free_product', { productId: 'free' }),
    ];
    const voucher = net('voucher', 500, 11_701, { priority: 1 });
    // 11,800 less 500, and half of it; a cake that keeps its price costs 50.
    expect(told(voucher, [], others, { products: [cake] })).toEqual([5_650, 'gift,half,tenth,voucher', 50]);
  });
});

describe('on many lines no more is known than with the minimum met', () => {
  const told = (lines: BasketLine[], benefits: BenefitDefinition[]) => {
    const { total, mostMissed } = tell(lines, benefits);
    return [total, mostMissed];
  };

  it('where the discount lies on some of them', () => {
    const tea = line('tea', 1, 1_000);
    expect(told([...CAKES, tea], [TENTH, net('voucher', 500, 11_701, on('cake'))])).toEqual([12_300, 100]);
  });

  it('where another discount lies on some of them', () => {
    const other = benefit('other', 'order_amount', { amount: 40, ...on('tea') });
    const [total, missed] = told([...CAKES, line('tea', 1, 1_000)], [TENTH, other, net('voucher', 500, 12_701)]);
    expect(total).toBe(12_800 - 540);
    expect(missed).toBeGreaterThanOrEqual(100);
  });

  it('where it draws on a sum that others share', () => {
    const limit = { quantity: 100_000, period: 'day', counts: 'money', limitId: 'till' };
    expect(told(CAKES, [TENTH, net('voucher', 500, 11_701, { limit })])).toEqual([11_300, 100]);
  });
});

describe('on many lines with several net minimums', () => {
  it('all lines keep their price where the discount asks for that', () => {
    expect(tell(CAKES, [TENTH, net('voucher', 5_000, 13_000)])).toMatchObject({ total: 8_000, applied: ['voucher'] });
  });

  it('a line keeps its price with what is below it', () => {
    // Each burger of 10.00 has a sauce of 1.00.
    const burgers = CAKES.flatMap(({ lineId }) => [
      line(`${lineId}-burger`, 1, 1_000, { productId: 'cake' }),
      line(`${lineId}-sauce`, 1, 100, { parentLineId: `${lineId}-burger` }),
    ]);
    const told = tell(burgers, [TENTH, net('voucher', 500, 12_871)], { policies: { modifiers: 'together' } });
    // A tenth of 14,300, but not of one burger.
    expect(told).toMatchObject({ total: 12_870 + 110 - 500, applied: ['tenth', 'voucher'] });
  });

  it('each that its lines meet is given', () => {
    const vouchers = [net('a', 100, 11_700), net('b', 90, 12_500), net('c', 80, 12_600), net('d', 70, 12_700)];
    for (let count = 1; count <= 4; count++) {
      expect(tell(CAKES, [TENTH, ...vouchers.slice(0, count)])).toMatchObject({
        total: 11_600,
        applied: ['a', 'tenth'],
      });
    }
  });
});

describe('on many lines', () => {
  const all = Array.from({ length: 14 }, (_, at) => line(`l${at}`, 1, 10_000));

  it('they keep their price for the one of two vouchers that they may be enough for', () => {
    const dear = net('a', 500, 140_000);
    const voucher = net('voucher', 30_000, 126_500);
    const alone = tell(all, [percent('tenth', 10), voucher]);
    expect([alone.total, alone.applied.join()]).toEqual([97_000, 'tenth,voucher']);
    const both = tell(all, [percent('tenth', 10), voucher, dear]);
    expect([both.total, both.applied.join()]).toEqual([97_000, 'tenth,voucher']);
  });

  it('a coupon for one of them, which would move to the next, gives way as a whole', () => {
    const half = percent('half', 50, { maximumUnits: 1 });
    const twenty = benefit('twenty', 'line_amount', { amount: 2_000, per: 'unit', maximumUnits: 1 });
    const { total, applied } = tell(all, [half, twenty, net('voucher', 30_000, 134_500)]);
    expect([total, applied.join()]).toEqual([105_000, 'half,voucher']);
  });

  it('amounts too large to look at all their sums are closed one by one', () => {
    const dear = [line('villa', 1, 2_000_000_000), ...all.slice(1)];
    const half = percent('half', 50, { appliesTo: { productIds: ['villa'] } });
    const voucher = net('voucher', 900_000_000, 2_000_120_000);
    const { total, applied } = tell(dear, [half, voucher], { maximumSteps: 200_000 });
    expect([total, applied.join()]).toEqual([1_000_130_000, 'half']);
  });
});
