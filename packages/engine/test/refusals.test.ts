/** Why a benefit did not apply although it is open, in the words of its minimums, its group and the other benefits. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, staff } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
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

describe('required goods (`requires`)', () => {
  const machine = { requires: on('m') };
  const order = (more: object) =>
    ({ benefitId: 'b', kind: 'order_percent', percent: 20, ...more }) as BenefitDefinition;

  it('count where they may not be discounted, and not where they cost nothing or the programme leaves them out', () => {
    const [coffee, machineLine] = [line('a', 1, 1_000), line('m', 1, 5_000)];
    expect(told([order(machine)], {}, [{ ...machineLine, noDiscount: true }, coffee])).toEqual({ saved: 200 });
    const refused = { reason: 'goods_missing', change: '1 more of m' };
    expect(told([order(machine)], {}, [line('m', 1, 0), coffee])).toMatchObject(refused);
    const policies = { exclude: { productIds: ['m'] } };
    expect(told([order(machine)], { policies }, [machineLine, coffee])).toMatchObject(refused);
  });

  it('are all required where there are several, and each says what it lacks', () => {
    const requires = [on('m'), { ...on('x', 'y'), quantity: 2 }, { spend: 90_000 }];
    expect(told([order({ requires })], {}, [line('m', 1, 5_000), line('x', 1, 1_000)])).toEqual({
      reason: 'goods_missing',
      change: '1 more of x or y, 840.00 more of any product',
      explanation: 'It requires 1 of m and 2 of x or y and 900.00 of any product in the basket.',
    });
  });

  it('do not make an offer of a benefit that has nothing to discount', () => {
    expect(told([percent('b', 10, { ...on('a'), ...machine })], {}, [line('m', 1, 5_000)])).toEqual({
      reason: 'no_matching_line',
      change: '1 more of a',
    });
  });
});

describe('a bundle lacks', () => {
  const either = on('c', 't');

  it.each<[what: string, items: object[], units: Record<string, number>, change: string]>([
    ['its own and any', [{ ...on('c'), quantity: 2 }, {}], { c: 1 }, '1 more of c, 1 more of any product'],
    ['any and its own', [{}, { ...on('c'), quantity: 2 }], { c: 1 }, '1 more of c, 1 more of any product'],
    ['any alone', [{ ...on('c'), quantity: 2 }, {}], { c: 2 }, '1 more of any product'],
    [
      'two that share one unit, beside a third that has more',
      [either, on('c'), on('u')],
      { c: 1, u: 3 },
      '1 more of c or t',
    ],
    ['either of two', [either, on('c'), on('t')], { c: 1, t: 1 }, '1 more of c or t'],
    ['none that another one has which may have others', [either, on('c', 'u'), on('x')], { c: 1, t: 1 }, '1 more of x'],
    ['one of two, and both', [either, { ...on('c'), quantity: 2 }, on('t')], { t: 2 }, '2 more of c'],
  ])('%s', (_, items, units, change) => {
    const lines = Object.entries(units).map(([name, quantity]) => line(name, quantity, 1_000));
    const all = items.map((item) => ({ quantity: 1, ...item }));
    const menu = { benefitId: 'b', kind: 'bundle_price', bundlePrice: 100, items: all } as never;
    expect(told([menu], {}, lines)).toMatchObject({ reason: 'too_few_units', change });
  });
});

it('lines that the staff made cheaper do not qualify where a benefit leaves them out (`excludeDiscounted`)', () => {
  const appliesTo = { productIds: ['r'], excludeDiscounted: true };
  const benefit = { benefitId: 'b', kind: 'order_percent', percent: 10, appliesTo } as BenefitDefinition;
  const lines = [line('a', 2, 1_000), line('r', 2, 2_000, staff(400))];
  expect(told([benefit], {}, lines)).toEqual({ reason: 'lines_discounted' });
  expect(told([benefit], {}, lines.slice(0, 1))).toEqual({
    reason: 'no_matching_line',
    change: '1 more of r without a staff discount',
  });
  expect(priceFully(buildBasket(lines), [benefit])).toMatchObject({ reason: 'no_applicable_benefits' });
});

describe('a basket is too small (interface, section 2)', () => {
  const items = [on('a'), on('drink')].map((item) => ({ quantity: 1, ...item }));
  const menu = { benefitId: 'menu', kind: 'bundle_price', percent: 10, items } as BenefitDefinition;
  const dear: BenefitDefinition = { benefitId: 'dear', kind: 'unit_price', unitPrice: 9_000 };
  const reasonOf = (benefits: BenefitDefinition[], own = line('a', 1, 1_000), more: Circumstances = {}) => {
    const decision = priceFully(buildBasket([own]), benefits, more);
    return decision.status === 'unchanged' ? decision.reason : decision.status;
  };

  it('where one of its benefits lacks units or a minimum, whatever the others lack', () => {
    expect(reasonOf([dear])).toBe('all_lines_excluded');
    expect(reasonOf([dear, menu])).toBe('basket_too_small');
    expect(reasonOf([dear, percent('spend', 10, { minimumSpend: 5_000 })])).toBe('basket_too_small');
  });

  it('where benefits may replace what the staff gave, and not where all that they gave is kept', () => {
    const policies = { existingDiscountScope: 'basket', existingLineDiscounts: 'replace_if_larger' } as const;
    const of = (existingOrderDiscounts: 'keep' | 'replace_if_larger') =>
      reasonOf([menu], line('a', 1, 1_000, staff(10)), { policies: { ...policies, existingOrderDiscounts } });
    expect([of('replace_if_larger'), of('keep')]).toEqual(['basket_too_small', 'all_lines_excluded']);
  });
});
