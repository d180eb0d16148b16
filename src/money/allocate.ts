/** Shares an amount over weights by largest remainder, with caps. Integers only; the same input gives the same shares. */

/**
 * Shares `amount` in proportion to `weights`; no share passes its cap. What does not fit under a cap flows to the others,
 * and only what no share can take is given up, so the shares sum to `min(amount, Σ caps)`. Among equal remainders the
 * earlier index is served first. Where every weight that still has room is 0, the room itself is the weight.
 * All values are integers from 0 to 2^53 − 1, as are the sums of the weights and of the caps.
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

/** One pass over the shares that still have room. Either everything is given or at least one share fills up. */
function allocateRound(amount: number, weights: readonly number[], caps: readonly number[], shares: number[]): number {
  const open: number[] = [];
  let weightSum = 0;
  let roomSum = 0;
  for (let i = 0; i < weights.length; i++) {
    const room = (caps[i] as number) - (shares[i] as number);
    if (room <= 0) continue;
    open.push(i);
    weightSum += weights[i] as number;
    roomSum += room;
  }
  if (open.length === 0) return 0;
  const total = weightSum > 0 ? weightSum : roomSum;
  const weightOf = (i: number): number =>
    weightSum > 0 ? (weights[i] as number) : (caps[i] as number) - (shares[i] as number);

  const portions = open.map((i) => proportion(amount, weightOf(i), total));
  let missing = portions.reduce((rest, portion) => rest - portion.share, amount);
  const byRemainder = portions.map((_, at) => at);
  byRemainder.sort((a, b) => compareRemainders(portions, a, b));
  for (const at of byRemainder) {
    if (missing === 0) break;
    const portion = portions[at] as Portion;
    portion.share += 1;
    missing -= 1;
  }

  let given = 0;
  for (let at = 0; at < open.length; at++) {
    const i = open[at] as number;
    const taken = Math.min((portions[at] as Portion).share, (caps[i] as number) - (shares[i] as number));
    shares[i] = (shares[i] as number) + taken;
    given += taken;
  }
  return given;
}

interface Portion {
  share: number;
  readonly remainder: number | bigint;
}

/** `amount × weight / total` as whole part and remainder; BigInt only where the product leaves the exact range. */
function proportion(amount: number, weight: number, total: number): Portion {
  const product = amount * weight;
  if (product <= Number.MAX_SAFE_INTEGER) {
    const remainder = product % total;
    return { share: (product - remainder) / total, remainder };
  }
  const exact = BigInt(amount) * BigInt(weight);
  return { share: Number(exact / BigInt(total)), remainder: exact % BigInt(total) };
}

function compareRemainders(portions: readonly Portion[], a: number, b: number): number {
  const left = (portions[a] as Portion).remainder;
  const right = (portions[b] as Portion).remainder;
  if (left > right) return -1;
  if (left < right) return 1;
  return a - b;
}
