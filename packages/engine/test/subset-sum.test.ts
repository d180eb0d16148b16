import { describe, expect, it } from 'vitest';
import { Random } from '../../simulator/src/random.ts';
import { smallestSum, stepsOfSmallestSum } from '../src/decide/subset-sum.ts';

/** Held against all subsets, one by one. */

function smallestOfAll(values: readonly number[], least: number): number | undefined {
  let best: number | undefined;
  for (let bits = 0; bits < 2 ** values.length; bits++) {
    const sum = values.reduce((all, value, at) => ((bits & (1 << at)) === 0 ? all : all + value), 0);
    if (sum >= least && (best === undefined || sum < best)) best = sum;
  }
  return best;
}

describe('the smallest sum', () => {
  it('is found among all subsets', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = new Random(seed);
      const values = Array.from({ length: random.between(1, 9) }, () => random.between(1, random.pick([5, 60, 900])));
      const least = random.between(1, random.pick([10, 200, 2_000]));
      const chosen = smallestSum(values, least);
      expect(new Set(chosen).size).toBe(chosen?.length ?? 0);
      expect(chosen?.reduce((all, at) => all + values[at]!, 0)).toBe(smallestOfAll(values, least));
    }
  });

  it('is that of the one value, or nothing', () => {
    expect(smallestSum([7], 7)).toEqual([0]);
    expect(smallestSum([7, 9_000_000], 8)).toEqual([1]);
    expect(smallestSum([1, 2 ** 40], 8)).toEqual([1]);
    expect(smallestSum([3, 3], 7)).toBeUndefined();
    expect(smallestSum([10], 5)).toEqual([0]);
    expect(smallestSum([40, 20, 20, 30], 5)).toEqual([1]);
  });

  it('is that of the first values where several sums are the same', () => {
    expect(smallestSum([9, 9], 2)).toEqual([0]);
    expect(smallestSum([9], 2)).toEqual([0]);
    expect(smallestSum([6, 3, 3], 5)).toEqual([0]);
    expect(smallestSum([3, 3, 6], 5)).toEqual([0, 1]);
  });

  it('takes a step for each value, and more for large sums', () => {
    expect(stepsOfSmallestSum([7, 7, 7], 32)).toBeCloseTo(3.045);
    expect(stepsOfSmallestSum([7, 7, 7], 32_000)).toBeCloseTo(48);
    expect(stepsOfSmallestSum([7], 2 ** 24)).toBeCloseTo(7_865, 0);
    // Beyond it the sums would take too much memory.
    expect(stepsOfSmallestSum([7], 2 ** 24 + 1)).toBe(Number.POSITIVE_INFINITY);
  });
});
