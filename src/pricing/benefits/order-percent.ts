import { percentOf, toHundredths } from '../../money/round.ts';
import type { OrderKind } from './kind.ts';

/** `order_percent`: a percentage of what the eligible lines still cost together, rounded once. */
export const orderPercent: OrderKind<'order_percent'> = {
  level: 'order',
  isPercentage: true,
  namesMoney: false,
  compile: ({ kind, percent }) => ({ kind, percentHundredths: toHundredths(percent)! }),
  selectors: ({ appliesTo }) => [appliesTo],
  amount: ({ percentHundredths }, rest) => percentOf(rest, percentHundredths),
  express: ({ percentHundredths }) => ({ percentHundredths }),
};
