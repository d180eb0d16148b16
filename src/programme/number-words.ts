/** Numbers as people write them, where the file wants another form: `12,90`, `12.90` of minor units, `20 %`, `1 000`. */

const MINOR_UNITS = 'minor units';
const MOST_DECIMALS_OF_A_NUMBER = 2;

/** What to write instead of an amount with a point. `decimals` are those of its currency. */
export function pointWords(amount: number, decimals: number): string {
  return `a point in an amount: ${minorWords(amount, decimals)}`;
}

/**
 * A sentence about a value that stands where `allowed` describes a number. `decimals` are those of the currency in which an
 * amount would be. Undefined where the value is none that people would read as a number.
 */
export function numberWords(value: unknown, allowed: string, decimals = 2): string | undefined {
  const isMoney = allowed.includes(MINOR_UNITS);
  if (!isMoney && !/number|percentage/.test(allowed)) return undefined;
  if (typeof value === 'number') {
    if (!isMoney || Number.isInteger(value) || !Number.isFinite(value) || value < 0) return undefined;
    return pointWords(value, decimals);
  }
  if (typeof value !== 'string') return undefined;
  const most = Math.max(MOST_DECIMALS_OF_A_NUMBER, isMoney ? decimals : 0);
  const form = new RegExp(String.raw`^\D{0,4}(\d[\d \u00a0\u202f]*)(?:([.,])(\d{1,${most}}))?\D{0,4}$`);
  const [, digits, sign = '', fraction] = form.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const whole = digits.replaceAll(/\D/g, '');
  const number = fraction === undefined ? whole : `${whole}.${fraction}`;
  const mark = sign === ',' ? 'a comma in a number' : 'a text in the place of a number';
  return isMoney ? `${mark}: ${minorWords(Number(number), decimals)}` : `${mark}: write ${number}`;
}

/** `write 12.90 as 1290`. Of a currency without decimals both are the same number. */
function minorWords(amount: number, decimals: number): string {
  const minor = Math.round(amount * 10 ** decimals);
  return decimals === 0 ? `write ${minor}` : `write ${amount.toFixed(decimals)} as ${minor}`;
}
