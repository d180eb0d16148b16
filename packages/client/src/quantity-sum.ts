/** Adds quantities as the decimals they are written as: 0.1 + 0.2 is 0.3 here. */

interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** True when the parts add up to the whole exactly. All are finite and above 0; weighed goods have decimals. */
export function isSumOf(whole: number, parts: readonly number[]): boolean {
  if (parts.every(Number.isSafeInteger) && Number.isSafeInteger(whole)) {
    return parts.reduce((sum, part) => sum + part, 0) === whole;
  }
  const terms = parts.map(toDecimal);
  const total = toDecimal(whole);
  const scale = Math.max(total.scale, ...terms.map((term) => term.scale));
  const sum = terms.reduce((digits, term) => digits + scaled(term, scale), 0n);
  return sum === scaled(total, scale);
}

function scaled({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

/** Reads a number's shortest decimal text: 1.5e-7 is 15 at scale 8. A negative scale becomes zeros. */
function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}
