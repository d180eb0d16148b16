import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, priceFully } from './support/price.ts';

/** Minimums on what lines cost after line-level benefits. */

const ten: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };
const net = (minimumSpend: number, amount = 50): BenefitDefinition => ({
  benefitId: 'net',
  kind: 'order_amount',
  amount,
  minimumSpend,
  minimumSpendBasis: 'net',
});
const line = (at: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId: `line-${at}`, quantity: 1, unitPrice, ...more });

function price(benefits: BenefitDefinition[], lines: BasketLine[], more: Circumstances = {}) {
  const basket = buildBasket(lines);
  const decision = priceFully(basket, benefits, { trace: true, ...more });
  if (decision.status === 'applied') expect(faultsOfDecision(basket, decision)).toEqual([]);
  const total = decision.status === 'applied' ? decision.totals.total : basket.totals.total;
  const why = (benefitId: string) => decision.trace!.benefits.find((benefit) => benefit.benefitId === benefitId)!;
  return { decision, total, why, ...decision.trace! };
}

describe('a net minimum', () => {
  it('says what is missing after other benefits, also where the basket as it came is too small', () => {
    // 1,000 less 100 for the members is 900.
    expect(price([ten, net(1_050)], [line(0, 1_000)]).why('net')).toMatchObject({
      reason: 'below_minimum_spend',
      change: '1.50 short of the minimum after other benefits',
    });
  });

  it('belongs to a group as others do, and gives way where it is not met', () => {
    const small: BenefitDefinition = { benefitId: 'small', kind: 'order_amount', amount: 20, group: 'one' };
    const policies = { groups: { one: { atMost: 1 } } };
    const totalOf = (minimum: number) =>
      price([ten, { ...net(minimum), group: 'one' }, small], [line(0, 1_000)], { policies }).total;
    expect([900, 901].map(totalOf)).toEqual([850, 880]);
  });
});
