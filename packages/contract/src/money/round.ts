/** Integer division and percentages, rounded half up, exact over the whole range of Money. */

export const PERCENT_SCALE = 100;
const WHOLE_IN_HUNDREDTHS = 100 * PERCENT_SCALE;

/**
 * Divides two integers and rounds half up. The dividend is at least 0, the divisor at least 1, both at most 2^53 − 1.
 * The remainder of two such numbers is exact, so the computation stays in whole numbers.
 */
export function roundHalfUp(dividend: number, divisor: number): number {
  const remainder = dividend % divisor;
  const quotient = (dividend - remainder) / divisor;
  return remainder * 2 >= divisor ? quotient + 1 : quotient;
}

/** The same for BigInt, for intermediate values beyond the exact range of a number. */
export function roundHalfUpBig(dividend: bigint, divisor: bigint): bigint {
  const remainder = dividend % divisor;
  return dividend / divisor + (remainder * 2n >= divisor ? 1n : 0n);
}

/**
 * Up to this amount a percentage is one division, several times as fast as remainders. The quotient is below 2^31, so
 * its error is below 2^−22, and the exact value is a whole number or at least 1/10,000 away from one, so rounding never
 * reaches the next one.
 */
const MOST_DIVIDED = 2 ** 31 - 1;

/**
 * Computes `amount × percent / 100`, rounded half up (interface, section 2). `amount` is in minor units,
 * `percentHundredths` from 0 to 10,000. A large amount is split into whole ten-thousands and a rest, so that every
 * product stays below 2^53.
 */
export function percentOf(amount: number, percentHundredths: number): number {
  if (amount <= MOST_DIVIDED) {
    return Math.floor((amount * percentHundredths + WHOLE_IN_HUNDREDTHS / 2) / WHOLE_IN_HUNDREDTHS);
  }
  const rest = amount % WHOLE_IN_HUNDREDTHS;
  const whole = (amount - rest) / WHOLE_IN_HUNDREDTHS;
  return whole * percentHundredths + roundHalfUp(rest * percentHundredths, WHOLE_IN_HUNDREDTHS);
}

/**
 * Converts a percentage into hundredths of a per cent (33.33 → 3333); undefined when it has more than two decimals. The
 * nearest integer divided back gives the same double exactly when the decimal text had at most two decimals.
 */
export function toHundredths(percent: number): number | undefined {
  const hundredths = Math.round(percent * PERCENT_SCALE);
  return hundredths / PERCENT_SCALE === percent ? hundredths : undefined;
}
