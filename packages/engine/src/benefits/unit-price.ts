import { AnyAmount } from '../compile/fields.ts';
import type { Amount, AppliesTo, BenefitConditions, PicksUnits } from '../compile/words.ts';
import { type LineFacts, perUnit, timesUnits } from '../lines/lines.ts';
import { type Kind, selectLines } from './kind.ts';

interface UnitPriceDefinition extends BenefitConditions, AppliesTo, PicksUnits {
  readonly kind: 'unit_price';
  readonly unitPrice: Amount;
}

/** `unit_price`: a lower price per unit, shown as `overrideUnitPrice` and not as a discount. */
export const unitPrice: Kind<UnitPriceDefinition> = {
  level: 'line',
  fields: { unitPrice: AnyAmount },
  selections: (definition) => selectLines(definition, false),
  compile({ unitPrice: price }) {
    const effect = (line: LineFacts, units: number) => units * line.unitPrice - perUnit(line, price, units);
    return {
      level: 'line',
      scale: 'price per unit',
      strength: -price,
      expression: { overrideUnitPrice: price },
      effect,
      extent: (line) => ({ perUnit: effect(line, 1), once: 0 }),
      together: (line, units, full) => full - timesUnits(line, price, units, full),
    };
  },
};
