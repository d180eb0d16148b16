import { type Static, Type } from '@loyalty/contract/schema-type';
import { dateIn, formatDate, parseDate, periodName } from '@loyalty/engine/compile/calendar';
import { lastOpenDay, type Opening } from '@loyalty/engine/compile/window';
import type { LimitedUse, Venue } from '@loyalty/engine/types';
import type { Environment } from '../../../src/programme/environment.ts';
import { type CommonCounter, leftInCommon, readCommon } from '../../../src/store/common-limits.ts';
import type { Store } from '../../../src/store/store.ts';
import { counterAt } from '../../../src/store/uses.ts';
import { count, counts, described, instant, object, optional, period, text } from './admin/schema-words.ts';
import { readUsageKey } from './admin/uses.ts';
import { type AskedPeriod, isIdle, kindOfPeriod, usesIn } from './asked-period.ts';

/** What is left of the limits over all members, in the periods that are running now, or in an earlier one. */

const date = Type.String({ format: 'date' });

export const CommonLimit = object({
  programmeId: text,
  benefitId: described(text, 'Of a limit that several benefits share, one of them.'),
  limitId: optional(text),
  of: Type.Enum(['programme', 'venue']),
  venueId: optional(text),
  period,
  counts,
  currency: optional(text),
  quantity: count,
  consumed: count,
  held: described(count, 'By open calculations.'),
  overRedeemed: described(count, 'Consumed past the limit, by sales that came after the end of their hold.'),
  left: count,
  since: optional(described(instant, 'When the first unit of the period was consumed.')),
  runsOutOn: optional(date),
  endsOn: optional(
    described(date, 'The last day on which a benefit that draws on it is open; absent where one has no end.'),
  ),
});
/** Units are baskets, items or minor units, as `counts` says. */
export type CommonLimitState = Static<typeof CommonLimit>;

/** Reads every limit over all members of a configuration, now or in a period. Throws `StoreUnavailable`. */
export async function readCommonLimits(
  store: Store,
  { venues }: Environment,
  asked?: AskedPeriod,
): Promise<CommonLimitState[]> {
  const nowMs = Date.now();
  const seen = new Set<string>();
  const read = venues.map(async (venue) => {
    const { programmeId, hasCommonLimits } = venue.programme;
    if (!hasCommonLimits) return [];
    const place = { programmeId, venueId: venue.venueId };
    const all = usesIn(venue, asked, new Date(nowMs).toISOString());
    const uses = all.filter((use) => {
      const counter = use.of && counterAt(place, use);
      if (counter === undefined || seen.has(counter)) return false;
      seen.add(counter);
      return true;
    });
    const counters = await readCommon(store, place, uses);
    return uses.map((use) => {
      const drawing = all.filter(({ usageKey }) => usageKey === use.usageKey);
      const lastDay = lastDayOf(venue, new Set(drawing.map(({ benefitId }) => benefitId)));
      return stateOf(venue, use, counters.get(use.usageKey), { nowMs, lastDay });
    });
  });
  const states = (await Promise.all(read)).flat();
  return states.filter(({ period: own, consumed, held }) => !isIdle(own, asked, consumed + held));
}

function stateOf(
  venue: Venue,
  { benefitId, usageKey, counts, limit, of = 'programme' }: LimitedUse,
  counter: CommonCounter | undefined,
  { nowMs, lastDay }: { readonly nowMs: number; readonly lastDay: number },
): CommonLimitState {
  const { limitId, currency, period } = readUsageKey(usageKey);
  const left = leftInCommon(counter, limit);
  const { consumed = 0, held = 0, overRedeemed = 0, sinceMs } = counter ?? {};
  const isReached = Number.isFinite(consumed);
  return {
    programmeId: venue.programme.programmeId,
    benefitId,
    ...(limitId !== undefined && { limitId }),
    of,
    ...(of === 'venue' && { venueId: venue.venueId }),
    period,
    counts,
    ...(currency !== undefined && { currency }),
    // A counter that is out of reach has nothing left, and nobody knows what was consumed.
    quantity: limit,
    consumed: isReached ? consumed : 0,
    held,
    overRedeemed,
    left,
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
    ...endOf(venue, period, { consumed, left, sinceMs, nowMs, lastDay }),
    ...(Number.isFinite(lastDay) && { endsOn: formatDate(lastDay) }),
  };
}

const MINUTE_MS = 60_000;
/** A pace is no forecast for longer than this. */
const FARTHEST_MS = 3 * 365 * 24 * 60 * MINUTE_MS;

function endOf(
  { timeZone }: Venue,
  period: string,
  figures: { consumed: number; left: number; sinceMs: number | undefined; nowMs: number; lastDay: number },
): { readonly runsOutOn?: string } {
  const { consumed, left, sinceMs, nowMs, lastDay } = figures;
  if (sinceMs === undefined || consumed <= 0 || !Number.isFinite(consumed)) return {};
  const pace = consumed / Math.max(MINUTE_MS, nowMs - sinceMs);
  const lastsMs = left / pace;
  if (lastsMs > FARTHEST_MS) return {};
  const day = dateIn(timeZone, nowMs + lastsMs);
  return isWithin(period, day) && parseDate(day)! <= lastDay ? { runsOutOn: day } : {};
}

/** The last day, in days since 1970, on which any of the benefits is open; infinite where one of them has no end. */
function lastDayOf({ programme }: Venue, benefitIds: ReadonlySet<string>): number {
  const drawing = programme.limited.filter(({ benefitId }) => benefitIds.has(benefitId));
  return Math.max(...drawing.flatMap(({ openings }) => (openings.length > 0 ? openings.map(endOfOpening) : NO_END)));
}

const NO_END = Number.POSITIVE_INFINITY;

function endOfOpening({ window }: Opening): number {
  const hasEnd = window && Number.isFinite(Math.min(window.toDay, window.toMoment));
  return hasEnd ? (lastOpenDay(window) ?? Number.NEGATIVE_INFINITY) : NO_END;
}

/** True for a day of the period. */
function isWithin(period: string, day: string): boolean {
  return periodName(kindOfPeriod(period), parseDate(day)!) === period;
}
