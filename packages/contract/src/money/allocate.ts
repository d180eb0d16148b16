/** Shares an amount over weights by largest remainder, with caps. Integers only; the same input gives the same shares. */

/**
 * Shares `amount` in proportion to `weights`; no share passes its cap. An amount above a cap flows to the other shares,
 * so the shares sum to `min(amount, Σ caps)`. Among equal remainders the earlier index is served first. When every
 * weight with room left is 0, the room itself is the weight. All values are integers from 0 to 2^53 − 1, as are the
 * sums of the weights and of the caps.
 */
export function allocate(amount: number, weights: readonly number[], caps: readonly number[] = weights): number[] {
  const shares = new Array<number>(weights.length).fill(0);
  let left = amount;
  while (left > 0) {
    const given = allocateRound(left, weights, caps, shares);
    if (given === 0) break;
    left -= given;
  }
  return shares;
}

/** Runs one pass over the shares that still have room. It gives the whole amount or fills at least one share. */
function allocateRound(amount: number, weights: readonly number[], caps: readonly number[], shares: number[]): number {
  let weightSum = 0;
  let roomSum = 0;
  for (let i = 0; i < weights.length; i++) {
    const room = caps[i]! - shares[i]!;
    if (room <= 0) continue;
    weightSum += weights[i]!;
    roomSum += room;
  }
  if (roomSum === 0) return 0;
  const total = weightSum > 0 ? weightSum : roomSum;

  const portions: number[] = [];
  const remainders: (number | bigint)[] = [];
  let missing = amount;
  for (let i = 0; i < weights.length; i++) {
    // A share of weight 0 has received nothing while there were others, so its room is its cap.
    const weight = caps[i]! <= shares[i]! ? 0 : weightSum > 0 ? weights[i]! : caps[i]!;
    const product = amount * weight;
    if (product <= Number.MAX_SAFE_INTEGER) {
      // A quotient is several times as fast here as a remainder. It is never rounded up to a whole number: below one it is at
      // least 1 / total away from it, which is no less than the distance of two doubles there divided by two.
      const portion = Math.floor(product / total);
      portions.push(portion);
      remainders.push(product - portion * total);
    } else {
      // Only a product beyond the exact range of a number needs BigInt.
      const exact = BigInt(amount) * BigInt(weight);
      portions.push(Number(exact / BigInt(total)));
      remainders.push(exact % BigInt(total));
    }
    missing -= portions[i]!;
  }
  // `missing` is less than the number of remainders: they sum to `missing × total`, and each is below `total`.
  if (missing > 0) addToLargest(missing, remainders, portions);

  let given = 0;
  for (let i = 0; i < weights.length; i++) {
    const taken = Math.min(portions[i]!, caps[i]! - shares[i]!);
    shares[i]! += taken;
    given += taken;
  }
  return given;
}

/** Of so few remainders the largest is looked for again and again. */
const FEW = 16;

/** Adds 1 to the portions of the `count` largest remainders; of equal remainders the earlier one is served first. */
function addToLargest(count: number, remainders: (number | bigint)[], portions: number[]): void {
  if (remainders.length > FEW) return addFrom(leastServed(count, remainders), count, remainders, portions);
  for (let served = 0; served < count; served++) {
    let best = 0;
    for (let at = 1; at < remainders.length; at++) if (remainders[at]! > remainders[best]!) best = at;
    portions[best]! += 1;
    remainders[best] = 0;
  }
}

/** The smallest of the `count` largest remainders. */
function leastServed(count: number, remainders: readonly (number | bigint)[]): number | bigint {
  // Sorting plain numbers is much faster than sorting with a comparison. A number and a BigInt compare exactly.
  if (remainders.every((own) => typeof own === 'number')) {
    const sorted = new Float64Array(remainders as readonly number[]).sort();
    return sorted[sorted.length - count]!;
  }
  return remainders.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0))[count - 1]!;
}

function addFrom(
  least: number | bigint,
  count: number,
  remainders: readonly (number | bigint)[],
  portions: number[],
): void {
  let equal = count;
  for (const own of remainders) if (own > least) equal--;
  for (let at = 0; at < remainders.length; at++) {
    const own = remainders[at]!;
    if (own < least || (!(own > least) && equal-- <= 0)) continue;
    portions[at]! += 1;
  }
}
