import type { PlainChoice } from '../plain.ts';
import type { LineTakes } from '../split.ts';
import type { Worth } from './bounds.ts';
import type { Combination, Evaluator } from './evaluator.ts';
import type { LineOrders } from './line-lists.ts';
import type { PlainOffers } from './plain-offers.ts';

/** What a search is asked and what it finds. */

export interface SearchResult {
  readonly best: Combination;
  /** Some lines have more options than were listed: with a longer listing more may be found. */
  readonly isCut: boolean;
  /** The most that another permitted combination could still save, in minor units; 0 when the search is complete. */
  readonly mostMissed: number;
}

/** The lines to be decided, and all that is known about them. */
export interface Task {
  readonly choice: PlainChoice;
  /** Per line the plain offers that may be best. */
  readonly plain: PlainOffers;
  /** The takes of the lines that are not decided here. */
  readonly base: readonly LineTakes[];
  readonly lines: readonly number[];
  readonly orders: LineOrders;
  readonly worth: Worth;
  readonly evaluator: Evaluator;
}
