import type { LineFacts } from '../lines.ts';
import type { LineOffer } from '../offers.ts';
import type { Take } from '../split.ts';
import type { BudgetedOffer } from './deals.ts';

/** One way to use the units of a line that no group has taken. */

/** The part of a shared budget that an option takes. */
export interface Spending {
  readonly slot: number;
  readonly units: number;
  readonly effect: number;
  /** An effect that is cut to this or below is no effect. */
  readonly beats: number;
}

export interface Option {
  /** Units that benefits limited by items take. */
  readonly taken: readonly Take[];
  readonly rest: LineOffer | undefined;
  readonly spending: readonly Spending[];
  /** Before any cap per basket, in minor units. */
  readonly saving: number;
  /** The most it is worth: its saving, worth counted, less the price of the budgets it spends. */
  value: number;
  /** The limited benefits that it takes, for ties. A benefit on the rest of a line has a limit by baskets. */
  readonly limited: readonly LimitedTake[];
}

export interface LimitedTake {
  readonly offer: LineOffer;
  readonly units: number;
}

/** The offers that may take something of one line. */
export interface LineOffers {
  readonly line: LineFacts;
  /** In the order of the benefitId. */
  readonly plain: readonly LineOffer[];
  /** The largest effect on the whole line first, like `byCap`. */
  readonly byItems: readonly BudgetedOffer[];
  readonly byCap: readonly BudgetedOffer[];
}

export const NOTHING: Option = { taken: [], rest: undefined, spending: [], saving: 0, value: 0, limited: [] };
