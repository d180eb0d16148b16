import type { ExistingLineDiscounts } from '../lines/lines.ts';
import type { LineOffer, UnitOffer } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import type { Work } from '../work.ts';
import type { BundleCoupling, Couplings, SetCoupling } from './couplings.ts';

/** Every way to use the units of one line: what it saves, and what it takes of all that lines share. */

/** One way, with what it saves and what it takes of all that the lines share. */
export interface LineOption {
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
  /** Limited uses, for ties. */
  readonly uses: number;
}

/** An effect that counts as far as sums of money have something left. */
export interface CutEffect {
  readonly sums: readonly number[];
  readonly effect: number;
  readonly worth: number;
  /** A unit of a set belongs to it, even if nothing is left to come off it. */
  readonly mayBeNothing: boolean;
}

/** A role in which an offer takes units of the line. */
export interface Role {
  readonly offer: UnitOffer;
  readonly part: 'line' | 'bundle' | 'given' | 'bought';
  /** Sets and bundles use each unit once. */
  readonly isOfGroup: boolean;
  /** No other benefit has these units. */
  readonly isExclusive: boolean;
  readonly slot: number | undefined;
  readonly bundle?: BundleCoupling;
  readonly set?: SetCoupling;
  /** Units of one half of a set alone. */
  readonly isOutside?: boolean;
  readonly item?: number;
  readonly most: number;
}

export interface OptionInput {
  readonly couplings: Couplings;
  readonly offers: readonly UnitOffer[];
  /** The roles in which the offers may take units of the line. */
  readonly roles: readonly Role[];
  readonly isDiscountable: (offer: UnitOffer, selector: number, line: number) => boolean;
  readonly plain: readonly LineOffer[];
  /** Units that were drawn first. */
  readonly drawn: LineTakes | undefined;
  readonly policy: ExistingLineDiscounts;
  readonly worth: number;
  /** Where lines are not worth the same, a sum of money may be spent in another order than lines are walked. */
  readonly isUneven: boolean;
  /** The way of the line in the best choice so far: where not every way is listed, those beside it are. */
  readonly around: LineOption | undefined;
  readonly everyChoice: boolean;
  /** More ways of a line than these are not listed. */
  readonly mostOptions: number;
  readonly work: Work;
}

export interface LineOptions {
  readonly options: readonly LineOption[];
  /** Where some ways are not listed, what bounds them all. */
  readonly beyond: UnitBound | undefined;
}

/** What a unit gains in a role, and what it takes of all that the lines share. */
export type PricedUnit = Pick<LineOption, 'saving' | 'cut' | 'slots' | 'amounts' | 'sets'>;

/** No way gains more than each unit by itself in the best of these roles, and `once` for the line. */
export interface UnitBound {
  readonly units: number;
  readonly ofUnit: readonly PricedUnit[];
  readonly once: number;
}
