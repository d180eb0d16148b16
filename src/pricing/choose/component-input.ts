import type { LineOffer } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import type { SetsOf } from './sets.ts';

export interface ComponentInput {
  /** Per line the unlimited offers that may be best on a part of it. */
  readonly plain: readonly (readonly LineOffer[])[];
  readonly drawn: readonly LineTakes[] | undefined;
  readonly sets: SetsOf;
  /** Per line what a minor unit saved there is worth; absent where it is worth one everywhere. */
  readonly worth: readonly number[] | undefined;
  /** The value of a choice is at most this and what its ways save. */
  readonly offset: number;
  /** What all lines take so far. */
  readonly takes: readonly LineTakes[];
  /** The value that the judge gives, the higher the better; undefined where the choice is not permitted. */
  readonly worthOfTakes: (takes: readonly LineTakes[]) => number | undefined;
  readonly everyChoice: boolean;
}
