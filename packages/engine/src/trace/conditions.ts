import {
  formatDate,
  type LocalTime,
  MINUTES_PER_DAY,
  MS_PER_DAY,
  momentOf,
  parseDate,
  periodName,
  weekdayOf,
} from '../compile/calendar.ts';
import type { Benefit } from '../compile/programme.ts';
import { firstOpening, isOpenByTimes, lastOpenDay, opensAfter, type Window } from '../compile/window.ts';
import { CONDITION_NAMES, CONDITIONS, conditionOf } from '../conditions/register.ts';
import { openingClosedBy, type Situation } from '../offers/conditions.ts';
import { grantedFrom } from '../offers/grants.ts';
import type { Grant, RefusalReason, TracedBenefit } from '../types.ts';
import { formatTime } from './wording.ts';

/** Conditions that close a benefit, in words: whom it is for, where, and when. */

const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const DAYS = DAY_NAMES.map((name) => name.slice(0, 3));
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/**
 * The benefit without entries of `when` that are over, since no tier or channel opens them any more. Of a benefit of which all are
 * over their ends alone are left: it has ended for everybody.
 */
export function withoutOver(benefit: Benefit, { time, isClockOff }: Situation): Benefit {
  if (isClockOff) return benefit;
  const { openings } = benefit;
  const running = openings.filter(({ window }) => !window || opensAfter(window, momentOf(time)));
  if (running.length > 0) return { ...benefit, openings: running };
  return { ...benefit, openings: openings.map(({ window }) => ({ window, conditions: {} })) };
}

/** The smallest change that would open a benefit which this condition closes, and what is true of the basket, both for people. */
export function wordsOfCondition(
  benefit: Benefit,
  condition: RefusalReason,
  situation: Situation,
): Pick<TracedBenefit, 'change' | 'explanation'> {
  const { member, time, venue } = situation;
  // Of several entries of `when` those count that are nearest to being open.
  const openings = benefit.openings.filter((opening) => openingClosedBy(opening, situation) === condition);
  const isPricedIn = (currency: string): boolean => benefit.currencies?.includes(currency) ?? true;
  const name = CONDITION_NAMES.find((own) => CONDITIONS[own].reason === condition);
  if (name) {
    const closing = openings.map(({ conditions }) => conditions[name]);
    return conditionOf(name).words(closing, situation);
  }
  switch (condition) {
    case 'not_granted': {
      const from = grantedFrom(situation.member, benefit.benefitId, time);
      const explanation = sentenceOfGrants(member.grants, benefit.benefitId, time);
      return {
        ...(from !== undefined && { change: `with a grant from ${from}` }),
        ...(explanation && { explanation }),
      };
    }
    case 'other_currency': {
      const first = venue.currencies[0]!;
      // What is priced without a currency, as the lists of products are, is in the venue's first one.
      const priced = benefit.namesMoney ? [first].filter(isPricedIn) : benefit.currencies!;
      return priced.length === 0 ? {} : { change: `in ${priced.join(' or ')}` };
    }
    case 'clock_off':
      return { change: 'by a till whose clock is right' };
    case 'not_now': {
      const windows = openings.map(({ window }) => window!);
      const changes = windows.flatMap((window) => whenItOpens(window, time) ?? []);
      const explanation = sentenceOfWindows(windows, time);
      return { ...(changes.length > 0 && { change: [...new Set(changes)].join(' or ') }), explanation };
    }
    default:
      return {};
  }
}

/** When a closed window opens: `from 2026-12-01`, `Fridays from 14:00`. Undefined when it has closed for good. */
export function whenItOpens(window: Window, now: LocalTime): string | undefined {
  const { fromDay, fromMoment, weekdayBits, hours } = window;
  const today = now.day;
  if (!opensAfter(window, momentOf(now))) return undefined;
  const days = DAY_NAMES.filter((_, weekday) => (weekdayBits & (1 << weekday)) !== 0).map((name) => `${name}s`);
  const words: string[] = [];
  if (days.length < DAY_NAMES.length) words.push(days.join(', '));
  if (hours) words.push(`from ${formatTime(hours.fromMinute)}`);
  if (today < fromDay)
    words.push(words.length === 0 ? `from ${formatDate(fromDay)}` : `after ${formatDate(fromDay - 1)}`);
  if (momentOf(now) < fromMoment) words.push(`${words.length === 0 ? 'from' : 'after'} ${formatMoment(fromMoment)}`);
  return words.join(' ');
}

