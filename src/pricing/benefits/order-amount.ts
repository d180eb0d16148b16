import type { AppliesTo, BenefitConditions } from '../benefit-definition.ts';
import { type Kind, selectLines } from './kind.ts';

interface OrderAmountDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'order_amount';
  readonly amount: number;
}

/** `order_amount`: an amount off the order, never more than the eligible lines still cost together. */
export const orderAmount: Kind<OrderAmountDefinition> = {
  namesMoney: true,
  selections: (definition) => selectLines(definition, false),
  compile: ({ amount }) => ({
    level: 'order',
    amount: (rest) => Math.min(amount, rest),
    percentHundredths: undefined,
  }),
};
