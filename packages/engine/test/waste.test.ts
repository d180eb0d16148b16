/** No limited use is spent that saves nothing: which of them are given back. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const benefit = (benefitId: string, kind: string, more: object): BenefitDefinition =>
  ({ benefitId, kind, ...more }) as BenefitDefinition;
const voucher = (benefitId: string, amount: number, more: object = {}) =>
  benefit(benefitId, 'order_amount', { amount, ...more });
const baskets = { limit: { quantity: 5, period: 'day', counts: 'baskets' } };
const items = { limit: { quantity: 5, period: 'day', counts: 'items' } };
const replaces = { existingOrderDiscounts: 'replace_if_larger' } as const;

const ofAll = [line('x', 1, 1_000)];

/** What the basket costs, and which limits are spent. */
function tell(basket: BasketLine[] | BasketRequest, benefits: BenefitDefinition[], more: Circumstances = {}) {
  const own = Array.isArray(basket) ? buildBasket(basket) : basket;
  const decision = priceFully(own, benefits, more);
  const total = decision.status === 'applied' ? decision.totals.total : own.totals.total;
  const spent = decision.status === 'applied' ? decision.uses.map(({ benefitId }) => benefitId) : [];
  return { total, spent };
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
