import type { BundleRule } from '../rule.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import { COST } from '../work.ts';

/** Draws the units of bundles from what other groups have left. */

/** Lines per item, the most promising first. */
export type BundleLines = readonly (readonly number[])[];

/** An upper bound of how many bundles the pool holds. */
export function maximumBundles({ quantities }: BundleRule, lines: BundleLines, pool: UnitPool): number {
  let bundles = Number.POSITIVE_INFINITY;
  quantities.forEach((quantity, item) => {
    let units = 0;
    for (const line of lines[item]!) units += pool.takeable(line);
    bundles = Math.min(bundles, Math.floor(units / quantity));
  });
  return bundles;
}

/** The bundle whose units are drawn. */
export interface BundleDraw {
  readonly rule: BundleRule;
  readonly lines: BundleLines;
  /** Several items draw from the same lines, so that different ways may lead to the same units. */
  readonly mayRepeat: boolean;
}

/** Stands at a line of an item and draws so many units of it, of `missing` that the item still needs. */
interface Drawn {
  readonly item: number;
  readonly at: number;
  readonly missing: number;
  readonly before: number;
  units: number;
}

/**
 * Visits every way to draw the units of `bundles` bundles from the pool, the most promising first, as units per line.
 * Different ways to deal the same units out to the items are visited once each. `spend` is told of every turn of the walk,
 * for many may lead to units that were visited before; both answer false to stop. The walk keeps its own stack: through
 * many groups of many lines, recursion would be too deep.
 */
export function visitBundleUnits(
  { rule: { quantities }, lines, mayRepeat }: BundleDraw,
  pool: UnitPool,
  bundles: number,
  spend: (steps: number) => boolean,
  visit: (units: readonly UnitCount[]) => boolean,
): boolean {
  if (!spend(COST.listedLine * lines.reduce((count, own) => count + own.length, 1))) return false;
  const drawn = new Map<number, number>();
  const seen = new Set<string>();
  const unitsFrom = lines.map((candidates) => unitsFromEach(candidates, pool));
  const stack: Drawn[] = [];
  let [item, at, missing] = [0, 0, quantities[0]! * bundles];
  for (;;) {
    if (!spend(COST.drawTurn)) return false;
    if (missing === 0 && item + 1 < quantities.length) {
      item += 1;
      [at, missing] = [0, quantities[item]! * bundles];
      continue;
    }
    // Lines that hold too few units together are left at once; most of the walk would end on them otherwise.
    if (missing > 0 && unitsFrom[item]![at]! >= missing) {
      const line = lines[item]![at]!;
      const before = drawn.get(line) ?? 0;
      const units = Math.min(pool.takeable(line) - before, missing);
      stack.push({ item, at, missing, before, units });
      drawn.set(line, before + units);
      at += 1;
      missing -= units;
      continue;
    }
    if (missing === 0) {
      if (!spend(COST.drawnLine * (1 + drawn.size))) return false;
      const counts = countsOf(drawn, mayRepeat ? seen : undefined);
      if (counts && !visit(counts)) return false;
    }
    // Back to the last line of which fewer units may be drawn.
    for (;;) {
      const last = stack.at(-1);
      if (!last) return true;
      const line = lines[last.item]![last.at]!;
      if (last.units > 0) {
        last.units -= 1;
        drawn.set(line, last.before + last.units);
        [item, at, missing] = [last.item, last.at + 1, last.missing - last.units];
        break;
      }
      drawn.set(line, last.before);
      stack.pop();
      if (!spend(COST.drawTurn)) return false;
    }
  }
}

/** The units drawn. Undefined when they have been `seen` before. */
function countsOf(drawn: ReadonlyMap<number, number>, seen: Set<string> | undefined): UnitCount[] | undefined {
  const counts: UnitCount[] = [];
  for (const [line, units] of drawn) if (units > 0) counts.push({ line, units });
  if (!seen) return counts;
  counts.sort((a, b) => a.line - b.line);
  const key = counts.map(({ line, units }) => `${line}:${units}`).join();
  if (seen.has(key)) return undefined;
  seen.add(key);
  return counts;
}

/** Per candidate the units that it and all candidates after it hold; 0 behind the last. */
function unitsFromEach(candidates: readonly number[], pool: UnitPool): number[] {
  const units = new Array<number>(candidates.length + 1).fill(0);
  for (let at = candidates.length - 1; at >= 0; at--) units[at] = units[at + 1]! + pool.takeable(candidates[at]!);
  return units;
}
