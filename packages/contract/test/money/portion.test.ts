/** Quantities are added, subtracted and shared as their decimal text says, not as binary fractions. */
import { expect, test } from 'vitest';
import { addQuantities, isSumOf, shareOf, subtractQuantities } from '../../src/money/portion.ts';

test.each([
  [0.1, 0.2, 0.3],
  [2, 3, 5],
  [1, 0.25, 1.25],
  [0.25, 1, 1.25],
  [0, 0.7, 0.7],
  [1e-7, 2e-7, 3e-7],
  [1.5e-7, 1, 1.00000015],
  [1e21, 1e21, 2e21],
  [1.5e21, 0.5, 1.5e21],
  [2 ** 53, 2 ** 53, 2 ** 54],
])('%d and %d are %d', (one, other, sum) => {
  expect(addQuantities(one, other)).toBe(sum);
});

test.each([
  [0.3, 0.1, 0.2],
  [5, 3, 2],
  [1, 0.9, 0.1],
  [1.05, 1, 0.05],
  [1e-7, 1e-7, 0],
  [3e21, 1e21, 2e21],
])('%d without %d is %d', (from, taken, rest) => {
  expect(subtractQuantities(from, taken)).toBe(rest);
});

test.each([
  [100, 1, 3, 33],
  [100, 2, 3, 67],
  [5, 1, 2, 3],
  [1_000, 0.1, 0.3, 333],
  [1_000, 0.25, 1, 250],
  [1_000, 1, 2.5, 400],
  [Number.MAX_SAFE_INTEGER, 0.7, 0.7, Number.MAX_SAFE_INTEGER],
  [9_007_199_254_740_990, 1, 3, 3_002_399_751_580_330],
  [700, 0, 3, 0],
  [700, 0, 0, 0],
])('%d for %d of %d are %d', (amount, part, whole, share) => {
  expect(shareOf(amount, part, whole)).toBe(share);
});

test.each([
  [3, [1, 2], true],
  [3, [1, 1], false],
  [0.3, [0.1, 0.2], true],
  [1.005, [1, 0.005], true],
  [1e21, [1e21 - 131_072, 131_072], false],
  [2e-7, [1e-7, 1e-7], true],
  [0.7, [0.1, 0.2, 0.4], true],
  [0.7, [0.1, 0.2, 0.39], false],
])('%d is the sum of %j: %s', (whole, parts, expected) => {
  expect(isSumOf(whole, parts)).toBe(expected);
});
