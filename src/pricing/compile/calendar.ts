/**
 * The venue's calendar: an RFC 3339 instant as wall-clock date and time of an IANA zone, and the names of periods.
 * Integers only and no `Date`; only the offset of the zone comes from `Intl`, which knows every clock change.
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
const MINUTES_PER_DAY = 1_440;
const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const WEEKDAY_OF_EPOCH = 3;
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

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
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, dayOfMonth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const day = dayNumber(year, month, dayOfMonth);
  return formatDate(day) === text ? day : undefined;
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
  const { year, month, dayOfMonth } = civilDate(day);
  return `${padYear(year)}-${pad(month)}-${pad(dayOfMonth)}`;
}

/** Name of the period that a local day falls into: `*`, `2026`, `2026-11`, `2026-W47` (ISO 8601) or `2026-11-21`. */
export function periodName(period: Period, day: number): string {
  if (period === 'lifetime') return '*';
  if (period === 'day') return formatDate(day);
  if (period === 'week') return isoWeek(day);
  const { year, month } = civilDate(day);
  return period === 'year' ? padYear(year) : `${padYear(year)}-${pad(month)}`;
}

/** An ISO week belongs to the year its Thursday lies in. */
function isoWeek(day: number): string {
  const thursday = day - weekdayOf(day) + 3;
  const { year } = civilDate(thursday);
  const week = Math.floor((thursday - dayNumber(year, 1, 1)) / DAYS_PER_WEEK) + 1;
  return `${padYear(year)}-W${pad(week)}`;
}

function parseInstant(instant: string): number {
  const match = INSTANT.exec(instant);
  if (!match) throw new Error('assertion failed: requestedAt is an RFC 3339 time stamp');
  const day = dayNumber(Number(match[1]), Number(match[2]), Number(match[3]));
  // A leap second counts as the last second of its minute, so that it stays in its own day.
  const seconds = Number(match[4]) * 3_600 + Number(match[5]) * 60 + Math.min(59, Number(match[6]));
  const offset = match[7] ? (Number(match[8]) * 60 + Number(match[9])) * 60 : 0;
  return day * SECONDS_PER_DAY + seconds - (match[7] === '-' ? -offset : offset);
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

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar (H. Hinnant, days_from_civil). */
function dayNumber(year: number, month: number, dayOfMonth: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `dayNumber` (civil_from_days). */
function civilDate(day: number): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

function pad(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

function padYear(year: number): string {
  return String(year).padStart(4, '0');
}

export { MINUTES_PER_DAY };
