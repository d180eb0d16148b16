import { percentOf, toHundredths } from '@loyalty/contract/money/round';
import { PercentValue } from '../compile/fields.ts';
import type { AppliesTo, BenefitConditions } from '../compile/words.ts';
import { type Kind, selectLines } from './kind.ts';

interface OrderPercentDefinition extends BenefitConditions, AppliesTo {
  readonly kind: 'order_percent';
  readonly percent: number;
}

/** `order_percent`: a percentage of what the eligible lines still cost together, rounded once. */
export const orderPercent: Kind<OrderPercentDefinition> = {
  level: 'order',
  fields: { percent: PercentValue },
  seesLines: true,
  selections: (definition) => selectLines(definition, true),
  compile({ percent }) {
    const percentHundredths = toHundredths(percent)!;
    return { level: 'order', amount: (rest) => percentOf(rest, percentHundredths), percentHundredths, perSpend: 0 };
  },
};
