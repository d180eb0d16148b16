import type { Given } from './given.ts';
import type { KeptCalculation } from './kept-calculation.ts';

/** What a sale gave by its benefits, where, and when it was calculated. */
export interface Gave extends Given {
  readonly venueId: string;
  /** By Redis' clock, ms since 1970; 0 when the answer came after its sale, which cannot have been made by it. */
  readonly atMs: number;
  /** What the guest paid by the answer, in minor units. */
  readonly turnover: number;
  /** Empty where the member had none. */
  readonly tier: string;
  readonly share: string;
}

/** What a calculation gave, by its answer of this instant; undefined where it is of an older version. */
export function gaveBy({ given, venueId, total, tier, share }: KeptCalculation, atMs: number): Gave | undefined {
  return given && { ...given, venueId, atMs, turnover: total ?? 0, tier, share };
}

/** An answer that came after its sale cannot have been what was sold. */
export function effective(gave: Gave | undefined): Gave | undefined {
  return gave && gave.atMs > 0 ? gave : undefined;
}
