/** The judge's arithmetic, which everything else is held against. */
import { expect, test } from 'vitest';
import { hasTwoDecimals, priceOf, quantitiesAddUp, shareOf } from '../../src/kit/judge/decimal.ts';

test.each([
  [0.345, 1_999, 690n],
  [1.005, 100, 101n],
  [0.1, 3, 0n],
  [0.5, 1, 1n],
  [1e-7, 10_000_000, 1n],
  [1e21, 0, 0n],
  // The double nearest to 1e23 differs from the number that is written.
  [1e23, 1, 10n ** 23n],
  [3, 9_007_199_254_740_991, 27_021_597_764_222_973n],
  [0.3, 9_007_199_254_740_991, 2_702_159_776_422_297n],
])('%d × %d is %d', (quantity, unitPrice, expected) => {
  expect(priceOf(quantity, unitPrice)).toBe(expected);
});

test('percentages are rounded half up', () => {
  expect(shareOf(690n, 20)).toBe(138n);
  expect(shareOf(50, 1)).toBe(1n);
  expect(shareOf(49, 1)).toBe(0n);
  expect(shareOf(10_000, 33.33)).toBe(3_333n);
  expect(shareOf(1_000, 1.15)).toBe(12n);
  expect(shareOf(Number.MAX_SAFE_INTEGER, 33.33)).toBe(3_002_099_511_605_172n);
});

test('sums of quantities are exact, where floating point is not', () => {
  expect(quantitiesAddUp([0.1, 0.2], 0.3)).toBe(true);
  expect(quantitiesAddUp([0.1, 0.2], 0.30000000000000004)).toBe(false);
  expect(quantitiesAddUp([0.3], 0.3)).toBe(true);
  expect(quantitiesAddUp([0.3], 0.31)).toBe(false);
  expect(quantitiesAddUp([2, 1], 3)).toBe(true);
  expect(quantitiesAddUp([1e21, 1], 1e21)).toBe(false);
});

test('two decimals are told from three', () => {
  for (const percent of [0, 0.29, 1.15, 33.33, 100]) expect(hasTwoDecimals(percent)).toBe(true);
  for (const percent of [0.001, 33.333, 12.345]) expect(hasTwoDecimals(percent)).toBe(false);
});
