/** Why a benefit did not apply although it is open, in the words of its minimums, its group and the other benefits. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { allocated, line, staff } from './support/choices.ts';
import type { Circumstances } from './support/price.ts';
import { on, percent, told } from './support/told.ts';

it('a group that is full names its members and what they gave', () => {
  const policies = { groups: { lunch: { atMost: 2 } } };
  const group = { group: 'lunch' };
  const benefits = [
    ...[percent('b', 10, { ...group, ...on('a') }), percent('d', 30, { ...group, ...on('d') })],
    percent('c', 20, { ...group, ...on('c') }),
  ];
  const lines = ['a', 'c', 'd'].map((name) => line(name, 1, 1_000));
  expect(told(benefits, { policies }, lines)).toEqual({
    reason: 'group_used_up',
    change: 'the group `lunch` gave 5.00 already',
    instead: ['c', 'd'],
  });
  // A group with room for another benefit is no reason.
  const two = [percent('b', 10, group), percent('c', 20, group)];
  expect(told(two, { policies })).toEqual({ reason: 'others_save_more', instead: ['c'] });
});

describe('a minimum after other benefits', () => {
  const order = (more: object) =>
    ({ benefitId: 'b', kind: 'order_amount', amount: 50, minimumSpendBasis: 'net', ...more }) as BenefitDefinition;
  const lines = [line('a', 1, 1_000), line('c', 1, 500)];

  it.each<[string, object, object]>([
    ['is met', { minimumSpend: 1_400 }, { saved: 50 }],
    [
      'is short by what others took',
      { minimumSpend: 1_450 },
      { change: '0.50 short of the minimum after other benefits' },
    ],
    ['is short of what came', { minimumSpend: 1_600 }, { change: '2.00 short of the minimum after other benefits' }],
    ['counts its own lines', { minimumSpend: 600, ...on('c') }, { change: '1.00 more' }],
    ['counts all lines', { minimumSpend: 1_400, minimumSpendOn: 'basket', ...on('c') }, { saved: 50 }],
    [
      'is short on all lines',
      { minimumSpend: 1_600, minimumSpendOn: 'basket', ...on('c') },
      { change: '2.00 short of the minimum after other benefits' },
    ],
  ])('%s', (_case, more, words) => {
    const reason = 'saved' in words ? {} : { reason: 'below_minimum_spend' };
    expect(told([order(more), percent('ten', 10, on('a'))], {}, lines)).toEqual({ ...reason, ...words });
  });

  it('is told with the larger of what it lacks and what one of `perSpend` lacks', () => {
    const per = (perSpend: number, minimumSpend: number) => order({ perSpend, minimumSpend });
    const change = (...own: [number, number]) => told([per(...own)], {}, [line('a', 1, 4_000)]);
    const reason = 'below_minimum_spend';
    expect(change(5_000, 20_000)).toEqual({ reason, change: '160.00 more' });
    expect(change(5_000, 4_500)).toEqual({ reason, change: '10.00 more' });
    expect(change(3_000, 4_500)).toEqual({ reason, change: '5.00 more' });
    const beside = [per(4_100, 4_000), percent('c', 10)];
    expect(told(beside, {}, [line('a', 1, 4_000)])).toEqual({
      reason,
      change: '4.00 short of the minimum after other benefits',
    });
  });

  it.each([800, 900])('is not the reason where %i of 900 are asked for', (minimumSpend) => {
    const own = [line('a', 1, 1_000)];
    expect(told([order({ minimumSpend }), percent('c', 10, { exclusive: true })], {}, own)).toEqual({
      reason: 'not_combinable',
      instead: ['c'],
    });
  });
});

it('a minimum saving that is not reached says what would have been saved', () => {
  expect(told([percent('b', 10, { minimumSaving: 301 })])).toEqual({
    reason: 'below_minimum_saving',
    change: 'saves 3.00, and 3.01 at least are asked for',
  });
  expect(told([percent('b', 10, { minimumSaving: 300 })])).toEqual({ saved: 300 });
  // Beside another benefit it would save less than alone, and no more than alone where the other one saves more everywhere.
  const lines = [line('a', 1, 1_000), line('c', 1, 2_000), line('d', 1, 1_000)];
  const others = [percent('c', 20, on('c')), percent('d', 50, { ...on('d'), minimumSaving: 9_000 })];
  expect(told([percent('b', 10, { minimumSaving: 350 }), ...others], {}, lines)).toEqual({
    reason: 'below_minimum_saving',
    change: 'saves 2.00, and 3.50 at least are asked for',
  });
  expect(told([percent('b', 10, { minimumSaving: 301 }), percent('c', 20)])).toEqual({
    reason: 'below_minimum_saving',
    change: 'saves 3.00, and 3.01 at least are asked for',
  });
});

it('a benefit is not looked at alone where no steps are left', () => {
  const dear = line('a', 1, 1_000, staff(900));
  expect(told([percent('b', 10)], {}, [dear])).toEqual({ reason: 'nothing_to_save' });
  expect(told([percent('b', 10)], { maximumSteps: 0 }, [dear])).toEqual({ reason: 'others_save_more', instead: [] });
});

it('a discount on the order is not kept out by what the staff gave on a line', () => {
  const policies = { existingLineDiscounts: 'keep' } as const;
  const order = (benefitId: string, amount: number) => ({ benefitId, kind: 'order_amount', amount }) as const;
  const benefits = [order('b', 50), { ...order('c', 100), exclusive: true }];
  expect(told(benefits, { policies }, [line('a', 1, 1_000, staff(100))])).toEqual({
    reason: 'not_combinable',
    instead: ['c'],
  });
});

it('an exclusive benefit is not combined, whichever of the two it is', () => {
  const lines = [line('a', 1, 1_000), line('c', 1, 1_000)];
  const other = (more: object) => percent('c', 20, { ...on('c'), ...more });
  const refused = { reason: 'not_combinable', instead: ['c'] };
  expect(told([percent('b', 10, on('a')), other({ exclusive: true })], {}, lines)).toEqual(refused);
  expect(told([percent('b', 10, { ...on('a'), exclusive: true }), other({})], {}, lines)).toEqual(refused);
});

it('a product that is given beside protected lines is not refused because of them', () => {
  const lines = [line('a', 1, 1_000, { noDiscount: true }), line('c', 1, 1_000)];
  const gift = (more: object = {}) =>
    ({ benefitId: 'b', kind: 'free_product', productId: 'cake', ...on('a'), ...more }) as BenefitDefinition;
  const cake = { productId: 'cake', name: 'Cake', unitPrice: 100, noDiscount: false, noPercentageDiscount: false };
  const products = [cake];
  expect(told([gift()], { products }, lines)).toEqual({ saved: 100 });
  expect(told([gift(), percent('c', 20, { exclusive: true })], { products }, lines)).toEqual({
    reason: 'not_combinable',
    instead: ['c'],
  });
  const policies = { groups: { one: { atMost: 1 } } };
  const other = percent('c', 20, { group: 'one' });
  expect(told([gift({ group: 'one' }), other], { products, policies }, lines)).toMatchObject({
    reason: 'group_used_up',
    instead: ['c'],
  });
  expect(told([gift({ minimumSpend: 500 })], { products }, lines)).toEqual({
    reason: 'below_minimum_spend',
    change: '5.00 more',
  });
});

describe('staff discounts that stay', () => {
  const policies = {
    existingDiscountScope: 'basket',
    existingLineDiscounts: 'replace_if_larger',
    existingOrderDiscounts: 'replace_if_larger',
  } as const;
  const lines = [line('a', 1, 1_000, staff(300)), line('c', 1, 1_000, { ...staff(200), ...allocated(40, 20) })];
  const orderDiscounts: BasketRequest['orderDiscounts'] = [
    { orderDiscountId: 'staff-0', type: 'amount', amount: 40 },
    { orderDiscountId: 'staff-1', type: 'amount', amount: 20 },
  ];
  const kept = (more: Circumstances) => told([percent('b', 10)], { policies, ...more }, lines, { orderDiscounts });
  const sentence = (words: string) => ({
    reason: 'existing_discount_kept',
    explanation: `Staff discounts of 5.60 or benefits${words}`,
  });

  it('are told with what the benefits would give', () => {
    expect(kept({})).toEqual(sentence(' of 2.00, never both: the cheaper for the guest stays.'));
  });

  it('are told alone where they never give way, or no steps are left to see what the benefits would give', () => {
    const alone = sentence(', never both: the staff discounts stay.');
    expect(kept({ policies: { ...policies, existingOrderDiscounts: 'keep' } })).toEqual(alone);
    expect(kept({ maximumSteps: 0 })).toEqual(alone);
  });
});

it('lines that the programme leaves out are told apart from those that are not there', () => {
  const policies = { exclude: { productIds: ['a'] } };
  expect(told([percent('b', 10, on('a'))], { policies })).toEqual({ reason: 'lines_excluded' });
  expect(told([percent('b', 10, on('z'))], { policies })).toEqual({
    reason: 'no_matching_line',
    change: '1 more of z',
  });
});
