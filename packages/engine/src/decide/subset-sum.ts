/** Which of some amounts sum to a given one or as little as may be above it. */

const BITS_PER_WORD = 64;

/** The sums up to a larger one take too much memory. */
const MOST_LEAST = 2 ** 24;

/** The steps that `smallestSum` takes, about a microsecond each; `Infinity` where the sum is too large for it. */
export function stepsOfSmallestSum(values: readonly number[], least: number): number {
  if (least > MOST_LEAST) return Number.POSITIVE_INFINITY;
  return values.length * (1 + ((2 * least) / BITS_PER_WORD) * 0.015);
}

/**
 * The places of those `values` whose sum is the smallest from `least` on. Undefined where all together are less. Values and
 * `least` are whole numbers above 0. A sum is a bit of one long number, so that a value is added to all sums at once.
 */
export function smallestSum(values: readonly number[], least: number): readonly number[] | undefined {
  // Of several values none is needed without which the sum would do, so they are less than twice as much.
  const most = 2 * least;
  const before: bigint[] = [];
  let sums = 1n;
  let single: number | undefined;
  for (const [at, value] of values.entries()) {
    before.push(sums);
    if (value < most) sums = BigInt.asUintN(most, sums | (sums << BigInt(value)));
    else if (single === undefined || value < values[single]!) single = at;
  }
  const fitting = sums >> BigInt(least);
  if (fitting === 0n) return single === undefined ? undefined : [single];
  let sum = least + lowestBit(fitting);
  const chosen: number[] = [];
  for (let at = values.length - 1; sum > 0; at--) {
    if (((before[at]! >> BigInt(sum)) & 1n) === 1n) continue;
    chosen.push(at);
    sum -= values[at]!;
  }
  return chosen.reverse();
}

/** The place of the lowest bit that is set; there is one. */
function lowestBit(bits: bigint): number {
  return (bits & -bits).toString(2).length - 1;
}
