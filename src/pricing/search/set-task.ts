import type { BuyGetRule } from '../rule.ts';
import type { UnitCount } from '../unit-pool.ts';

/** The sets of one offer as a problem of its own: units of lines with their gains in each role. */

/** Units of one line. The gains are per unit, worth counted; a role that they may not have has −Infinity. */
export interface SetUnits {
  readonly line: number;
  readonly units: number;
  readonly buys: number;
  readonly gives: number;
  /** What is taken off a given unit, worth counted. */
  readonly effect: number;
}

export interface SetUnitsTaken {
  readonly bought: readonly UnitCount[];
  readonly given: readonly UnitCount[];
}

/** What sets may be formed of, and how many. */
export interface SetTask {
  readonly rule: BuyGetRule;
  readonly units: readonly SetUnits[];
  readonly mostSets: number;
  readonly mostEffect: number;
}

export interface BestSets {
  /** The most that any sets gain. */
  readonly bound: number;
  /** Good sets, the best ones where gains tell all; undefined where none gains anything. */
  readonly best: (SetUnitsTaken & { readonly gain: number }) | undefined;
  /** Where all units stand in one row: what the sets gain from each line on, by the place in the open set. */
  readonly table: SetTable | undefined;
}

export interface SetTable {
  /** The row of lines; `gains[line × size + place]` is the most from that line on, with so many units in the open set. */
  readonly row: readonly SetUnits[];
  readonly size: number;
  readonly gains: readonly number[];
  /** The price of a set that is in the gains, for a limit on their number. */
  readonly price: number;
}

export function mayBuy({ buys }: SetUnits): boolean {
  return buys > Number.NEGATIVE_INFINITY;
}

export function mayGive({ gives }: SetUnits): boolean {
  return gives > Number.NEGATIVE_INFINITY;
}
