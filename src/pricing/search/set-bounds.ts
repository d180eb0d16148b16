import { type GroupPlan, mostOfPlan } from './group-plan.ts';
import type { GroupSearch } from './groups.ts';
import type { LineOptions } from './line-options.ts';
import { bestSetsOf, roundingOf, type SetPlan, type SetSearch } from './set-plan.ts';
import type { BestSets } from './set-task.ts';

/** All bounds together take at most this part of all steps. */
const PART_OF_STEPS = 1 / 4;

/**
 * Bounds what sets gain beyond what their lines lose. The loss is taken from a line above what the units may save with other
 * benefits, so that line has to bound the units that are left as well: the slack says by how much it is above their bounds.
 */
export class SetBounds {
  readonly #isInSets: boolean[] = [];
  readonly #plan: GroupPlan;
  readonly #options: LineOptions;
  readonly #open: readonly number[];
  slack = 0;
  /** The best sets of each offer while no unit is taken. */
  readonly found = new Map<SetPlan, BestSets>();

  /** `open`: per line the units that no group has taken, as they change. */
  constructor(plan: GroupPlan, options: LineOptions, open: readonly number[]) {
    this.#plan = plan;
    this.#options = options;
    this.#open = open;
    const lines = new Set(plan.sets.flatMap((own) => own.lines));
    for (const line of lines) {
      this.#isInSets[line] = true;
      this.count(line, options.boundOf(line, open[line]!), 1);
    }
  }

  /** Counts the slack of a line with its bound, before its open units change with −1 and after it with 1. */
  count(line: number, bound: number, sign: 1 | -1): void {
    const open = this.#open[line]!;
    if (!this.#isInSets[line] || open === 0) return;
    const { perUnit, once } = this.#options.slopeOf(line);
    this.slack += sign * Math.max(0, once + perUnit * open - bound);
  }

  /** Per offer in sets the most that its sets gain while no unit is taken. */
  netOfSets(search: SetSearch & Pick<GroupSearch, 'within'>): number[] {
    let best: BestSets | undefined;
    return this.#plan.sets.map((plan) => {
      // Each offer has its share of the steps, so that some are left to form the sets.
      search.within(PART_OF_STEPS / this.#plan.sets.length, () => {
        best = bestSetsOf(plan, search);
      });
      if (best) this.found.set(plan, best);
      return best ? Math.min(plan.most, best.bound + roundingOf(plan, search)) : plan.most;
    });
  }

  /** The most that all groups gain, while no unit is taken. */
  mostOfGroups(netOfSets: readonly number[]): number {
    const { sets } = this.#plan;
    const gross = mostOfPlan(this.#plan);
    if (sets.length === 0) return gross;
    let net = gross + this.slack;
    sets.forEach(({ most }, at) => {
      net += netOfSets[at]! - most;
    });
    return Math.min(gross, net);
  }
}
