import type { UnitOffer } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import type { BundleCoupling, SetCoupling } from './couplings.ts';

/** A role in which an offer may take units of a line. */
export interface Role {
  readonly offer: UnitOffer;
  readonly part: 'line' | 'bundle' | 'given' | 'bought';
  readonly item: number | undefined;
  /** Sets and bundles use each unit once. */
  readonly isOfGroup: boolean;
  /** No other benefit has these units. */
  readonly isExclusive: boolean;
  /** The numbers of the state that each unit raises. */
  readonly slots: readonly number[];
  /** The sums of money that may cut its effect. */
  readonly sums: readonly number[];
  readonly bundle: BundleCoupling | undefined;
  readonly set: SetCoupling | undefined;
  /** The number of the state that says that units of one half of a set alone take part. */
  readonly flag: number | undefined;
  /** The units that it may have of the line. */
  readonly most: number;
  /** No unit saves more in this role, in minor units by their worth after order-level benefits. */
  readonly gain: number;
}

/** One way to use the units of a line, with what it saves and what it takes of all that the lines share. */
export interface Way {
  /** Units by role. */
  readonly counts: readonly number[];
  readonly takes: LineTakes;
  /** Minor units by their worth after order-level benefits; of offers with a sum of money that may cut them, nothing. */
  readonly saving: number;
  readonly cut: readonly CutEffect[];
  /** Numbers of the state and by how much they rise. */
  readonly slots: readonly number[];
  readonly amounts: readonly number[];
  /** Numbers of the state that say that something is the case. */
  readonly flags: readonly number[];
  readonly bundles: readonly BundleCoupling[];
  readonly sets: readonly SetCoupling[];
  /** Of ways that save the same: limited uses, the highest priority, and the first benefit by its ID. */
  readonly uses: number;
  readonly priority: number;
  readonly ordinal: number;
}

/** An effect that counts as far as sums of money have something left. */
export interface CutEffect {
  readonly offer: UnitOffer;
  readonly sums: readonly number[];
  readonly effect: number;
  readonly worth: number;
  /** A unit of a set belongs to it, even if nothing is left to come off it. */
  readonly mayBeNothing: boolean;
}
