import { dateIn, parseDate } from '@loyalty/engine/compile/calendar';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The instant at which a day begins in a zone, whatever its clock changes; undefined when the text is no day. */
export function startOfDay(day: string, timeZone: string): number | undefined {
  if (parseDate(day) === undefined) return undefined;
  // Somewhere between UTC+14 and UTC−12 of that date, found to the minute: some zones begin at odd offsets.
  let [before, after] = [Date.parse(`${day}T00:00:00Z`) - 15 * HOUR_MS, Date.parse(`${day}T00:00:00Z`) + 13 * HOUR_MS];
  while (after - before > MINUTE_MS) {
    const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (dateIn(timeZone, middle) < day) before = middle;
    else after = middle;
  }
  return after;
}
