import { perUnit } from '../lines.ts';
import type { LineKind } from './kind.ts';

/** `unit_price`: a lower price per unit, shown as `overrideUnitPrice` and not as a discount. */
export const unitPrice: LineKind<'unit_price'> = {
  level: 'line',
  isPercentage: false,
  namesMoney: true,
  canBeCut: false,
  compile: ({ kind, unitPrice: price }) => ({ kind, unitPrice: price }),
  selectors: ({ appliesTo }) => [appliesTo],
  effect: (rule, line, units) =>
    rule.unitPrice < line.line.unitPrice ? units * line.unitPrice - perUnit(line, rule.unitPrice, units) : 0,
  express: (rule) => ({ overrideUnitPrice: rule.unitPrice }),
};
