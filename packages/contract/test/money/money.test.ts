import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largestRemainder } from '../../../../test/oracle/share.ts';
import { drawn } from '../../../../test/support/effort.ts';
import { priceOf } from '../../../conformance/src/kit/judge/decimal.ts';
import { allocate } from '../../src/money/allocate.ts';
import { multiplyQuantity } from '../../src/money/quantity.ts';
import { percentOf, roundHalfUp, toHundredths } from '../../src/money/round.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const money = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: MAX }));

describe('roundHalfUp', () => {
  it('rounds the half upwards and nothing else', () => {
    expect([roundHalfUp(5, 10), roundHalfUp(4, 10), roundHalfUp(15, 10), roundHalfUp(0, 7)]).toEqual([1, 0, 2, 0]);
  });

  it('agrees with big integers over the whole range of Money', () => {
    fc.assert(
      fc.property(money, fc.integer({ min: 1, max: MAX }), (dividend, divisor) => {
        const exact = (2n * BigInt(dividend) + BigInt(divisor)) / (2n * BigInt(divisor));
        expect(BigInt(roundHalfUp(dividend, divisor))).toBe(exact);
      }),
      drawn(1_000),
    );
  });
});

describe('percentOf', () => {
  it('agrees with big integers over the whole range of Money, and around the largest amount that it divides at once', () => {
    const edge = fc.integer({ min: 2 ** 31 - 20_000, max: 2 ** 31 + 20_000 });
    fc.assert(
      fc.property(fc.oneof(money, edge), fc.integer({ min: 0, max: 10_000 }), (amount, hundredths) => {
        const exact = (2n * BigInt(amount) * BigInt(hundredths) + 10_000n) / 20_000n;
        expect(BigInt(percentOf(amount, hundredths))).toBe(exact);
      }),
      drawn(20_000),
    );
  });

  it('reads a percentage with at most two decimals, and no more', () => {
    expect([1.15, 33.33, 0.29, 100, 0.01].map(toHundredths)).toEqual([115, 3333, 29, 10_000, 1]);
    expect([5.005, 33.333, 0.001].map(toHundredths)).toEqual([undefined, undefined, undefined]);
  });

  it('reads every percentage of two decimals that there is', () => {
    for (let hundredths = 0; hundredths <= 10_000; hundredths++) {
      const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
      expect(toHundredths(Number(text))).toBe(hundredths);
    }
  });
});

describe('multiplyQuantity', () => {
  it.each([
    [0.345, 1999, 690],
    [1e-7, 5, 0],
    [1e-7, 5_000_000, 1],
    [5e-324, MAX, 0],
    [1e21, 0, 0],
    [0.5, 1, 1],
    [1e-14, 50_000_000_000_000, 1],
    [1e-15, 500_000_000_000_000, 1],
    [1.2345678901234567, 0, 0],
    [1.1, 8_188_362_958_855_446, MAX],
    [2.5, 1, 3],
    [3, 7, 21],
    [1e21, 3, 3_000_000_000_000_000_000_000n],
    [2, MAX, 18_014_398_509_481_982n],
    [0.1, MAX, 900_719_925_474_099],
  ])('%d × %d is %d', (quantity, unitPrice, expected) => {
    expect(multiplyQuantity(quantity, unitPrice)).toBe(expected);
  });

  it('agrees with big-integer arithmetic for 10,000 random pairs and more', () => {
    const quantity = fc.oneof(
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1_000),
      fc.integer({ min: 0, max: 1_000 }),
    );
    fc.assert(
      fc.property(quantity, money, (q, unitPrice) => BigInt(multiplyQuantity(q, unitPrice)) === priceOf(q, unitPrice)),
      drawn(10_000),
    );
  });
});

/** Largest remainder under caps by whole numbers of any size, one unit after another. */
function shareExactly(amount: number, weights: readonly number[], caps: readonly number[]): number[] {
  const shares = weights.map(() => 0n);
  for (let left = BigInt(amount); left > 0n; ) {
    const rooms = shares.map((share, at) => BigInt(caps[at]!) - share);
    const open = rooms.map((room, at) => (room > 0n ? BigInt(weights[at]!) : 0n));
    const parts = open.some((weight) => weight > 0n) ? open : rooms;
    const total = parts.reduce((sum, part) => sum + part, 0n);
    if (total === 0n) break;
    const portions = parts.map((part) => (left * part) / total);
    const rest = (at: number): bigint => (left * parts[at]!) % total;
    const order = [...parts.keys()].sort((a, b) => (rest(a) === rest(b) ? a - b : rest(a) > rest(b) ? -1 : 1));
    const missing = left - portions.reduce((sum, portion) => sum + portion, 0n);
    for (const at of order.slice(0, Number(missing))) portions[at]! += 1n;
    for (const [at, room] of rooms.entries()) {
      const isCut = portions[at]! > room;
      const given = isCut ? room : portions[at]!;
      shares[at]! += given;
      left -= given;
    }
  }
  return shares.map(Number);
}

describe('allocate', () => {
  it('gives the missing units to the largest remainders, the earlier first among equals', () => {
    expect(allocate(100, [1, 1, 1])).toEqual([1, 1, 1]);
    expect(allocate(100, [1, 1, 1], [100, 100, 100])).toEqual([34, 33, 33]);
    expect(allocate(10, [3, 3, 4], [9, 9, 9])).toEqual([3, 3, 4]);
    expect(allocate(7, [10, 20, 30])).toEqual([1, 2, 4]);
  });

  it('lets what does not fit under a cap flow to the others', () => {
    expect(allocate(90, [1, 1, 1], [10, 100, 100])).toEqual([10, 40, 40]);
    expect(allocate(90, [0, 1], [100, 10])).toEqual([80, 10]);
  });

  it('does the same for many shares, whatever remainders are equal', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), weights, (amount, list) => {
        const caps = list.map(() => amount);
        expect(allocate(amount, list, caps)).toEqual(largestRemainder(amount, list));
      }),
      drawn(200),
    );
  });

  it('does the same where products are beyond the exact range of a number, and where caps are reached', () => {
    // Drawn evenly: numbers near 0 or near the limit would leave everything at its cap, or nothing.
    const size = fc.constantFrom(3, 2 ** 20, 2 ** 44);
    const share = size.chain((max) =>
      fc.record({ weight: fc.noBias(fc.integer({ min: 0, max })), cap: fc.noBias(fc.integer({ min: 0, max })) }),
    );
    const shares = fc.array(share, { minLength: 1, maxLength: 50, size: 'max' });
    const filledPercent = fc.noBias(fc.integer({ min: 1, max: 120 }));
    fc.assert(
      fc.property(filledPercent, fc.boolean(), shares, (percent, isWeighted, list) => {
        const weights = list.map(({ weight }) => (isWeighted ? weight : 0));
        const caps = list.map(({ cap }) => cap);
        const amount = Math.floor((caps.reduce((sum, cap) => sum + cap, 0) / 100) * percent);
        expect(allocate(amount, weights, caps)).toEqual(shareExactly(amount, weights, caps));
      }),
      drawn(400),
    );
  });
});
