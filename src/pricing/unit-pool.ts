import type { LineFacts } from './lines.ts';

/** Units that are still to be had while groups are formed. */

export interface UnitCount {
  readonly line: number;
  readonly units: number;
}

/**
 * Counts two things per line: `spare` units belong to no group yet, `open` ones may still be discounted. A bought unit that
 * other benefits may discount leaves the first count only. On a line that cannot be split, one taken unit closes the line.
 */
export class UnitPool {
  readonly spare: number[];
  readonly open: number[];
  readonly #lines: readonly LineFacts[];
  /** Units of lines that cannot be split that groups have taken. */
  readonly #taken: number[];

  constructor(lines: readonly LineFacts[]) {
    this.#lines = lines;
    this.spare = lines.map(({ units }) => units);
    this.open = lines.map(({ units }) => units);
    this.#taken = lines.map(() => 0);
  }

  /** Units of a line that a group may discount. */
  takeable(line: number): number {
    return this.open[line]! > 0 ? this.spare[line]! : 0;
  }

  /** Buys units that other benefits may still discount. */
  buy(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.spare[line]! -= units;
  }

  unbuy(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.spare[line]! += units;
  }

  /** Takes units for a discount, or for a group that shares them with no other benefit. */
  take(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.#count(line, units);
  }

  putBack(counts: readonly UnitCount[]): void {
    for (const { line, units } of counts) this.#count(line, -units);
  }

  #count(line: number, units: number): void {
    const { isSplittable, units: all } = this.#lines[line]!;
    this.spare[line]! -= units;
    if (isSplittable) {
      this.open[line]! -= units;
      return;
    }
    this.#taken[line]! += units;
    this.open[line] = this.#taken[line]! > 0 ? 0 : all;
  }
}

/** The units of all lines together. */
export function unitsIn(counts: readonly UnitCount[]): number {
  let units = 0;
  for (const count of counts) units += count.units;
  return units;
}
