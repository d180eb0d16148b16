/** No limited use is spent that saves nothing: which of them are given back, how many are tried, and what that takes. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { allocated, line } from '../support/choices.ts';
import { type Circumstances, priceFully } from '../support/price.ts';

const benefit = (benefitId: string, kind: string, more: object): BenefitDefinition =>
  ({ benefitId, kind, ...more }) as BenefitDefinition;
const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const percent = (benefitId: string, value: number, more: object = {}) =>
  benefit(benefitId, 'line_percent', { percent: value, ...more });
const voucher = (benefitId: string, amount: number, more: object = {}) =>
  benefit(benefitId, 'order_amount', { amount, ...more });
const gift = (benefitId: string, more: object = {}) =>
  benefit(benefitId, 'free_product', { productId: 'cake', ...more });
const cake = { productId: 'cake', name: 'Cake', unitPrice: 300, noDiscount: false, noPercentageDiscount: false };
const baskets = { limit: { quantity: 5, period: 'day', counts: 'baskets' } };
const items = { limit: { quantity: 5, period: 'day', counts: 'items' } };
const replaces = { existingOrderDiscounts: 'replace_if_larger' } as const;

const ofAll = [line('x', 1, 1_000)];

/** What the basket costs, which limits are spent, and in how many steps that was found. */
function tell(basket: BasketLine[] | BasketRequest, benefits: BenefitDefinition[], more: Circumstances = {}) {
  const own = Array.isArray(basket) ? buildBasket(basket) : basket;
  const decision = priceFully(own, benefits, { products: [cake], ...more, trace: true });
  const total = decision.status === 'applied' ? decision.totals.total : own.totals.total;
  const spent = decision.status === 'applied' ? decision.uses.map(({ benefitId }) => benefitId) : [];
  return { total, spent, steps: decision.trace!.steps };
}

describe('where a discount on the order takes all that is left', () => {
  const all = voucher('all', 1_000);

  it.each([
    ['coupon', percent('coupon', 50, items)],
    ['coupon of a basket', percent('coupon', 50, baskets)],
    ['grant', percent('coupon', 50, { audience: 'granted' })],
    ['bundle', benefit('coupon', 'bundle_price', { items: [{ quantity: 1 }], amount: 200, ...baskets })],
    ['discount on the order', voucher('coupon', 200, { priority: 1, ...baskets })],
  ])('a %s is not spent', (_about, coupon) => {
    const member = { grants: [{ benefitId: 'coupon', grantId: 'one', quantity: 1 }] };
    expect(tell(ofAll, [coupon, all], { member })).toMatchObject({ total: 0, spent: [] });
    expect(tell([...ofAll, line('y', 1, 1_000)], [coupon, all], { member }).spent).toEqual(['coupon']);
  });

  it('a coupon is not spent where it takes all of some lines, and others cost something', () => {
    const lines = [...ofAll, line('y', 1, 1_000)];
    const own = { ...on('x'), ...items };
    expect(tell(lines, [percent('coupon', 50, own), voucher('all', 1_000, on('x'))]).spent).toEqual([]);
  });

  it('a coupon that makes a line free is not spent either, and the voucher takes the line', () => {
    expect(tell(ofAll, [percent('coupon', 100, items), all])).toMatchObject({ total: 0, spent: [] });
  });

  it('one with the lower priority is given back, of equals the one with the higher benefitId', () => {
    const lines = [line('x', 1, 500), line('y', 1, 500)];
    // The voucher takes 750: without one of the two coupons 500 and 250 are left.
    const some = voucher('some', 750, baskets);
    const [a, b] = [percent('a', 50, { ...on('x'), ...items }), percent('b', 50, { ...on('y'), ...items })];
    expect(tell(lines, [a, b, some])).toMatchObject({ total: 0, spent: ['a', 'some'] });
    expect(tell(lines, [a, { ...b, priority: 1 } as BenefitDefinition, some]).spent).toEqual(['b', 'some']);
  });

  it('a coupon that is needed stays, and so do those of which two would come in its place', () => {
    const lines = [line('x', 1, 500), line('y', 1, 500)];
    const both = percent('both', 50, { priority: -1, limit: { quantity: 1, period: 'day', counts: 'baskets' } });
    const single = ['x', 'y'].map((name) => percent(name, 50, { ...on(name), ...items }));
    expect(tell(lines, [both, ...single, voucher('some', 500)])).toMatchObject({ total: 0, spent: ['both'] });
  });

  it('a discount stays spent without which those of the staff were larger', () => {
    // The staff took 350 off z. The two vouchers on x take 400 of it as it came, and one of them 300; 300 are left of x.
    const basket = buildBasket([line('x', 1, 400), line('z', 1, 400, allocated(350))], {
      orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 350 }],
    });
    const benefits = [
      ...[percent('quarter', 25, on('x')), percent('half', 50, on('z'))],
      ...[voucher('first', 100, { priority: 1, ...on('x'), ...baskets }), voucher('other', 300, on('x'))],
    ];
    expect(tell(basket, benefits, { policies: replaces })).toMatchObject({ total: 200, spent: ['first'] });
  });

  it('a coupon is given back beside a product of a group of which another is given', () => {
    const group = { group: 'gifts' };
    const benefits = [percent('coupon', 50, items), all, gift('one', group), gift('two', group)];
    const policies = { groups: { gifts: { atMost: 1 } } };
    expect(tell(ofAll, benefits, { policies })).toMatchObject({ total: 0, spent: [] });
  });

  it('eight are tried, those that are limited and no products', () => {
    // The voucher takes 950 of 1,000. The first takes 50 off, so that the others save nothing.
    const own = (at: number) => percent(`p${at}`, at === 0 ? 50 : 5, { ...on(`x${at}`), ...items });
    const ten = Array.from({ length: 10 }, (_, at) => own(at));
    const lines = ten.map((_, at) => line(`x${at}`, 1, 100));
    expect(tell(lines, [...ten, voucher('some', 950)])).toMatchObject({ total: 0, spent: ['p0', 'p1'] });
    const low = { priority: -1 };
    const others = Array.from({ length: 8 }, (_, at) => gift(`g${at}`, { ...low, ...baskets }));
    const free = Array.from({ length: 8 }, (_, at) => percent(`u${at}`, 5, { ...low, ...on(`x${at}`) }));
    const told = tell(lines, [...others, ...free, ten[8]!, all]);
    expect(told.spent).toEqual(others.map(({ benefitId }) => benefitId));
  });
});

