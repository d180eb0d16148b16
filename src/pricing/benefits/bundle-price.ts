import type { BundlePriceRule } from '../programme.ts';
import type { UnitCount, UnitPool } from '../unit-pool.ts';
import type { Kind } from './kind.ts';

/** `bundle_price`: so many units of each item together for a fixed price. */
export const bundlePrice: Kind<'bundle_price'> = {
  level: 'group',
  isPercentage: false,
  namesMoney: true,
  compile: ({ kind, items, bundlePrice: price }) => ({
    kind,
    quantities: items.map(({ quantity }) => quantity),
    bundlePrice: price,
  }),
  selectors: ({ items }) => items.map(({ appliesTo }) => appliesTo),
};

/** Lines per item, the most promising first. */
export type BundleLines = readonly (readonly number[])[];

/** An upper bound of how many bundles the pool holds. */
export function maximumBundles({ quantities }: BundlePriceRule, lines: BundleLines, pool: UnitPool): number {
  let bundles = Number.POSITIVE_INFINITY;
  quantities.forEach((quantity, item) => {
    let units = 0;
    for (const line of lines[item]!) units += pool.takeable(line);
    bundles = Math.min(bundles, Math.floor(units / quantity));
  });
  return bundles;
}

/**
 * Visits every way to draw the units of `bundles` bundles from the pool, the most promising first, as units per line.
 * Different ways to deal the same units out to the items are visited once each. `spend` is told of every turn of the walk,
 * for many may lead to units that were visited before; both answer false to stop.
 */
export function visitBundleUnits(
  { quantities }: BundlePriceRule,
  lines: BundleLines,
  pool: UnitPool,
  bundles: number,
  spend: (steps: number) => boolean,
  visit: (units: readonly UnitCount[]) => boolean,
): boolean {
  const drawn = new Map<number, number>();
  const seen = new Set<string>();
  const mayRepeat = lines.length > 1 && new Set(lines.flat()).size < lines.flat().length;
  const unitsFrom = lines.map((candidates) => unitsFromEach(candidates, pool));

  const draw = (item: number, at: number, missing: number): boolean => {
    if (!spend(1)) return false;
    if (missing === 0) {
      const next = item + 1;
      if (next < quantities.length) return draw(next, 0, quantities[next]! * bundles);
      return emit();
    }
    const candidates = lines[item]!;
    // Without this, most of the walk would end where too few units are left.
    if (unitsFrom[item]![at]! < missing) return true;
    const line = candidates[at]!;
    const before = drawn.get(line) ?? 0;
    const most = Math.min(pool.takeable(line) - before, missing);
    for (let units = most; units >= 0; units--) {
      drawn.set(line, before + units);
      if (!draw(item, at + 1, missing - units)) return false;
    }
    drawn.set(line, before);
    return true;
  };

  const emit = (): boolean => {
    const counts: UnitCount[] = [];
    for (const [line, units] of drawn) if (units > 0) counts.push({ line, units });
    if (mayRepeat) {
      counts.sort((a, b) => a.line - b.line);
      const key = counts.map(({ line, units }) => `${line}:${units}`).join();
      if (seen.has(key)) return true;
      seen.add(key);
    }
    return visit(counts);
  };

  return draw(0, 0, quantities[0]! * bundles);
}

/** Per candidate the units that it and all candidates after it hold; 0 behind the last. */
function unitsFromEach(candidates: readonly number[], pool: UnitPool): number[] {
  const units = new Array<number>(candidates.length + 1).fill(0);
  for (let at = candidates.length - 1; at >= 0; at--) units[at] = units[at + 1]! + pool.takeable(candidates[at]!);
  return units;
}
