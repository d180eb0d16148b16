import { BigNumber } from 'bignumber.js';

/**
 * The judge's exact arithmetic. A certificate would be worthless if the judge rounded with the code of the judged. So
 * nothing here comes from the service: money is BigInt, and decimals go through a library that the service lacks. A
 * JSON number is taken as the decimal text it prints as; all numbers are finite and at least 0.
 */

function roundHalfUp(exact: BigNumber): bigint {
  return BigInt(exact.integerValue(BigNumber.ROUND_HALF_UP).toFixed());
}

/** `quantity × unitPrice` in minor units, rounded half up (interface, section 2). */
export function priceOf(quantity: number, unitPrice: number): bigint {
  // Whole quantities need no decimals, and property tests judge some hundred thousand such lines.
  if (Number.isSafeInteger(quantity)) return BigInt(quantity) * BigInt(unitPrice);
  return roundHalfUp(new BigNumber(quantity).times(unitPrice));
}

/** `round_half_up(amount × percent / 100)` in minor units (interface, section 2). */
export function shareOf(amount: number | bigint, percent: number): bigint {
  return roundHalfUp(new BigNumber(amount).times(percent).shiftedBy(-2));
}

/** Σ of amounts in minor units. */
export function total(amounts: Iterable<number>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += BigInt(amount);
  return sum;
}

/** True when the quantities add up to the whole exactly, as decimals: 0.1 + 0.2 is 0.3. */
export function quantitiesAddUp(parts: readonly number[], whole: number): boolean {
  if (parts.length === 1) return parts[0] === whole;
  return BigNumber.sum(0, ...parts).isEqualTo(whole);
}

/** True for a percentage with at most two decimals. */
export function hasTwoDecimals(percent: number): boolean {
  return Number.isInteger(percent) || (new BigNumber(percent).decimalPlaces() ?? 0) <= 2;
}
