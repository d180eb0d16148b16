import { type CompiledConditions, compileConditions, type WrittenConditions } from '../conditions/register.ts';
import { type LocalTime, MINUTES_PER_DAY, momentOf, parseDate, parseMoment, weekdayOf } from './calendar.ts';

/** When and where a benefit is open. All times are wall-clock times of the venue, so both clock changes look after themselves. */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Its times, and its conditions (conditions/). */
export interface WhenDefinition extends WrittenConditions {
  /** A date, or a date with a time of the venue's clock, `2026-11-27T06:00`. */
  readonly from?: string;
  /** A date, which is included, or a date with a time, at which the window closes. */
  readonly to?: string;
  readonly weekdays?: readonly Weekday[];
  readonly hours?: string;
}

export interface Hours {
  readonly fromMinute: number;
  /** Exclusive. Not above `fromMinute` when the window runs past midnight. */
  readonly toMinute: number;
}

export interface Window {
  /** The days on which it may begin, both included; infinite where a time or nothing is written. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Minutes since 1970 of a `from` or a `to` with a time, the latter excluded; infinite otherwise. */
  readonly fromMoment: number;
  readonly toMoment: number;
  /** Bit 0 is Monday. */
  readonly weekdayBits: number;
  readonly hours?: Hours;
}

/** When and where a benefit is open: all that one entry of `when` says. */
export interface Opening {
  /** Undefined when it is open at any time. */
  readonly window: Window | undefined;
  readonly conditions: CompiledConditions;
}

/** Compiles an entry of `when`; an empty list in it restricts nothing. */
export function compileOpening(when: WhenDefinition): Opening {
  return { window: compileWindow(when), conditions: compileConditions(when) };
}

const ALL_WEEKDAYS = 0b111_1111;

/** Parses `14:00-16:00`. The end may be `24:00`; an end before the start lies on the next day. */
export function parseHours(text: string): Hours | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/.exec(text);
  if (!match) return undefined;
  const fromMinute = Number(match[1]) * 60 + Number(match[2]);
  const toMinute = Number(match[3]) * 60 + Number(match[4]);
  return toMinute > MINUTES_PER_DAY || fromMinute === toMinute ? undefined : { fromMinute, toMinute };
}

/** Compiles the temporal half of `when`; dates and hours have been checked at load. */
export function compileWindow(when: WhenDefinition): Window | undefined {
  const { from, to, weekdays, hours } = when;
  if (from === undefined && to === undefined && !weekdays?.length && hours === undefined) return undefined;
  return {
    fromDay: parseDate(from ?? '') ?? Number.NEGATIVE_INFINITY,
    toDay: parseDate(to ?? '') ?? Number.POSITIVE_INFINITY,
    fromMoment: parseMoment(from ?? '') ?? Number.NEGATIVE_INFINITY,
    toMoment: parseMoment(to ?? '') ?? Number.POSITIVE_INFINITY,
    weekdayBits: weekdays?.length
      ? weekdays.reduce((bits, day) => bits | (1 << WEEKDAYS.indexOf(day)), 0)
      : ALL_WEEKDAYS,
    ...(hours !== undefined && { hours: parseHours(hours) as Hours }),
  };
}

/**
 * True while the window is open. A window that runs past midnight belongs to the day it starts on: at 00:30 on Saturday
 * "fri 22:00-02:00" is still open. A `from` or a `to` with a time is a moment, whatever day the window belongs to.
 */
export function isOpen(window: Window, time: LocalTime): boolean {
  const { hours } = window;
  const moment = momentOf(time);
  if (moment < window.fromMoment || moment >= window.toMoment) return false;
  if (!hours) return coversDay(window, time.day);
  const { fromMinute, toMinute } = hours;
  if (fromMinute < toMinute) {
    return time.minuteOfDay >= fromMinute && time.minuteOfDay < toMinute && coversDay(window, time.day);
  }
  if (time.minuteOfDay >= fromMinute) return coversDay(window, time.day);
  return time.minuteOfDay < toMinute && coversDay(window, time.day - 1);
}

/** True where the window would be open if it had no dates. */
export function isOpenByTimes(window: Window, time: LocalTime): boolean {
  const [always, never] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return isOpen({ ...window, fromDay: always, fromMoment: always, toDay: never, toMoment: never }, time);
}

const DAYS_PER_WEEK = 7;

/** The minutes since 1970 at which the window is open on the day, also those past midnight; empty where the second is not larger. */
function openingOn({ fromMoment, toMoment, hours }: Window, day: number): readonly [number, number] {
  const midnight = day * MINUTES_PER_DAY;
  const { fromMinute, toMinute } = hours ?? { fromMinute: 0, toMinute: MINUTES_PER_DAY };
  const end = midnight + toMinute + (toMinute > fromMinute ? 0 : MINUTES_PER_DAY);
  return [Math.max(midnight + fromMinute, fromMoment), Math.min(end, toMoment)];
}

/** True where the window is open at this moment (minutes since 1970) or later. */
export function opensAfter(window: Window, moment: number): boolean {
  return nextOpening(window, moment) !== undefined;
}

/** The first moment at which the window was or will be open; undefined where it has no beginning, or is never open. */
export function firstOpening(window: Window): number | undefined {
  const begins = Number.isFinite(window.fromDay) || Number.isFinite(window.fromMoment);
  return begins ? nextOpening(window, Number.NEGATIVE_INFINITY) : undefined;
}

/** The first moment from this one on at which the window is open. */
function nextOpening(window: Window, moment: number): number | undefined {
  const begin = Math.max(moment, window.fromMoment, window.fromDay * MINUTES_PER_DAY);
  // A window may have begun on the evening before, and after a week every weekday has been.
  const first = Math.floor(begin / MINUTES_PER_DAY) - 1;
  for (let day = first; day <= first + DAYS_PER_WEEK + 1; day++) {
    const [from, to] = openingOn(window, day);
    if (coversDay(window, day) && Math.max(from, begin) < to) return Math.max(from, begin);
  }
  return undefined;
}

/** The last day on which a window that ends was open; undefined where it was open on none of its last days. */
export function lastOpenDay(window: Window): number | undefined {
  const last = Math.min(window.toDay, Math.floor((window.toMoment - 1) / MINUTES_PER_DAY));
  for (let day = last; day >= last - DAYS_PER_WEEK; day--) {
    const [from, to] = openingOn(window, day);
    if (coversDay(window, day) && from < to) return day;
  }
  return undefined;
}

function coversDay(window: Window, day: number): boolean {
  return day >= window.fromDay && day <= window.toDay && (window.weekdayBits & (1 << weekdayOf(day))) !== 0;
}
