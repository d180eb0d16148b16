import { dateIn } from '@loyalty/engine/compile/calendar';
import type { Environment } from '../../../src/programme/environment.ts';

/** The day at the venues, `2026-11-21`, which need not be the reader's; the later one where it is two. */
export function todayOf({ venues }: Environment): string {
  const now = Date.now();
  const days = venues.map(({ timeZone }) => dateIn(timeZone, now));
  return days.sort().at(-1) ?? dateIn('UTC', now);
}
