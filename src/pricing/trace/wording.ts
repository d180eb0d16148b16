import { formatDate, type LocalTime, MINUTES_PER_DAY, momentOf, type Period } from '../compile/calendar.ts';
import type { Window } from '../compile/window.ts';
import type { Limit } from '../compile/words.ts';

/** The smallest changes in words, for the support desk. */

const WEEKDAY_NAMES = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'] as const;

/** `11.00 more`, with the decimals of the currency. */
export function moreToSpend(amount: number, currency: string): string {
  return `${formatAmount(amount, currency)} more`;
}

/** `11.00 short of the minimum after other benefits`. */
export function shortAfterOthers(amount: number, currency: string): string {
  return `${formatAmount(amount, currency)} short of the minimum after other benefits`;
}

/** ``the group `welcome` gave 50.00 already``. */
export function givenByGroup(name: string, amount: number, currency: string): string {
  return `the group \`${name}\` gave ${formatAmount(amount, currency)} already`;
}

/** `saves 4.00, and 10.00 at least are asked for`. */
export function savesTooLittle(saved: number, least: number, currency: string): string {
  return `saves ${formatAmount(saved, currency)}, and ${formatAmount(least, currency)} at least are asked for`;
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
  const renewal = whenItRenews(period);
  return `the campaign's budget is used up${renewal === undefined ? '' : `; it begins anew ${renewal}`}`;
}

/** `50000.00` as `50,000.00`. */
function inThousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** `1 of 2 cards left`. */
export function cardsLeft(left: number, quantity: number): string {
  return `${left} of ${quantity} ${quantity === 1 ? 'card' : 'cards'} left`;
}

/** `2 of 2 cards used`. */
export function cardsUsed(used: number, quantity: number): string {
  return `${used} of ${quantity} ${quantity === 1 ? 'card' : 'cards'} used`;
}

/** `with a grant from 2026-12-01`. */
export function grantBegins(day: string): string {
  return `with a grant from ${day}`;
}

/** `2 more of cake or tea`. */
export function moreUnits(units: number, description: string): string {
  return `${units} more of ${description}`;
}

/** When a closed window opens: `from 2026-12-01`, `Fridays from 14:00`. Undefined when it has closed for good. */
export function whenItOpens(window: Window, now: LocalTime): string | undefined {
  const { fromDay, toDay, fromMoment, toMoment, weekdayBits, hours } = window;
  const today = now.day;
  if (today > toDay || momentOf(now) >= toMoment) return undefined;
  const days = WEEKDAY_NAMES.filter((_, weekday) => (weekdayBits & (1 << weekday)) !== 0);
  const words: string[] = [];
  if (days.length < WEEKDAY_NAMES.length) words.push(days.join(', '));
  if (hours) words.push(`from ${formatTime(hours.fromMinute)}`);
  if (today < fromDay)
    words.push(words.length === 0 ? `from ${formatDate(fromDay)}` : `after ${formatDate(fromDay - 1)}`);
  if (momentOf(now) < fromMoment) words.push(`${words.length === 0 ? 'from' : 'after'} ${formatMoment(fromMoment)}`);
  return words.join(' ');
}

/** `2026-11-27 06:00`. */
function formatMoment(moment: number): string {
  const day = Math.floor(moment / MINUTES_PER_DAY);
  return `${formatDate(day)} ${formatTime(moment - day * MINUTES_PER_DAY)}`;
}

const NEXT_PERIOD: Readonly<Record<Period, string | undefined>> = {
  lifetime: undefined,
  year: 'next year',
  month: 'next month',
  week: 'next week',
  day: 'tomorrow',
};

/** When a used-up limit is renewed. */
export function whenItRenews(period: Period): string | undefined {
  return NEXT_PERIOD[period];
}

const decimalsOf = new Map<string, number>();

/** Minor units as people write them: 1100 NOK is `11.00`, 1100 JPY is `1100`. */
export function formatAmount(amount: number, currency: string): string {
  let decimals = decimalsOf.get(currency);
  if (decimals === undefined) {
    const options = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    decimals = options.maximumFractionDigits ?? 0;
    decimalsOf.set(currency, decimals);
  }
  const digits = String(amount).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** `17:32`. */
export function formatTime(minuteOfDay: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`;
}
