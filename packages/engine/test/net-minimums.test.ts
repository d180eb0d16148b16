/** Minimums on what lines cost after line-level benefits: what is said of them, and that few steps never give a discount whose minimum is missed. */
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line } from './support/choices.ts';
import { type Circumstances, priceFully } from './support/price.ts';
import { percent } from './support/told.ts';

const voucher = (benefitId: string, amount: number, more: object = {}) =>
  ({ benefitId, kind: 'order_amount', amount, ...more }) as BenefitDefinition;
const net = (minimumSpend: number, more: object = {}) =>
  voucher('net', 50, { minimumSpend, minimumSpendBasis: 'net', ...more });
const ONE = buildBasket([line('a', 1, 1_000)]);

function priced(basket: BasketRequest, benefits: readonly BenefitDefinition[], more: Circumstances = {}) {
  const decision = priceFully(basket, benefits, { ...more, trace: true });
  if (decision.status === 'applied') expect(faultsOfDecision(basket, decision)).toEqual([]);
  const told = decision.trace!.benefits;
  return {
    total: decision.status === 'applied' ? decision.totals.total : basket.totals.total,
    applied: told.flatMap(({ applied, benefitId }) => (applied ? benefitId : [])),
    net: told.find(({ benefitId }) => benefitId === 'net'),
  };
}

it('belongs to a group as others do, and gives way where it is not met', () => {
  const small = voucher('small', 20, { group: 'one' });
  const policies = { groups: { one: { atMost: 1 } } };
  const totalOf = (minimum: number) =>
    priced(ONE, [percent('ten', 10), net(minimum, { group: 'one' }), small], { policies }).total;
  expect([900, 901].map(totalOf)).toEqual([850, 880]);
});

it('within few steps, no discount is given on lines that cost too little for it', () => {
  // 3,000 less 60 % are 1,200.
  const benefits = [net(2_400, { amount: 200 }), percent('sixty', 60)];
  for (let maximumSteps = 0; maximumSteps < 100; maximumSteps++) {
    const { total, applied } = priced(buildBasket([line('x', 3, 1_000)]), benefits, { maximumSteps });
    expect(applied).not.toEqual(['net', 'sixty']);
    expect(total).toBeGreaterThanOrEqual(1_200);
  }
});

it('within few steps, discounts of the staff give way to larger ones only', () => {
  const basket = buildBasket([line('x', 2, 400, allocated(50))], {
    orderDiscounts: [{ orderDiscountId: 'staff-0', type: 'amount', amount: 50 }],
  });
  // 50 of the staff, and three times 20.
  const vouchers = [1, 2, 3].map((at) => voucher(`v${at}`, 20));
  const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
  for (let maximumSteps = 0; maximumSteps < 10; maximumSteps += 0.25) {
    const { total } = priced(basket, vouchers, { policies, maximumSteps });
    expect([740, 750], `${maximumSteps} steps`).toContain(total);
  }
});
