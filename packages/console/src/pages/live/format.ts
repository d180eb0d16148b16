/** Formats figures for people. */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export function formatCount(count: number) {
  return WHOLE.format(count);
}

/** Formats three significant digits: 0.84, 12.3, 187. */
export function formatFigure(value: number | undefined) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  if (value < 10) return value.toFixed(2);
  return value < 100 ? value.toFixed(1) : WHOLE.format(value);
}

/** Formats the local time of day. */
export function formatClock(atMs: number) {
  return CLOCK.format(atMs);
}

/** Formats an instant (RFC 3339) as a clock of the zone shows it, as in the stories: 2026-11-21 12:00:03 Europe/Oslo. */
export function formatTime(instant: string, timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return `${format.format(new Date(instant))} ${timeZone}`;
}

const decimalsOf: Map<string, number> = new Map();

/** Digits after the decimal point: 2 for NOK, 0 for JPY. An unknown currency gets 2, as `XXX` does. */
export function decimalsOfCurrency(currency: string) {
  let decimals = decimalsOf.get(currency);
  if (decimals === undefined) {
    const options = { style: 'currency', currency: /^[A-Z]{3}$/.test(currency) ? currency : 'XXX' } as const;
    decimals = new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 2;
    decimalsOf.set(currency, decimals);
  }
  return decimals;
}

/** Formats minor units as an amount: 3900 NOK is 39.00. The sign is a true minus; with `isChange` a plus is shown too. */
export function formatAmount(minor: number, currency: string, isChange: boolean = false) {
  const decimals = decimalsOfCurrency(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  if (minor < 0) return `\u2212${text}`;
  return isChange && minor > 0 ? `+${text}` : text;
}

/** Formats minor units as an amount with its currency: 39.00 NOK. */
export function formatMoney(minor: number, currency: string) {
  return `${formatAmount(minor, currency)} ${currency}`;
}
