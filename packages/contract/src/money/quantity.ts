import { roundHalfUp, roundHalfUpBig } from './round.ts';

/** Exact powers of ten that `roundHalfUp` accepts as a divisor. */
const MAX_EXACT_SCALE = 15;
const POWERS_OF_TEN = Array.from({ length: MAX_EXACT_SCALE + 1 }, (_, exponent) => 10 ** exponent);

/**
 * Computes `quantity × unitPrice` in exact decimal arithmetic on the quantity's shortest decimal text, rounded half up
 * to the minor unit (0.345 × 1999 = 689.655 → 690). `quantity` is finite and at least 0, `unitPrice` is Money. The
 * result is a number while it is Money, and a bigint above 2^53 − 1, so that the caller can still show it.
 */
export function multiplyQuantity(quantity: number, unitPrice: number): number | bigint {
  const product = quantity * unitPrice;
  if (Number.isInteger(quantity) && product <= Number.MAX_SAFE_INTEGER) return product;
  return multiplyDecimal(String(quantity), unitPrice);
}

function multiplyDecimal(text: string, unitPrice: number): number | bigint {
  const exponentAt = text.indexOf('e');
  const mantissa = exponentAt < 0 ? text : text.slice(0, exponentAt);
  const exponent = exponentAt < 0 ? 0 : Number(text.slice(exponentAt + 1));
  const pointAt = mantissa.indexOf('.');
  const digits = pointAt < 0 ? mantissa : mantissa.slice(0, pointAt) + mantissa.slice(pointAt + 1);
  const scale = (pointAt < 0 ? 0 : mantissa.length - pointAt - 1) - exponent;

  // Digits beyond the exact range of a number make a product that is beyond it too, unless the price is 0.
  if (scale >= 0 && scale <= MAX_EXACT_SCALE) {
    const product = Number(digits) * unitPrice;
    if (product <= Number.MAX_SAFE_INTEGER) return roundHalfUp(product, POWERS_OF_TEN[scale] as number);
  }
  const product = BigInt(digits) * BigInt(unitPrice);
  const result = scale >= 0 ? roundHalfUpBig(product, 10n ** BigInt(scale)) : product * 10n ** BigInt(-scale);
  return result <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(result) : result;
}
