import type { Values } from './codec.ts';
import { type Given, readGiven } from './given.ts';
import type { COUNTED } from './scripts/sales.ts';

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

/** From what the settle script tells of a sale; undefined where that is of an older version. */
export function readGave(told: ToldGave): Gave | undefined {
  const given = readGiven(told.given);
  const { venueId, answeredAtMs, turnover, tier, share } = told;
  return given && { ...given, venueId, atMs: answeredAtMs, turnover, tier, share };
}

type ToldGave = Values<typeof COUNTED>;

/** An answer that came after its sale cannot have been what was sold. */
export function effective(gave: Gave | undefined): Gave | undefined {
  return gave && gave.atMs > 0 ? gave : undefined;
}
