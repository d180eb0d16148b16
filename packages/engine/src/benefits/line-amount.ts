import { Type } from '@loyalty/contract/schema-type';
import { PositiveAmount } from '../compile/fields.ts';
import { type LineRule, PLAIN_AMOUNT } from '../compile/rule.ts';
import type { Amount, AppliesTo, BenefitConditions, PicksUnits } from '../compile/words.ts';
import { perUnit, timesUnits } from '../lines/lines.ts';
import { type Kind, selectLines } from './kind.ts';

interface LineAmountDefinition extends BenefitConditions, AppliesTo, PicksUnits {
  readonly kind: 'line_amount';
  readonly amount: Amount;
  readonly per: 'unit' | 'line';
}

/** `line_amount`: an amount off every unit, or off the line once, never more than the line costs. */
export const lineAmount: Kind<LineAmountDefinition> = {
  level: 'line',
  fields: { amount: PositiveAmount, per: Type.Enum(['unit', 'line']) },
  selections: (definition) => selectLines(definition, false),
  compile: ({ amount, per }) => (per === 'unit' ? amountPerUnit(amount) : amountPerLine(amount)),
};

function amountPerUnit(amount: number): LineRule {
  return {
    level: 'line',
    scale: 'amount per unit',
    strength: amount,
    expression: PLAIN_AMOUNT,
    effect: (line, units) => perUnit(line, amount, units),
    extent: (line) => ({ perUnit: perUnit(line, amount, 1), once: 0 }),
    together: (line, units, price) => timesUnits(line, amount, units, price),
  };
}

function amountPerLine(amount: number): LineRule {
  return {
    level: 'line',
    scale: 'amount per line',
    strength: amount,
    expression: PLAIN_AMOUNT,
    effect: ({ unitPrice }, units) => Math.min(amount, units * unitPrice),
    extent: () => ({ perUnit: 0, once: amount }),
    together: (_line, _units, price) => Math.min(amount, price),
  };
}
