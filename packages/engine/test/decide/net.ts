/** Benefits for tests of minimums on what lines cost after other benefits, and what is told of a basket. */
import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket } from '../support/basket.ts';
import { type Circumstances, priceFully } from '../support/price.ts';

export const benefit = (benefitId: string, kind: string, more: object): BenefitDefinition =>
  ({ benefitId, kind, ...more }) as BenefitDefinition;
export const percent = (benefitId: string, value: number, more: object = {}) =>
  benefit(benefitId, 'line_percent', { percent: value, ...more });
export const net = (benefitId: string, amount: number, minimumSpend: number, more: object = {}) =>
  benefit(benefitId, 'order_amount', { amount, minimumSpend, minimumSpendBasis: 'net', ...more });

/** What a basket costs, with which benefits, and what is known of it. */
export function tell(basket: BasketLine[] | BasketRequest, benefits: BenefitDefinition[], more: Circumstances = {}) {
  const own = Array.isArray(basket) ? buildBasket(basket) : basket;
  const decision = priceFully(own, benefits, { ...more, trace: true });
  const { steps, benefits: told } = decision.trace!;
  const applied = told.filter((each) => each.applied).map(({ benefitId }) => benefitId);
  return {
    total: decision.status === 'applied' ? decision.totals.total : own.totals.total,
    applied,
    steps,
  };
}