function dayOf(moment: number): number {
  return Math.floor(moment / MINUTES_PER_DAY);
}

/** `2026-11-27 06:00`. */
function formatMoment(moment: number): string {
  const day = dayOf(moment);
  return `${formatDate(day)} ${formatTime(moment - day * MINUTES_PER_DAY)}`;
}

/** `13 December`, and of another year than today's `13 December 2025`. */
function dayInWords(day: number, today: number): string {
  const [year, yearOfToday] = [day, today].map((own) => periodName('year', own));
  return `${DATE.format(day * MS_PER_DAY)}${year === yearOfToday ? '' : ` ${year}`}`;
}

function momentInWords(moment: number, today: number): string {
  const day = dayOf(moment);
  return `${dayInWords(day, today)} at ${formatTime(moment - day * MINUTES_PER_DAY)}`;
}

/** `The grant bd-2026 ended on 30 November.`, or when it begins. Undefined for a member who never had one. */
function sentenceOfGrants(
  grants: readonly (string | Grant)[],
  benefitId: string,
  { day: today }: LocalTime,
): string | undefined {
  const own = grants.filter((grant): grant is Grant => typeof grant !== 'string' && grant.benefitId === benefitId);
  const dated = (of: (grant: Grant) => string | undefined): { readonly grant: Grant; readonly day: number }[] =>
    own.map((grant) => ({ grant, day: parseDate(of(grant) ?? '') ?? today }));
  const coming = dated(({ from }) => from)
    .filter(({ day }) => day > today)
    .sort((a, b) => a.day - b.day)[0];
  if (coming) return `The grant ${coming.grant.grantId} begins on ${dayInWords(coming.day, today)}.`;
  // A grant that is not there and does not begin has ended.
  const ended = dated(({ to }) => to).sort((a, b) => b.day - a.day)[0];
  return ended && `The grant ${ended.grant.grantId} ended on ${dayInWords(ended.day, today)}.`;
}

/** `Mon–Fri 14:00–16:00; this basket is from Friday 17:32.`, `It ended on 13 December.` */
function sentenceOfWindows(windows: readonly Window[], now: LocalTime): string {
  const today = now.day;
  const isOver = (own: Window): boolean => !opensAfter(own, momentOf(now));
  const isToCome = (own: Window): boolean => {
    const first = firstOpening(own) ?? Number.NEGATIVE_INFINITY;
    // Later on its first day, its hours say more than its dates; unless it is open at this hour of other days.
    return momentOf(now) < first && (today < dayOf(first) || isOpenByTimes(own, now));
  };
  const open = windows.filter((own) => !isOver(own) && !isToCome(own));
  if (open.length > 0) {
    const at = `this basket is from ${DAY_NAMES[weekdayOf(today)]} ${formatTime(now.minuteOfDay)}`;
    return `${[...new Set(open.map(timesInWords))].join(', ')}; ${at}.`;
  }
  const coming = windows.filter((own) => !isOver(own)).sort((a, b) => firstOpening(a)! - firstOpening(b)!)[0];
  if (coming) {
    const first = firstOpening(coming)!;
    const isMoment = Number.isFinite(coming.fromMoment) || dayOf(first) === today;
    return `It begins on ${isMoment ? momentInWords(first, today) : dayInWords(dayOf(first), today)}.`;
  }
  const endOf = (own: Window): number => Math.min((own.toDay + 1) * MINUTES_PER_DAY, own.toMoment);
  const last = [...windows].sort((a, b) => endOf(b) - endOf(a))[0]!;
  // Its dates may run on, without one of its weekdays or hours.
  const isRunning = today <= last.toDay && momentOf(now) < last.toMoment;
  const isMoment = Number.isFinite(last.toMoment) && !isRunning;
  const lastDay = (isRunning ? lastOpenDay(last) : undefined) ?? last.toDay;
  return `It ended on ${isMoment ? momentInWords(last.toMoment, today) : dayInWords(lastDay, today)}.`;
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
