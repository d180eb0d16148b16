/** RFC 3339 date-time with offset (interface, section 2), parsed by hand because `Date` accepts and writes far more. */

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const MINUTES_PER_DAY = 24 * 60;
const MS_PER_MINUTE = 60_000;

/**
 * Parses a date-time into milliseconds since the Unix epoch; undefined when the text is malformed. A leap second, which
 * RFC 3339 allows at the end of a UTC day only, counts as the second before it.
 */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const offsetMinutes = (match[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const utcMinute = (hour * 60 + minute - offsetMinutes + 2 * MINUTES_PER_DAY) % MINUTES_PER_DAY;
  if (second === 60 && utcMinute !== MINUTES_PER_DAY - 1) return undefined;
  const milliseconds = match[7] === undefined ? 0 : Math.min(999, Math.trunc(Number(`0${match[7]}`) * 1000));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offsetMinutes, Math.min(second, 59), milliseconds);
  return date.getTime();
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The ends of the calendar: a year has four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const LARGEST_OFFSET_MS = (MINUTES_PER_DAY - 1) * MS_PER_MINUTE;

/**
 * Writes milliseconds since the Unix epoch as a date-time, in UTC. What `parseDateTime` reads may lie in the year before or after
 * those of four digits in UTC, and is written with the largest offset. An instant beyond that is the last one that can be written.
 */
export function writeDateTime(epochMs: number): string {
  if (epochMs > LAST_MS) return `${writeLocal(Math.min(epochMs - LARGEST_OFFSET_MS, LAST_MS))}-23:59`;
  if (epochMs < FIRST_MS) return `${writeLocal(Math.max(epochMs + LARGEST_OFFSET_MS, FIRST_MS))}+23:59`;
  return new Date(epochMs).toISOString();
}

function writeLocal(ms: number): string {
  return new Date(ms).toISOString().slice(0, -'Z'.length);
}
