import { dateIn, parseDate } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../src/programme/environment.ts';

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

/** The day at the venues, `2026-11-21`, which need not be the reader's; the later one where it is two. */
export function todayOf({ venues }: Environment): string {
  const now = Date.now();
  const days = venues.map(({ timeZone }) => dateIn(timeZone, now));
  return days.sort().at(-1) ?? dateIn('UTC', now);
}
