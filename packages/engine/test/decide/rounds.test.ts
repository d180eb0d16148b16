/** How the steps of a choice are shared out over exclusive benefits and ways for the staff's discounts to stand, and what is then known. */

import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from '../support/basket.ts';
import { line } from '../support/choices.ts';
import { type Circumstances, netCostOf, priceFully } from '../support/price.ts';

const on = (...productIds: string[]) => ({ appliesTo: { productIds } });
const benefit = (benefitId: string, kind: string, more: object): BenefitDefinition =>
  ({ benefitId, kind, ...more }) as BenefitDefinition;
const percent = (benefitId: string, value: number, more: object = {}) =>
  benefit(benefitId, 'line_percent', { percent: value, ...more });
const voucher = (benefitId: string, amount: number, more: object = {}) =>
  benefit(benefitId, 'order_amount', { amount, ...more });
const exclusive = { exclusive: true };
const replaces = { existingOrderDiscounts: 'replace_if_larger' } as const;

/** Forty lines on which a pair of two products takes some five hundred steps to choose. */
const LINES = Array.from({ length: 40 }, (_, at) =>
  line(`l${at}`, 1 + (at % 3), 1_000 + 37 * at, { productId: `p${at % 4}` }),
);
const pair = (more: object = {}, at = 0): BenefitDefinition =>
  benefit('pair', 'bundle_price', {
    items: [at, (at + 1) % 4].map((product) => ({ quantity: 1, ...on(`p${product}`) })),
    bundlePrice: 2_000 + 100 * at,
    ...more,
  });
const MANY = Array.from({ length: 200 }, (_, at) => line(`l${at}`, 1, 1_000));

function tell(basket: BasketRequest | BasketLine[], benefits: BenefitDefinition[], more: Circumstances = {}) {
  const own = Array.isArray(basket) ? buildBasket(basket) : basket;
  const decision = priceFully(own, benefits, { ...more, trace: true });
  const { steps, benefits: told } = decision.trace!;
  const applied = told.filter((each) => each.applied).map(({ benefitId }) => benefitId);
  return { applied, steps, netCost: netCostOf(own, decision) };
}

/** A basket of which the staff took some off the first line. */
function staffed([first, ...others]: BasketLine[], amount: number): BasketRequest {
  const allocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: amount }];
  const { orderLinePrice: _own, ...rest } = first!;
  return buildBasket([buildLine({ ...rest, orderDiscountAllocation: allocation }), ...others], {
    orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount }],
  });
}

describe('what a bounded choice may miss', () => {
  it('holds the products of benefits that it had no steps for', () => {
    const cake = { productId: 'cake', name: 'Cake', unitPrice: 4_900, noDiscount: false, noPercentageDiscount: false };
    const benefits = [
      benefit('gift', 'free_product', { productId: 'cake' }),
      percent('ten', 10),
      percent('sole', 20, exclusive),
    ];
    const within = (maximumSteps: number) =>
      tell([line('x', 1, 1_000), line('y', 1, 1_000)], benefits, { products: [cake], maximumSteps });
    const best = within(100);
    expect(best).toMatchObject({ applied: ['gift', 'ten'], netCost: 1_800 - 4_900 });
    for (const maximumSteps of [0, 1, 2]) expect(within(maximumSteps).netCost).toBeGreaterThanOrEqual(best.netCost);
  });
});

