import { percentOf, toHundredths } from '../../money/round.ts';
import type { LineKind } from './kind.ts';

/** `line_percent`: round_half_up(originalLinePrice × percent / 100) off the line (interface, section 2). */
export const linePercent: LineKind<'line_percent'> = {
  level: 'line',
  isPercentage: true,
  namesMoney: false,
  canBeCut: true,
  compile: ({ kind, percent }) => ({ kind, percentHundredths: toHundredths(percent)! }),
  selectors: ({ appliesTo }) => [appliesTo],
  effect: ({ percentHundredths }, { unitPrice }, units) => percentOf(units * unitPrice, percentHundredths),
  express: ({ percentHundredths }) => ({ percentHundredths }),
};
