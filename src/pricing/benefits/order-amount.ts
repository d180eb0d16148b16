import type { Amount } from '../amounts.ts';
import type { AppliesTo, BenefitConditions } from '../benefit-definition.ts';
import { type Kind, selectLines } from './kind.ts';

interface OrderAmountDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'order_amount';
  readonly amount: Amount;
}

/** `order_amount`: an amount off the order, never more than the eligible lines still cost together. */
export const orderAmount: Kind<OrderAmountDefinition> = {
  selections: (definition) => selectLines(definition, false),
  compile: ({ amount }) => ({
    level: 'order',
    amount: (rest) => Math.min(amount, rest),
    percentHundredths: undefined,
  }),
};
