/** Numbers as people write them, where the file wants another form: `12,90`, `12.90` of minor units, `20 %`, `1 000`. */

const MINOR_UNITS = 'minor units';

/**
 * A sentence about a value that stands where `allowed` describes a number. Undefined where the value is none that people
 * would read as a number.
 */
export function numberWords(value: unknown, allowed: string): string | undefined {
  const isMoney = allowed.includes(MINOR_UNITS);
  if (!isMoney && !/number|percentage/.test(allowed)) return undefined;
  if (typeof value === 'number') {
    if (!isMoney || Number.isInteger(value) || !Number.isFinite(value) || value < 0) return undefined;
    return `a point in an amount: write ${value.toFixed(2)} as ${Math.round(value * 100)}`;
  }
  if (typeof value !== 'string') return undefined;
  const [, digits, sign = '', decimals] =
    /^\D{0,4}(\d[\d \u00a0\u202f]*)(?:([.,])(\d{1,2}))?\D{0,4}$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const whole = digits.replaceAll(/\D/g, '');
  const number = decimals === undefined ? whole : `${whole}.${decimals}`;
  const mark = sign === ',' ? 'a comma in a number' : 'a text in the place of a number';
  if (!isMoney) return `${mark}: write ${number}`;
  const minor = Math.round(Number(number) * 100);
  return `${mark}: write ${Number(number).toFixed(2)} as ${minor}`;
}
