/** What a combination gives and spends, and which of two that cost the same is preferred. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line } from '../support/choices.ts';
import { type Circumstances, expectApplied, priceFully } from '../support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const off = (benefitId: string, amount: number, more: object = {}): BenefitDefinition =>
  ({ benefitId, kind: 'line_amount', amount, per: 'unit', ...more }) as BenefitDefinition;
const limit = (quantity: number, counts: 'baskets' | 'items' | 'money', limitId?: string) => ({
  limit: { quantity, period: 'day', counts, ...(limitId !== undefined && { limitId }) },
});
const cake = { productId: 'cake', name: 'Cake', unitPrice: 300, noDiscount: false, noPercentageDiscount: false };

function traced(lines: BasketLine[], benefits: BenefitDefinition[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, { ...more, products: [cake], trace: true }));
}

const reasonOf = (benefitId: string, { trace }: ReturnType<typeof traced>) =>
  trace!.benefits.find((benefit) => benefit.benefitId === benefitId);

const appliedIn = ({ trace }: ReturnType<typeof traced>) =>
  trace!.benefits.filter(({ applied }) => applied).map(({ benefitId }) => benefitId);

describe('a guest who asks why a benefit was not given', () => {
  it('is told those that were, by benefitId: on lines, on the order and products', () => {
    const benefits: BenefitDefinition[] = [
      off('d', 90, on('x')),
      { benefitId: 'c', kind: 'order_amount', amount: 10 },
      off('b', 90, on('y')),
      { benefitId: 'a', kind: 'free_product', productId: 'cake' },
      off('less', 50, on('x')),
    ];
    const decision = traced([line('x', 1, 1_000), line('y', 1, 1_000)], benefits);
    expect(reasonOf('less', decision)).toMatchObject({ reason: 'others_save_more', instead: ['a', 'b', 'c', 'd'] });
  });
});

it('limits that are spent are listed by benefitId, wherever their lines stand', () => {
  const benefits = [
    off('a', 90, { ...on('y'), ...limit(5, 'items') }),
    off('b', 90, { ...on('x'), ...limit(5, 'items') }),
  ];
  const { uses } = traced([line('x', 2, 1_000), line('y', 1, 1_000)], benefits);
  expect(uses.map(({ usageKey, units }) => [usageKey.split(/[:#]/)[0], units])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

describe('a benefit that shares a limit with others is told that it is used up', () => {
  const more = off('more', 10, { ...on('x', 'y'), ...limit(3, 'items', 'cups') });

  it('by items, where others took as many as were left', () => {
    const cups = off('cups', 90, { ...on('x'), ...limit(3, 'items', 'cups') });
    const none = traced([line('x', 3, 1_000)], [cups, more]);
    expect(reasonOf('more', none)).toMatchObject({ reason: 'limit_used_up', instead: ['cups'] });
    // Five units of another benefit take nothing of the limit.
    const some = traced([line('x', 2, 1_000), line('y', 5, 1_000)], [cups, more, off('tea', 95, on('y'))]);
    expect(reasonOf('more', some)).toMatchObject({ reason: 'others_save_more' });
  });

  it('by money, where others gave all that was left of it', () => {
    const shared = (quantity: number) => limit(quantity, 'money', 'till');
    const benefits = (quantity: number): BenefitDefinition[] => [
      { benefitId: 'first', kind: 'order_amount', amount: 60, ...shared(quantity) } as BenefitDefinition,
      { benefitId: 'second', kind: 'order_amount', amount: 40, ...shared(quantity), ...on('y') } as BenefitDefinition,
    ];
    const lines = [line('x', 1, 1_000), line('y', 1, 1_000)];
    expect(reasonOf('second', traced(lines, benefits(60)))).toMatchObject({
      reason: 'limit_used_up',
      instead: ['first'],
    });
    expect(appliedIn(traced(lines, benefits(61)))).toEqual(['first', 'second']);
  });

  it('by products given, of which each unit counts', () => {
    const gift = (benefitId: string, quantity: number, group: object = {}): BenefitDefinition =>
      ({
        benefitId,
        kind: 'free_product',
        productId: 'cake',
        quantity,
        ...limit(2, 'items', 'cakes'),
        ...group,
      }) as BenefitDefinition;
    const decision = traced([line('x', 1, 1_000)], [gift('a', 2), gift('b', 1)]);
    expect(reasonOf('b', decision)).toMatchObject({ reason: 'limit_used_up', instead: ['a'] });
  });
});

describe('of combinations that cost the same', () => {
  const lines = [line('x', 1, 1_000), line('y', 1, 1_000)];
  const priority = (own: number) => ({ priority: own });
  const half = (benefitId: string, product: string, more: object = {}) =>
    off(benefitId, 50, { ...on(product), ...more });
  const sole = (benefitId: string, more: object = {}) => off(benefitId, 50, { exclusive: true, ...more });

  it.each([
    [
      'the highest priority',
      [half('d', 'x', priority(1)), half('e', 'y', priority(5)), sole('a', priority(3))],
      ['d', 'e'],
    ],
    ['the highest priority', [half('a', 'x', priority(1)), half('b', 'y', priority(2)), sole('c', priority(3))], ['c']],
    ['the lowest benefitId', [half('a', 'x'), half('d', 'y'), sole('c')], ['a', 'd']],
    ['the lowest benefitId', [half('b', 'x'), half('c', 'y'), sole('a')], ['a']],
  ])('the one with %s is given', (_about, benefits, applied) => {
    expect(appliedIn(traced(lines, benefits))).toEqual(applied);
  });

  it('the one with the highest priority is given, also where it is known beforehand that neither saves more', () => {
    const voucher = (benefitId: string, own: number): BenefitDefinition =>
      ({ benefitId, kind: 'order_amount', amount: 100, exclusive: true, priority: own }) as BenefitDefinition;
    expect(appliedIn(traced(lines, [voucher('a', 1), voucher('b', 2)]))).toEqual(['b']);
  });

  it('the one that keeps what the staff gave is given', () => {
    // 5.00 and the staff's 1.00 off 10.00; or 5.00, and a fifth of the rest.
    const staffed = [line('x', 1, 1_000, allocated(100))];
    const orderDiscounts = [{ orderDiscountId: 'staff-0', type: 'amount' as const, amount: 100 }];
    const fifth: BenefitDefinition = { benefitId: 'fifth', kind: 'order_percent', percent: 20 };
    const basket = buildBasket(staffed, { orderDiscounts });
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    const totalsWith = (amount: number) =>
      expectApplied(basket, priceFully(basket, [fifth, off('a', amount)], { policies })).totals;
    expect(totalsWith(500)).toMatchObject({ total: 400, orderDiscountTotal: 100, loyaltyDiscountTotal: 500 });
    expect(totalsWith(490)).toMatchObject({ total: 408, orderDiscountTotal: 102, loyaltyDiscountTotal: 592 });
  });
});
