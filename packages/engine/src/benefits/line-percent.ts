import { percentOf, toHundredths } from '@loyalty/contract/money/round';
import { PercentValue } from '../compile/fields.ts';
import type { Extent } from '../compile/rule.ts';
import type { AppliesTo, BenefitConditions, PicksUnits } from '../compile/words.ts';
import { costAfterExisting, type LineFacts } from '../lines/lines.ts';
import { type Kind, selectLines } from './kind.ts';

interface LinePercentDefinition extends BenefitConditions, AppliesTo, PicksUnits {
  readonly kind: 'line_percent';
  readonly percent: number;
}

/** Hundredths of a percent in the whole. */
const WHOLE = 10_000;

/** `line_percent`: round_half_up(originalLinePrice × percent / 100) off the line (interface, section 2), or of what it costs after a discount that stays. */
export const linePercent: Kind<LinePercentDefinition> = {
  level: 'line',
  fields: { percent: PercentValue },
  selections: (definition) => selectLines(definition, true),
  compile({ percent }) {
    const percentHundredths = toHundredths(percent)!;
    return {
      level: 'line',
      scale: 'percentage',
      strength: percentHundredths,
      expression: { percentHundredths },
      effect: (line, units, cost = costAfterExisting(line, units)) => percentOf(cost, percentHundredths),
      extent: (line) => percentageExtent(line, percentHundredths),
      together: undefined,
    };
  },
};

/** How a percentage grows with the units of a line. */
export function percentageExtent({ unitPrice, stacked, units }: LineFacts, percentHundredths: number): Extent {
  const product = (stacked === 0 ? unitPrice : unitPrice - stacked / units) * percentHundredths;
  return { perUnit: product / WHOLE, once: 0 };
}
