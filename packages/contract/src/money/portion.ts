import { roundHalfUpBig } from './round.ts';

/** Exact arithmetic with quantities, on their shortest decimal text: 0.1 and 0.2 are 0.3. */

interface Decimal {
  readonly digits: bigint;
  /** Decimal places of the digits. */
  readonly scale: number;
}

/** Adds two quantities, each finite and at least 0. */
export function addQuantities(one: number, other: number): number {
  return combine(one, other, (a, b) => a + b);
}

/** Subtracts the smaller quantity from the larger one. */
export function subtractQuantities(from: number, taken: number): number {
  return combine(from, taken, (a, b) => a - b);
}

/**
 * `amount × part / whole`, rounded half up. `amount` is Money, the quantities are at least 0, `part` is at most `whole`. Where
 * the whole is 0, the share is 0.
 */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole === 0) return 0;
  if (part === whole) return amount;
  const { digits } = toOneScale(part, whole);
  return Number(roundHalfUpBig(BigInt(amount) * digits[0]!, digits[1]!));
}

/** True when the parts add up to the whole exactly. All are finite and at least 0. */
export function isSumOf(whole: number, parts: readonly number[]): boolean {
  const [all, ...terms] = toOneScale(whole, ...parts).digits;
  return terms.reduce((sum, term) => sum + term, 0n) === all;
}

function combine(one: number, other: number, operate: (a: bigint, b: bigint) => bigint): number {
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return Number(operate(BigInt(one), BigInt(other)));
  const { digits, scale } = toOneScale(one, other);
  return Number(`${operate(digits[0]!, digits[1]!)}e-${scale}`);
}

function toOneScale(...quantities: readonly number[]): { readonly digits: readonly bigint[]; readonly scale: number } {
  const decimals = quantities.map(toDecimal);
  const scale = Math.max(...decimals.map((decimal) => decimal.scale));
  return { digits: decimals.map((decimal) => decimal.digits * 10n ** BigInt(scale - decimal.scale)), scale };
}

function toDecimal(quantity: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(quantity).split('e');
  const [whole = '', places = ''] = mantissa.split('.');
  const scale = places.length - Number(exponent);
  const digits = BigInt(whole + places);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}
