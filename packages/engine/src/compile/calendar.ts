import { parseDateTime } from '@loyalty/contract/date-time';

/**
 * The venue's calendar: an RFC 3339 instant as wall-clock date and time of an IANA zone, and the names of periods.
 * No clock is read: `Date` does the arithmetic of dates in UTC, and `Intl` knows the offset of the zone at every clock change.
 */

export type Period = 'lifetime' | 'year' | 'month' | 'week' | 'day';

export interface LocalTime {
  /** Days since 1970-01-01 of the local date. */
  readonly day: number;
  readonly minuteOfDay: number;
  /** 0 = Monday. */
  readonly weekday: number;
}

const SECONDS_PER_DAY = 86_400;
export const MS_PER_DAY = 86_400_000;
export const MINUTES_PER_DAY = 1_440;
const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;

/** Wall-clock time of `instant` (RFC 3339 with offset, already validated) in `timeZone`. Fractions of a second are cut off. */
export function localTime(instant: string, timeZone: string): LocalTime {
  const epochSeconds = parseInstant(instant);
  const localSeconds = epochSeconds + offsetSeconds(timeZone, epochSeconds);
  const day = Math.floor(localSeconds / SECONDS_PER_DAY);
  return {
    day,
    minuteOfDay: Math.floor((localSeconds - day * SECONDS_PER_DAY) / 60),
    weekday: weekdayOf(day),
  };
}

/** The date in `timeZone` at an instant in milliseconds since 1970: `2026-11-21`. */
export function dateIn(timeZone: string, epochMs: number): string {
  const epochSeconds = Math.floor(epochMs / 1000);
  return formatDate(Math.floor((epochSeconds + offsetSeconds(timeZone, epochSeconds)) / SECONDS_PER_DAY));
}

/** Weekday of a day number, 0 = Monday. */
export function weekdayOf(day: number): number {
  return (((day + WEEKDAY_OF_EPOCH) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** Day number of a date `2026-11-21`, or `undefined` when there is no such date. */
export function parseDate(text: string): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? dayNumber(text) : Number.NaN;
  // The 30th of February would be a day in March.
  return !Number.isNaN(day) && formatDate(day) === text ? day : undefined;
}

/** Minutes since 1970 on the venue's clock of `2026-11-27T06:00`, or `undefined` when there is no such minute. */
export function parseMoment(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
  const day = match ? parseDate(match[1]!) : undefined;
  return match && day !== undefined ? day * MINUTES_PER_DAY + Number(match[2]) * 60 + Number(match[3]) : undefined;
}

/** Minutes since 1970 on the venue's clock. */
export function momentOf({ day, minuteOfDay }: LocalTime): number {
  return day * MINUTES_PER_DAY + minuteOfDay;
}

/** `2026-11-21` of a day number. */
export function formatDate(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Name of the period that a local day falls into: `*`, `2026`, `2026-11`, `2026-W47` (ISO 8601) or `2026-11-21`. */
export function periodName(period: Period, day: number): string {
  if (period === 'lifetime') return '*';
  if (period === 'day') return formatDate(day);
  if (period === 'week') return isoWeek(day);
  return formatDate(day).slice(0, period === 'year' ? -'-11-21'.length : -'-21'.length);
}

/** The first day of the period after the one that a local day falls into. */
export function firstDayAfter(period: Exclude<Period, 'lifetime'>, day: number): number {
  let next = day + 1;
  while (periodName(period, next) === periodName(period, day)) next++;
  return next;
}

/** An ISO week belongs to the year its Thursday lies in. */
function isoWeek(day: number): string {
  const thursday = day - weekdayOf(day) + 3;
  const year = periodName('year', thursday);
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / DAYS_PER_WEEK) + 1;
  return `${year}-W${week < 10 ? '0' : ''}${week}`;
}

function parseInstant(instant: string): number {
  const epochMs = parseDateTime(instant);
  if (epochMs === undefined) throw new Error('assertion failed: requestedAt is an RFC 3339 time stamp');
  return Math.floor(epochMs / 1000);
}

interface Zone {
  readonly formatter: Intl.DateTimeFormat;
  /** Offset in seconds per quarter of an hour: since 1970 every clock change falls on such a boundary. */
  readonly offsets: Map<number, number>;
}

const QUARTER_SECONDS = 900;
const MAX_CACHED_OFFSETS = 1_024;
const zones = new Map<string, Zone>();

/** A formatter costs tens of microseconds to build and one to ask, so both answers are kept: they never change. */
function offsetSeconds(timeZone: string, epochSeconds: number): number {
  let zone = zones.get(timeZone);
  if (!zone) {
    zone = {
      formatter: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
      offsets: new Map(),
    };
    zones.set(timeZone, zone);
  }
  if (epochSeconds < 0) return readOffset(zone.formatter, epochSeconds);
  const quarter = Math.floor(epochSeconds / QUARTER_SECONDS);
  let offset = zone.offsets.get(quarter);
  if (offset === undefined) {
    offset = readOffset(zone.formatter, epochSeconds);
    if (zone.offsets.size >= MAX_CACHED_OFFSETS) zone.offsets.clear();
    zone.offsets.set(quarter, offset);
  }
  return offset;
}

/** Reads `GMT`, `GMT+01:00` or `GMT+00:53:28` off the formatted text. */
function readOffset(formatter: Intl.DateTimeFormat, epochSeconds: number): number {
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatter.format(epochSeconds * 1_000));
  if (!match) return 0;
  const seconds = Number(match[2]) * 3_600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}

/** Days since 1970-01-01 of a date, `2026-11-21`. */
function dayNumber(date: string): number {
  return Date.parse(date) / MS_PER_DAY;
}
