/**
 * Exact arithmetic for the judge: a JSON number is taken as the decimal text it prints as, and every product and sum is
 * made of BigInt, so that no rounding of the machine's own can agree with a wrong answer.
 */

export interface Decimal {
  readonly digits: bigint;
  /** How many of the digits stand behind the decimal point. */
  readonly scale: number;
}

/** The decimal that a number prints as. Throws on a negative number or one that is not finite. */
export function decimalOf(value: number): Decimal {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!match) throw new Error(`not a plain decimal: ${value}`);
  const fraction = match[2] ?? '';
  const digits = BigInt(`${match[1]}${fraction}`);
  const scale = fraction.length - Number(match[3] ?? 0);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** numerator ÷ denominator, rounded half up; both at least zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** quantity × unitPrice in minor units, rounded half up. */
export function linePriceOf(quantity: number, unitPrice: number): bigint {
  const { digits, scale } = decimalOf(quantity);
  return divideHalfUp(digits * BigInt(unitPrice), 10n ** BigInt(scale));
}

/** amount × percent / 100 in minor units, rounded half up. */
export function percentageOf(amount: bigint, percent: number): bigint {
  const { digits, scale } = decimalOf(percent);
  return divideHalfUp(amount * digits, 100n * 10n ** BigInt(scale));
}

/** True when the parts add up to the whole exactly. */
export function addUpTo(parts: readonly number[], whole: number): boolean {
  const decimals = [...parts, whole].map(decimalOf);
  const scale = Math.max(...decimals.map((decimal) => decimal.scale));
  const aligned = decimals.map((decimal) => decimal.digits * 10n ** BigInt(scale - decimal.scale));
  const expected = aligned.pop();
  return aligned.reduce((sum, part) => sum + part, 0n) === expected;
}

/** Σ of amounts in minor units. */
export function sumOf(amounts: Iterable<number>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return sum;
}
