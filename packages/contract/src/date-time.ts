/** RFC 3339 date-time with offset (interface, section 2), parsed by hand because `Date` accepts and writes far more. */

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const MINUTES_PER_DAY = 24 * 60;

/**
 * Parses a date-time into milliseconds since the Unix epoch; undefined when the text is malformed. A leap second, which
 * RFC 3339 allows at the end of a UTC day only, counts as the second before it.
 */
export function parseDateTime(text: string): number | undefined {
  return parseUsual(text) ?? parseAny(text);
}

/** `2026-11-20T12:00:00+01:00`. */
const USUAL_LENGTH = 25;
const [PLUS, HYPHEN, COLON, LETTER_T, ZERO] = [0x2b, 0x2d, 0x3a, 0x54, 0x30];
const FIRST_USUAL_YEAR = 1000;
const MS_PER_MINUTE = 60_000;

/**
 * The form that tills send, read character by character: a third of the time of the expression, and every basket's time is
 * read three times. Undefined for any other text, of which nothing is said.
 */
function parseUsual(text: string): number | undefined {
  if (text.length !== USUAL_LENGTH) return undefined;
  const sign = text.charCodeAt(19);
  if (
    text.charCodeAt(4) !== HYPHEN ||
    text.charCodeAt(7) !== HYPHEN ||
    text.charCodeAt(10) !== LETTER_T ||
    text.charCodeAt(13) !== COLON ||
    text.charCodeAt(16) !== COLON ||
    (sign !== PLUS && sign !== HYPHEN) ||
    text.charCodeAt(22) !== COLON
  ) {
    return undefined;
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const offsetHour = twoDigits(text, 20);
  const offsetMinute = twoDigits(text, 23);
  // NaN, which stands for anything but digits, is in none of these ranges.
  if (!(year >= FIRST_USUAL_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) {
    return undefined;
  }
  if (!(hour <= 23 && minute <= 59 && second <= 59 && offsetHour <= 23 && offsetMinute <= 59)) return undefined;
  const offsetMs = (offsetHour * 60 + offsetMinute) * MS_PER_MINUTE;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second);
  return sign === PLUS ? localMs - offsetMs : localMs + offsetMs;
}

/** NaN unless there are two digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function parseAny(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (!match) return undefined;
  // Read one by one: arrays of them cost more than the rest.
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
