import type { LineFacts } from '../lines/lines.ts';
import { COST } from '../work.ts';
import type { Couplings } from './couplings.ts';
import type { LineOption, UnitBound } from './line-option.ts';

/** The choice of a component: a way for each of its lines, in the order in which they are walked. */
export interface Model {
  readonly lines: readonly LineFacts[];
  readonly options: readonly (readonly LineOption[])[];
  readonly couplings: Couplings;
  /** Per line, per set: the next line stands at another place of its row, so what is given up to here is judged. */
  readonly endsPlace: readonly (readonly boolean[])[];
  /** Per line a bound of the ways that are not listed. */
  readonly beyond: readonly (UnitBound | undefined)[];
  /** What offers might save that are left aside; 0 where all are looked at. */
  readonly leftAside: number;
  /** So many minor units a choice may save beyond what its ways say, by rounding. */
  readonly slack: number;
  /** Per line and number of the state how much of it the lines after that one may take. */
  readonly demands: readonly (readonly number[])[];
  /** How much all lines may take of each number of the state. */
  readonly totals: readonly number[];
  /** Steps to go one way on: a state is copied for it. */
  readonly stepCost: number;
}

/** What lines may take of each number of the state, after each line and in all. */
export function demandsOf(options: Model['options'], slots: number): Pick<Model, 'demands' | 'totals'> {
  const demands: (readonly number[])[] = [];
  let rest = new Array<number>(slots).fill(0);
  for (let at = options.length - 1; at >= 0; at--) {
    demands[at] = rest;
    const most = new Array<number>(slots).fill(0);
    for (const { slots: of, amounts, cut } of options[at]!) {
      for (let k = 0; k < of.length; k++) most[of[k]!] = Math.max(most[of[k]!]!, amounts[k]!);
      let all = 0;
      for (const { effect } of cut) all += effect;
      for (const { sums } of cut) for (const sum of sums) most[sum] = Math.max(most[sum]!, all);
    }
    rest = rest.map((own, slot) => own + most[slot]!);
  }
  return { demands, totals: rest };
}

/** A state is copied for every way. */
export function stepCostOf(slots: number): number {
  return COST.step * (1 + slots / 12);
}
