import type { Expression } from '../compile/rule.ts';
import type { ExistingLineDiscounts } from '../lines/lines.ts';
import type { Part } from './split.ts';

/** A part with its line-level effect. Money in minor units. */
export interface SettledPart extends Part {
  /** The amount that the benefit takes off the part, by a discount or by a lower unit price; 0 without a benefit. */
  readonly effect: number;
  /** How the effect shows; empty for a plain amount. */
  readonly expression: Expression;
  /** The existing discount gives way to the effect. */
  readonly isCleared: boolean;
  /** The price of the part before order-level benefits. */
  readonly rest: number;
}

/** The largest effect that leaves the part at or above 0. */
export function roomOf(part: Part, policy: ExistingLineDiscounts): number {
  return part.original - part.allocated - (policy === 'stack' ? part.existing : 0);
}
