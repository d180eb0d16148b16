import type { BenefitKind, Rule } from '../programme.ts';
import { linePercentAmount } from './line-percent.ts';

/** The register of kinds: one line per kind, one file per kind. A kind returns adjustments and never mutates. */
export interface LineKind {
  /** Discount in minor units on a line of this original price, before any cap. */
  amount(rule: Rule, originalLinePrice: number): number;
}

export const LINE_KINDS: Readonly<Record<BenefitKind, LineKind>> = {
  line_percent: { amount: linePercentAmount },
};
