import { formatDate, type LocalTime, MINUTES_PER_DAY, momentOf, parseDate, weekdayOf } from '../compile/calendar.ts';
import type { Opening, Window } from '../compile/window.ts';
import type { Grant } from '../types.ts';
import { formatAmount, formatTime } from './wording.ts';

/** What is true of this basket and this benefit, in whole sentences for people. */

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const;

/** `13 December`, and of another year than today's `13 December 2025`. */
function dayInWords(day: number, today: number): string {
  const [year, month, ofMonth] = formatDate(day).split('-');
  const ofYear = formatDate(today).startsWith(`${year}-`) ? '' : ` ${year}`;
  return `${Number(ofMonth)} ${MONTHS[Number(month) - 1]}${ofYear}`;
}

function momentInWords(moment: number, today: number): string {
  const day = Math.floor(moment / MINUTES_PER_DAY);
  return `${dayInWords(day, today)} at ${formatTime(moment - day * MINUTES_PER_DAY)}`;
}

/** `The grant bd-2026 ended on 30 November.`, or when it begins. Undefined for a member who never had one. */
export function sentenceOfGrants(
  grants: readonly (string | Grant)[],
  benefitId: string,
  { day: today }: LocalTime,
): string | undefined {
  const own = grants.filter((grant): grant is Grant => typeof grant !== 'string' && grant.benefitId === benefitId);
  const dated = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseDate(text));
  const coming = own
    .flatMap((grant) => ({ grant, day: dated(grant.from) ?? today }))
    .filter(({ day }) => day > today)
    .sort((a, b) => a.day - b.day)[0];
  if (coming) return `The grant ${coming.grant.grantId} begins on ${dayInWords(coming.day, today)}.`;
  const ended = own
    .flatMap((grant) => ({ grant, day: dated(grant.to) ?? today }))
    .filter(({ day }) => day < today)
    .sort((a, b) => b.day - a.day)[0];
  return ended && `The grant ${ended.grant.grantId} ended on ${dayInWords(ended.day, today)}.`;
}

/** `Mon–Fri 14:00–16:00; this basket is from Friday 17:32.`, `It ended on 13 December.` */
export function sentenceOfWindows(windows: readonly Window[], now: LocalTime): string {
  const today = now.day;
  const isOver = (own: Window): boolean => today > own.toDay || momentOf(now) >= own.toMoment;
  const isToCome = (own: Window): boolean => today < own.fromDay || momentOf(now) < own.fromMoment;
  const open = windows.filter((own) => !isOver(own) && !isToCome(own));
  if (open.length > 0) {
    const at = `this basket is from ${DAY_NAMES[weekdayOf(today)]} ${formatTime(now.minuteOfDay)}`;
    return `${[...new Set(open.map(timesInWords))].join(', ')}; ${at}.`;
  }
  const beginningOf = (own: Window): number => Math.max(own.fromDay * MINUTES_PER_DAY, own.fromMoment);
  const coming = windows.filter((own) => !isOver(own)).sort((a, b) => beginningOf(a) - beginningOf(b))[0];
  if (coming) {
    const isMoment = coming.fromMoment > coming.fromDay * MINUTES_PER_DAY;
    const begins = isMoment ? momentInWords(coming.fromMoment, today) : dayInWords(coming.fromDay, today);
    return `It begins on ${begins}.`;
  }
  const endOf = (own: Window): number => Math.min(own.toDay * MINUTES_PER_DAY, own.toMoment);
  const last = [...windows].sort((a, b) => endOf(b) - endOf(a))[0]!;
  const isMoment = last.toMoment < last.toDay * MINUTES_PER_DAY;
  return `It ended on ${isMoment ? momentInWords(last.toMoment, today) : dayInWords(last.toDay, today)}.`;
}

/** `Mon–Fri 14:00–16:00`. */
function timesInWords({ weekdayBits, hours }: Window): string {
  const days = [...DAYS.keys()].filter((day) => (weekdayBits & (1 << day)) !== 0);
  const isRun = days.length > 2 && days.at(-1)! - days[0]! === days.length - 1;
  const all = days.length === DAYS.length;
  const names = isRun ? `${DAYS[days[0]!]}–${DAYS[days.at(-1)!]}` : days.map((day) => DAYS[day]).join(', ');
  const times = hours ? `${formatTime(hours.fromMinute)}–${formatTime(hours.toMinute)}` : '';
  return [all ? (hours ? 'Daily' : 'Every day') : names, times].filter((part) => part !== '').join(' ');
}

/** `It is for gold; this member has no tier.` */
export function sentenceOfTiers(openings: readonly Opening[], tier: string | undefined): string {
  const own = tier === undefined ? 'has no tier' : `is ${tier}`;
  return `It is for members of the tier ${namesOf(openings, ({ tiers }) => tiers)}; this member ${own}.`;
}

export function sentenceOfVenues(openings: readonly Opening[], venueId: string): string {
  return `It runs at ${namesOf(openings, ({ venueIds }) => venueIds)}; this basket is from ${venueId}.`;
}

export function sentenceOfChannels(openings: readonly Opening[], channel: string): string {
  return `It runs on ${namesOf(openings, ({ channels }) => channels)}; this basket is from ${channel}.`;
}

function namesOf(openings: readonly Opening[], of: (opening: Opening) => ReadonlySet<string> | undefined): string {
  return [...new Set(openings.flatMap((opening) => [...(of(opening) ?? [])]))].join(' or ');
}

/** `Staff discounts of 50.00 or benefits of 13.80, never both: the cheaper for the guest stays.` */
export function sentenceOfStaffDiscounts(staff: number, benefits: number | undefined, currency: string): string {
  const given = `Staff discounts of ${formatAmount(staff, currency)}`;
  if (benefits === undefined) return `${given} or benefits, never both: the staff discounts stay.`;
  return `${given} or benefits of ${formatAmount(benefits, currency)}, never both: the cheaper for the guest stays.`;
}

/** `Missing: 1 side, 1 drink.` */
export function sentenceOfMissing(
  missing: readonly { readonly units: number; readonly description: string }[],
): string {
  return `Missing: ${missing.map(({ units, description }) => `${units} ${description}`).join(', ')}.`;
}

/** A benefit of which nothing is left now. */
export const USED_UP_BY_THIS = 'Applied; used up by this sale.';
