import { shareOf } from '../../packages/conformance/src/kit/judge/decimal.ts';

/** Whole-number arithmetic of the rules. The amounts of a case are so small that products of them are exact doubles. */

/** amount × percent / 100, rounded half up. */
export function percentageOf(amount: number, percent: number): number {
  return Number(shareOf(amount, percent));
}

export function sumOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

/**
 * Largest remainder: shares `amount` in proportion to `weights`. Quotas are rounded down, and the units left over go one
 * each to the largest remainders, the earlier part first among equals.
 */
export function largestRemainder(amount: number, weights: readonly number[]): number[] {
  const whole = sumOf(weights, (weight) => weight);
  const remainders = weights.map((weight) => (amount * weight) % whole);
  const shares = weights.map((weight, index) => (amount * weight - remainders[index]!) / whole);
  const order = [...weights.keys()].sort((a, b) => remainders[b]! - remainders[a]! || a - b);
  const left = amount - sumOf(shares, (share) => share);
  for (const index of order.slice(0, left)) shares[index]! += 1;
  return shares;
}

/**
 * The same with a cap on every share: a share that does not fit is cut to its cap, and what was cut is shared in the
 * same way among the parts that still have room, until all is given or nothing has room. When every part with room
 * has weight 0, the room is the weight.
 */
export function shareUnderCaps(amount: number, weights: readonly number[], caps: readonly number[]): number[] {
  const shares = weights.map(() => 0);
  for (let left = amount; left > 0; ) {
    const rooms = caps.map((cap, index) => cap - shares[index]!);
    let open = weights.map((weight, index) => (rooms[index]! > 0 ? weight : 0));
    if (open.every((weight) => weight === 0)) open = rooms;
    if (open.every((weight) => weight === 0)) break;
    for (const [index, share] of largestRemainder(left, open).entries()) {
      const given = Math.min(share, rooms[index]!);
      shares[index]! += given;
      left -= given;
    }
  }
  return shares;
}
