import { formatAmount } from '../../pricing/trace/wording.ts';

/** Minor units as major units with as many decimals as the currency has: 3900 is `39.00` in NOK and `3900` in JPY. */
export function formatMoney(minorUnits: number, currency: string): string {
  return `${minorUnits < 0 ? '−' : ''}${formatAmount(Math.abs(minorUnits), currency)}`;
}

/** The same with separators, for sums that grow large: `1,234.00`. */
export function formatSum(minorUnits: number, currency: string): string {
  const [whole = '', ...fraction] = formatMoney(minorUnits, currency).split('.');
  return [whole.replace(/\d(?=(?:\d{3})+$)/g, '$&,'), ...fraction].join('.');
}
