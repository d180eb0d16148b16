import { type Static, Type } from '../contract/schema-type.ts';
import { dateIn, type Period, parseDate, periodName } from '../pricing/compile/calendar.ts';
import { limitedUses } from '../pricing/price.ts';
import type { LimitedUse, Venue } from '../pricing/types.ts';
import type { Environment } from '../programme/environment.ts';
import { type CommonCounter, leftInCommon, readCommon } from '../store/common-limits.ts';
import { counterAt } from '../store/common-uses.ts';
import type { Store } from '../store/store.ts';
import { count, counts, described, instant, object, period, text } from './admin/schema-words.ts';
import { readUsageKey } from './admin/uses.ts';

/** What is left of the limits over all members, in the periods that are running now. */

export const CommonLimit = object(
  {
    programmeId: text,
    benefitId: described(text, 'Of a limit that several benefits share, one of them.'),
    limitId: text,
    of: Type.Enum(['programme', 'venue']),
    venueId: text,
    period,
    counts,
    currency: text,
    quantity: count,
    consumed: count,
    held: described(count, 'By open calculations.'),
    overRedeemed: described(count, 'Consumed past the limit, by sales that came after the end of their hold.'),
    left: count,
    since: described(instant, 'When the first unit of the period was consumed.'),
    runsOutOn: Type.String({ format: 'date' }),
  },
  ['limitId', 'venueId', 'currency', 'since', 'runsOutOn'],
);
/** Units are baskets, items or minor units, as `counts` says. */
export type CommonLimitState = Static<typeof CommonLimit>;

/** Reads every limit over all members of a configuration. Throws `StoreUnavailable`. */
export async function readCommonLimits(store: Store, { venues }: Environment): Promise<CommonLimitState[]> {
  const nowMs = Date.now();
  const seen = new Set<string>();
  const read = venues.map(async (venue) => {
    const { programmeId, hasCommonLimits } = venue.programme;
    if (!hasCommonLimits) return [];
    const place = { programmeId, venueId: venue.venueId };
    const uses = limitedUses(venue, new Date(nowMs).toISOString()).filter((use) => {
      const counter = use.of && counterAt(place, use);
      if (counter === undefined || seen.has(counter)) return false;
      seen.add(counter);
      return true;
    });
    const counters = await readCommon(store, place, uses);
    return uses.map((use) => stateOf(venue, use, counters.get(use.usageKey), nowMs));
  });
  return (await Promise.all(read)).flat();
}

function stateOf(
  venue: Venue,
  { benefitId, usageKey, counts, limit, of = 'programme' }: LimitedUse,
  counter: CommonCounter | undefined,
  nowMs: number,
): CommonLimitState {
  const { limitId, currency, period } = readUsageKey(usageKey);
  const left = leftInCommon(counter, limit);
  const { consumed = 0, held = 0, overRedeemed = 0, sinceMs } = counter ?? {};
  const isReached = Number.isFinite(consumed);
  return {
    ...{ programmeId: venue.programme.programmeId, benefitId },
    ...(limitId !== undefined && { limitId }),
    of,
    ...(of === 'venue' && { venueId: venue.venueId }),
    ...{ period, counts },
    ...(currency !== undefined && { currency }),
    // A counter that is out of reach has nothing left, and nobody knows what was consumed.
    ...{ quantity: limit, consumed: isReached ? consumed : 0, held, overRedeemed, left },
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
    ...endOf(venue, period, { consumed, left, sinceMs, nowMs }),
  };
}

const MINUTE_MS = 60_000;
/** A pace is no forecast for longer than this. */
const FARTHEST_MS = 3 * 365 * 24 * 60 * MINUTE_MS;

function endOf(
  { timeZone }: Venue,
  period: string,
  figures: { consumed: number; left: number; sinceMs: number | undefined; nowMs: number },
): { readonly runsOutOn?: string } {
  const { consumed, left, sinceMs, nowMs } = figures;
  if (sinceMs === undefined || consumed <= 0 || !Number.isFinite(consumed)) return {};
  const pace = consumed / Math.max(MINUTE_MS, nowMs - sinceMs);
  const lastsMs = left / pace;
  if (lastsMs > FARTHEST_MS) return {};
  const day = dateIn(timeZone, nowMs + lastsMs);
  return isWithin(period, day) ? { runsOutOn: day } : {};
}

/** True for a day of the period. */
function isWithin(period: string, day: string): boolean {
  return periodName(kindOfPeriod(period), parseDate(day)!) === period;
}

/** The kind of a period by its name: `2026-11` is a month. */
export function kindOfPeriod(period: string): Period {
  if (period === '*') return 'lifetime';
  if (period.includes('W')) return 'week';
  if (period.length === 'yyyy-mm-dd'.length) return 'day';
  return period.length === 'yyyy-mm'.length ? 'month' : 'year';
}
