import { perUnit } from '../lines.ts';
import type { LineKind } from './kind.ts';

/** `line_amount`: an amount off every unit, or off the line once, never more than the line costs. */
export const lineAmount: LineKind<'line_amount'> = {
  level: 'line',
  isPercentage: false,
  namesMoney: true,
  canBeCut: true,
  compile: ({ kind, amount, per }) => ({ kind, amount, per }),
  selectors: ({ appliesTo }) => [appliesTo],
  effect: ({ amount, per }, line, units) =>
    per === 'unit' ? perUnit(line, amount, units) : Math.min(amount, units * line.unitPrice),
  express: () => ({}),
};
