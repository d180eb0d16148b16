import type { Period } from '../compile/calendar.ts';
import type { Limit } from '../compile/words.ts';

/** Amounts, times and limits in words, for people. */

/** `11.00 more`, with the decimals of the currency. */
export function moreToSpend(amount: number, currency: string): string {
  return `${formatAmount(amount, currency)} more`;
}

const THIS_PERIOD: Readonly<Record<Period, string>> = {
  lifetime: '',
  year: ' this year',
  month: ' this month',
  week: ' this week',
  day: ' today',
};

/** What is left of a limit: `49.00 left this month`, `2 left today`, and of one for all members `312 of 1,000 left`. */
export function leftOfLimit(left: number, { counts, period, quantity, of }: Limit, currency: string): string {
  const format = (units: number): string => (counts === 'money' ? formatAmount(units, currency) : String(units));
  const words = of === 'member' ? format(left) : `${inThousands(format(left))} of ${inThousands(format(quantity))}`;
  return `${words} left${THIS_PERIOD[period]}`;
}

/** `the campaign's budget is used up; it begins anew tomorrow`: nothing is left of a limit for all members. */
export function budgetUsedUp(period: Period): string {
  const renewal = NEXT_PERIOD[period];
  return `the campaign's budget is used up${renewal === undefined ? '' : `; it begins anew ${renewal}`}`;
}

/** `50000.00` as `50,000.00`. */
function inThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** `2 more of cake or tea`. */
export function moreUnits(units: number, description: string): string {
  return `${units} more of ${description}`;
}

/** When a used-up limit is renewed. */
export const NEXT_PERIOD: Readonly<Record<Period, string | undefined>> = {
  lifetime: undefined,
  year: 'next year',
  month: 'next month',
  week: 'next week',
  day: 'tomorrow',
};

const knownDecimals = new Map<string, number>();

/** How many decimals people write of a currency: 2 of NOK, 0 of JPY, 3 of KWD. */
export function decimalsOf(currency: string): number {
  let decimals = knownDecimals.get(currency);
  if (decimals === undefined) {
    const options = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    decimals = options.maximumFractionDigits ?? 0;
    knownDecimals.set(currency, decimals);
  }
  return decimals;
}

/** Minor units as people write them: 1100 NOK is `11.00`, 1100 JPY is `1100`. */
export function formatAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `17:32`. */
export function formatTime(minuteOfDay: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`;
}
