import { expect, test } from 'vitest';
import { addUpTo, decimalOf, linePriceOf, percentageOf } from './decimal.ts';

test.each([
  [0.345, 1_999, 690n],
  [1.005, 100, 101n],
  [0.1, 3, 0n],
  [0.5, 1, 1n],
  [1e-7, 10_000_000, 1n],
  [1e21, 0, 0n],
  [3, 9_007_199_254_740_991, 27_021_597_764_222_973n],
])('%d × %d is %d', (quantity, unitPrice, expected) => {
  expect(linePriceOf(quantity, unitPrice)).toBe(expected);
});

test('percentages are rounded half up', () => {
  expect(percentageOf(690n, 20)).toBe(138n);
  expect(percentageOf(50n, 1)).toBe(1n);
  expect(percentageOf(49n, 1)).toBe(0n);
  expect(percentageOf(10_000n, 33.33)).toBe(3_333n);
  expect(percentageOf(1_000n, 1.15)).toBe(12n);
});

test('sums of decimals are exact, where floating point is not', () => {
  expect(addUpTo([0.1, 0.2], 0.3)).toBe(true);
  expect(addUpTo([0.1, 0.2], 0.30000000000000004)).toBe(false);
});

test('what is no plain decimal is refused', () => {
  expect(() => decimalOf(-1)).toThrow();
  expect(() => decimalOf(Number.NaN)).toThrow();
});
