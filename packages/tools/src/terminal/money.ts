import { formatAmount } from '@loyalty/engine/trace/wording';

/** Formats minor units with the currency's number of decimals: 3900 is `39.00` in NOK and `3900` in JPY. */
export function formatMoney(minorUnits: number, currency: string): string {
  return `${minorUnits < 0 ? '−' : ''}${formatAmount(Math.abs(minorUnits), currency)}`;
}

/** Formats a number with thousands separators: `1,234`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** The same as `formatMoney` with thousands separators, for large sums, which may be estimates with fractions: `1,234.00`. */
export function formatSum(minorUnits: number, currency: string): string {
  const [whole = '', ...fraction] = formatMoney(Math.round(minorUnits), currency).split('.');
  return [whole.replace(/\d(?=(?:\d{3})+$)/g, '$&,'), ...fraction].join('.');
}
