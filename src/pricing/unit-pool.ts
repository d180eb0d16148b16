import type { LineFacts } from './lines.ts';

/** Units that are still to be had while groups are formed. */

export interface UnitCount {
  readonly line: number;
  readonly units: number;
}

/**
 * Counts two things per line: `spare` units belong to no group yet, `open` ones may still be discounted. A bought unit
 * leaves the first count only. On a line that cannot be split, one discount takes the whole line.
 */
export class UnitPool {
  readonly spare: number[];
  readonly open: number[];
  readonly #lines: readonly LineFacts[];

  constructor(lines: readonly LineFacts[]) {
    this.#lines = lines;
    this.spare = lines.map(({ units }) => units);
    this.open = lines.map(({ units }) => units);
  }

  /** Units of a line that a group may discount. */
  takeable(line: number): number {
    return this.open[line]! > 0 ? this.spare[line]! : 0;
  }

  buy(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.spare[line]! -= units;
  }

  unbuy(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.spare[line]! += units;
  }

  /** Takes units for a discount. */
  take(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) {
      this.spare[line]! -= units;
      this.open[line]! -= this.#lines[line]!.isSplittable ? units : this.#lines[line]!.units;
    }
  }

  putBack(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) {
      this.spare[line]! += units;
      this.open[line]! += this.#lines[line]!.isSplittable ? units : this.#lines[line]!.units;
    }
  }
}
