import { optional, PositiveAmount } from '../compile/fields.ts';
import type { Amount, AppliesTo, BenefitConditions } from '../compile/words.ts';
import { type Kind, selectLines } from './kind.ts';

interface OrderAmountDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'order_amount';
  readonly amount: Amount;
  readonly perSpend?: Amount;
}

/**
 * `order_amount`: an amount off the order, never more than the eligible lines still cost together. With `perSpend` the amount
 * comes once for every full `perSpend` of what the eligible lines cost as they came.
 */
export const orderAmount: Kind<OrderAmountDefinition> = {
  level: 'order',
  fields: { amount: PositiveAmount, perSpend: optional(PositiveAmount, { title: 'for every' }) },
  seesLines: true,
  selections: (definition) => selectLines(definition, false),
  compile: ({ amount, perSpend = 0 }) => ({
    level: 'order',
    amount: (rest, times) => Math.min(times * amount, rest),
    percentHundredths: undefined,
    perSpend,
  }),
};
