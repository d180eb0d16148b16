import { formatDate, localTime, type Period, parseDate, periodName } from '@loyalty/engine/compile/calendar';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { LimitedUse, Venue } from '@loyalty/engine/types';
import { InvalidRequest, notAllowed } from './admin/invalid-request.ts';
import { readUsageKey } from './admin/uses.ts';
import { startOfDay } from './days.ts';

/** The period that a question about limits names, for as long as its counters are kept. */
export interface AskedPeriod {
  readonly name: string;
  readonly kind: Exclude<Period, 'lifetime'>;
  /** Its days, since 1970; of a year the first of each month. */
  readonly days: readonly number[];
}

const DAY_MS = 86_400_000;
const HALF_DAY_MS = DAY_MS / 2;
const DAYS_OF_WEEK = 7;

/** The kind of a period by its name: `2026-11` is a month. */
export function kindOfPeriod(period: string): Period {
  if (period === '*') return 'lifetime';
  if (period.includes('W')) return 'week';
  if (period.length === 'yyyy-mm-dd'.length) return 'day';
  return period.length === 'yyyy-mm'.length ? 'month' : 'year';
}

/**
 * Reads the name of a period; undefined without one. `retentionMs` is how long counters are kept after the end of their period
 * (src/store/scripts/periods.include.lua). Throws `InvalidRequest` where it is none or its counters are gone.
 */
export function readAskedPeriod(name: string | null, retentionMs: number, nowMs: number): AskedPeriod | undefined {
  if (name === null) return undefined;
  const first = firstDayOf(name);
  if (first === undefined) throw notAllowed('period', name, 'a period such as 2026-10, 2026-10-31, 2026-W44 or 2026');
  const kind = kindOfPeriod(name) as AskedPeriod['kind'];
  const days: number[] = [];
  for (let day = first; periodName(kind, day) === name; day += 1) days.push(day);
  const endedMs = endMs(days.at(-1)!) + retentionMs;
  if (endedMs <= nowMs) {
    const until = new Date(endedMs).toISOString();
    throw new InvalidRequest(`period: found ${name}, whose counters were kept until ${until}; allowed: a later one`);
  }
  return { name, kind, days: kind === 'year' ? days.filter((day) => formatDate(day).endsWith('-01')) : days };
}

/** The instant at which a day is over everywhere. */
function endMs(day: number): number {
  return (day + 1) * DAY_MS + HALF_DAY_MS;
}

function firstDayOf(name: string): number | undefined {
  const [, year, week] = /^(\d{4})-W(\d\d)$/.exec(name) ?? [];
  if (year === undefined) return parseDate(`${name}${'-01-01'.slice(name.length - 'yyyy'.length)}`);
  // 4 January is in week 1.
  const fourth = parseDate(`${year}-01-04`)!;
  const inWeek = fourth + (Number(week) - 1) * DAYS_OF_WEEK;
  const monday = inWeek - localTime(`${formatDate(inWeek)}T00:00:00Z`, 'UTC').weekday;
  return periodName('week', monday) === name ? monday : undefined;
}

/**
 * The limited uses of a venue now, or in an asked period, each once: those whose period it is, and those of the days of a week or a month and the
 * months of a year.
 */
export function usesIn(venue: Venue, asked: AskedPeriod | undefined, now: string): LimitedUse[] {
  if (!asked) return limitedUses(venue, now);
  const uses = new Map<string, LimitedUse>();
  for (const day of asked.days) {
    const noon = new Date(startOfDay(formatDate(day), venue.timeZone)! + HALF_DAY_MS).toISOString();
    for (const use of limitedUses(venue, noon)) {
      const { period } = readUsageKey(use.usageKey);
      const kind = kindOfPeriod(period);
      if (kind === asked.kind || kind === PARTS[asked.kind]) uses.set(`${use.benefitId} ${use.usageKey}`, use);
    }
  }
  return [...uses.values()];
}

const PARTS: Readonly<Record<AskedPeriod['kind'], Period | undefined>> = {
  year: 'month',
  month: 'day',
  week: 'day',
  day: undefined,
};

/** True of a part of the asked period in which nothing was used, or whose counters are gone already. */
export function isIdle(period: string, asked: AskedPeriod | undefined, units: number): boolean {
  return asked !== undefined && period !== asked.name && units === 0;
}
