/**
 * Exact arithmetic of the kit's own. A certificate is worth nothing when the judge rounds with the code of the judged, so
 * nothing here comes from the service: a JSON number is taken as the decimal text it prints as, and all else is BigInt.
 */

/** numerator ÷ 10^scale as an exact decimal. */
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/** Reads a number's shortest decimal text. The number is finite and at least 0. */
function scaled(value: number): Scaled {
  const [mantissa = '0', exponentText = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponentText);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** dividend ÷ divisor rounded half up; dividend at least 0, divisor at least 1. */
function halfUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return 2n * (dividend - quotient * divisor) >= divisor ? quotient + 1n : quotient;
}

/** `quantity × unitPrice` in minor units, rounded half up (interface, section 2). */
export function priceOf(quantity: number, unitPrice: number): bigint {
  const { digits, scale } = scaled(quantity);
  return halfUp(digits * BigInt(unitPrice), 10n ** BigInt(scale));
}

/** `round_half_up(amount × percent / 100)` in minor units (interface, section 2). */
export function shareOf(amount: number | bigint, percent: number): bigint {
  const { digits, scale } = scaled(percent);
  return halfUp(BigInt(amount) * digits, 10n ** BigInt(scale + 2));
}

/** Σ of amounts in minor units. */
export function total(amounts: Iterable<number>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return sum;
}

/** True when the quantities add up to the whole exactly, as decimals. */
export function quantitiesAddUp(parts: readonly number[], whole: number): boolean {
  const all = [...parts, whole].map(scaled);
  const scale = Math.max(...all.map((entry) => entry.scale));
  const digits = all.map((entry) => entry.digits * 10n ** BigInt(scale - entry.scale));
  const expected = digits.pop();
  return digits.reduce((sum, part) => sum + part, 0n) === expected;
}

/** True for a percentage with at most two decimals. */
export function hasTwoDecimals(percent: number): boolean {
  return scaled(percent).scale <= 2;
}