describe('an exclusive benefit', () => {
  it('leaves three quarters of the steps to the others', () => {
    const quarters = ['p0', 'p1', 'p2', 'p3'].map((product) => percent(product, 22, on(product)));
    expect(tell(LINES, [pair(exclusive), ...quarters], { maximumSteps: 200 }).applied).toEqual([
      'p0',
      'p1',
      'p2',
      'p3',
    ]);
  });

  it('has what the others did not need, and may then be proven', () => {
    const few = tell(LINES, [pair(exclusive), percent('one', 1)], { maximumSteps: 700 });
    expect(few).toMatchObject({ applied: ['pair'] });
  });

  it('that is decided is not decided again', () => {
    const one = percent('one', 1);
    const stepsOf = (own: BenefitDefinition[]) => tell(LINES, own, { maximumSteps: 100_000 }).steps;
    expect(stepsOf([pair(exclusive), one])).toBeLessThanOrEqual(stepsOf([pair(exclusive)]) + stepsOf([one]));
  });

  it('that plainly saves less than another takes no steps', () => {
    const most = percent('z', 80, exclusive);
    expect(tell(LINES, [pair(exclusive), most]).steps).toBe(tell(LINES, [most]).steps);
  });

  it('that turns out to save less than another is not computed to the unit', () => {
    const off = (count: number) => Array.from({ length: count }, (_, at) => percent(`e${at}`, 50 - at, exclusive));
    expect(tell(MANY, off(40)).steps).toBeLessThan(4 * tell(MANY, off(1)).steps);
  });

  it('counts a look at each line, for each way in which the discounts of the staff may stand', () => {
    const basket = staffed(MANY, 5);
    const half = [percent('half', 50, exclusive), voucher('order', 100, exclusive)];
    const low = Array.from({ length: 50 }, (_, at) => voucher(`v${at}`, 10, exclusive));
    const stepsOf = (benefits: BenefitDefinition[]) => tell(basket, benefits, { policies: replaces }).steps;
    // 50 benefits, two ways, 200 lines, and 0.004 steps for each.
    expect(stepsOf([...half, ...low]) - stepsOf(half)).toBeGreaterThanOrEqual(80);
  });
});

describe('of the ways in which the discounts of the staff may stand', () => {
  const order = voucher('order', 900);

  it.each([
    [1_000, ['order', 'pair']],
    [12_000, ['order', 'pair']],
  ])('each has its part of %d steps', (maximumSteps, applied) => {
    const told = tell(staffed(LINES, 500), [pair(), order], { policies: replaces, maximumSteps });
    expect(told).toMatchObject({ applied });
  });

  it('each has its part for exclusive benefits too', () => {
    const pairs = [0, 1, 2, 3].map((at) => pair({ benefitId: `pair-${at}` }, at));
    const most = percent('most', 60, { maximumUnits: 60, ...exclusive });
    const told = tell(staffed(LINES, 500), [...pairs, most, order], { policies: replaces, maximumSteps: 1_000 });
    expect(told.applied).toEqual(['most']);
  });

  it('there is one where no benefit on the order is open', () => {
    const told = (policies: Circumstances['policies']) =>
      tell(staffed(LINES, 500), [pair()], { ...(policies && { policies }), maximumSteps: 400 });
    expect(told(replaces)).toEqual(told(undefined));
  });

  it('are compared with a look at every line for each discount on the order', () => {
    const vouchers = (count: number) => Array.from({ length: count }, (_, at) => voucher(`v${at}`, 10 + at));
    const stepsOf = (count: number) => tell(staffed(MANY, 5), vouchers(count), { policies: replaces }).steps;
    // Nine discounts on 200 lines, and 0.1 steps for each share: when they are compared, and when they are given.
    const more = stepsOf(10) - stepsOf(1);
    expect(more).toBeGreaterThanOrEqual(360);
    expect(more).toBeLessThan(400);
  });
});

describe('the steps of a choice', () => {
  it('are as many for a benefit of a group that has no other', () => {
    const policies = { groups: { two: { atMost: 1 } } };
    for (const maximumSteps of [300, 400, 12_000]) {
      const alone = tell(LINES, [pair({ group: 'two' })], { policies, maximumSteps });
      expect(alone).toEqual(tell(LINES, [pair()], { maximumSteps }));
    }
  });

  it('are as many where other benefits are closed', () => {
    const limit = { quantity: 1, period: 'day', counts: 'baskets' };
    const closed = Array.from({ length: 100 }, (_, at) =>
      voucher(`v${at}`, 10, { limit, when: { from: '2030-01-01' } }),
    );
    expect(tell(LINES, [percent('ten', 10), ...closed]).steps).toBe(tell(LINES, [percent('ten', 10)]).steps);
  });

  it('grow with the lines and with what is shared out over them', () => {
    const vouchers = Array.from({ length: 10 }, (_, at) => voucher(`v${at}`, 10 + at));
    const half = percent('half', 50);
    const without = tell(MANY, [half]).steps;
    expect(without).toBeGreaterThanOrEqual(200);
    expect(tell(MANY, [half, ...vouchers]).steps - without).toBeGreaterThanOrEqual(200);
  });
});