describe('of benefits that are spent by the basket', () => {
  const lines = [line('x', 1, 1_000), line('y', 1, 1_000)];
  const grants = ['a', 'b'].map((benefitId) => ({ benefitId, grantId: benefitId, quantity: 1 }));

  it.each([
    ['limits', baskets],
    ['grants', { audience: 'granted' }],
  ])('one does for the lines of another that saves as much there: %s', (_about, more) => {
    const benefits = [percent('a', 10, { ...on('x'), ...more }), percent('b', 10, more)];
    expect(tell(lines, benefits, { member: { grants } })).toMatchObject({ total: 1_800, spent: ['b'] });
  });

  it('the one with the lower priority is given back', () => {
    const [a, b] = [percent('a', 10, baskets), percent('b', 10, baskets)];
    const last = percent('c', 20, { ...on('y'), ...baskets });
    expect(tell(lines, [a, b, last]).spent).toEqual(['a', 'c']);
  });
});

describe('nothing is tried, which takes no steps', () => {
  const LINES = Array.from({ length: 100 }, (_, at) => line(`x${at}`, 1, 1_000));
  const half = (benefitId: string, own: readonly BasketLine[], more: object = {}) =>
    percent(benefitId, 10, { ...on(...own.map(({ lineId }) => lineId)), ...more });
  /** How many more steps a basket takes where one of its two benefits is a coupon. */
  const more = (
    benefits: BenefitDefinition[],
    asked: Circumstances = {},
    basket: BasketLine[] | BasketRequest = LINES,
  ) => {
    const rest = half('rest', LINES.slice(50));
    const stepsOf = (own: object) =>
      tell(basket, [half('own', LINES.slice(0, 50), own), rest, ...benefits], asked).steps;
    return stepsOf(baskets) - stepsOf({});
  };

  it('with one that is spent by the basket', () => {
    expect(more([])).toBe(0);
  });

  it('with several of which units are spent', () => {
    const two = (own: object) => [half('a', LINES.slice(0, 50), own), half('b', LINES.slice(50), own)];
    // To choose again without one of them takes half as many steps.
    expect(tell(LINES, two(items)).steps).toBeLessThan(1.2 * tell(LINES, two({ maximumUnits: 5 })).steps);
  });

  it('with discounts on the order that leave something', () => {
    expect(more([voucher('order', 500)])).toBe(0);
    expect(more([voucher('order', 500, baskets)])).toBe(0);
    expect(more([voucher('order', 500, on('x0'))])).toBe(0);
  });

  it('with a discount on the order for which the basket has no goods', () => {
    const basket = [...LINES, line('paper', 1, 0), line('bag', 1, 500, { existingLineDiscountAmount: 500 })];
    for (const own of ['paper', 'bag']) expect(more([voucher('order', 500, on(own))], {}, basket)).toBe(0);
  });

  it('where all steps are used up', () => {
    const all = voucher('all', 1_000_000);
    for (const maximumSteps of [50, 100]) expect(more([all], { maximumSteps })).toBe(0);
    expect(more([all])).toBeGreaterThan(0);
  });

  it('where the discounts of the staff stay, and none on the order are given', () => {
    const [first, ...others] = LINES;
    const basket = buildBasket([line('x0', 1, first!.unitPrice, allocated(900)), ...others], {
      orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 900 }],
    });
    expect(more([voucher('order', 500)], { policies: replaces }, basket)).toBe(0);
  });
});
