import type { Benefit } from '../compile/programme.ts';
import type { Outcome } from '../decide/outcome.ts';
import type { DecisionInput } from '../decide/selection.ts';
import type { LineFacts } from '../lines/lines.ts';
import type { Situation } from '../offers/conditions.ts';
import type { Offer } from '../offers/offers.ts';
import type { RefusalReason, TracedBenefit } from '../types.ts';

/** What the reasons of benefits are found from. */
export interface BenefitTracing {
  readonly situation: Situation;
  /** The open offers, whether their minimums are met or not. */
  readonly offers: readonly Offer[];
  /** Those that were chosen from. */
  readonly open: readonly Offer[];
  /** Benefits of groups that gave way to those of the highest priority, before anything was chosen. */
  readonly beaten: ReadonlyMap<Benefit, readonly Benefit[]>;
  readonly lines: readonly LineFacts[];
  readonly outcome: Outcome;
  /** How much is left, by `usageKey`. */
  readonly available: ReadonlyMap<string, number>;
  readonly input: DecisionInput;
}

export type Refusal = Omit<TracedBenefit, 'benefitId' | 'applied' | 'saved'> & { readonly reason: RefusalReason };
