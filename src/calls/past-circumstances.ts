import { parseDateTime } from '../contract/date-time.ts';
import { limitedUses, type Member, type Venue } from '../pricing/price.ts';
import type { CalculationRecord } from '../store/calculation-record.ts';
import { readUnits } from '../store/uses.ts';
import type { RestoredBasket } from './stored/restored-basket.ts';

/** What a past price depended on beside the basket: both clocks, the member, the configuration, and what limits had left. */
export interface PastCircumstances {
  readonly configuration: string;
  /** The basket's own time, by the clock of its till. */
  readonly requestedAt: string;
  /** When it was answered, by Redis' clock, and how far the till's clock was ahead of it in seconds. */
  readonly answeredAt?: string;
  readonly offsetSeconds?: number;
  readonly member?: Pick<Member, 'status' | 'tier' | 'grants'>;
  /** Of each limit and each grant with a quantity that could have mattered. */
  readonly left: readonly PastLimit[];
}

export interface PastLimit {
  readonly usageKey: string;
  readonly limit: number;
  /** Before the basket, and after what it took. */
  readonly before: number;
  readonly after: number;
}

const MS_PER_SECOND = 1000;

export function circumstancesOf(
  { basket, configuration, member, used }: RestoredBasket,
  { answeredAtMs, uses }: CalculationRecord,
  venue: Venue,
): PastCircumstances {
  const { requestedAt } = basket;
  const taken = readUnits(uses);
  const holder = member && { programmeId: venue.programme.programmeId, loyaltyId: '', ...member };
  const left = (holder ? limitedUses(venue, requestedAt, holder) : []).map(({ usageKey, limit }) => {
    const before = Math.max(0, limit - (used.get(usageKey) ?? 0));
    return { usageKey, limit, before, after: Math.max(0, before - (taken.get(usageKey) ?? 0)) };
  });
  const ours = answeredAtMs === undefined ? {} : { answeredAt: new Date(answeredAtMs).toISOString() };
  const theirsMs = parseDateTime(requestedAt);
  const offset =
    answeredAtMs === undefined || theirsMs === undefined
      ? {}
      : { offsetSeconds: Math.round((theirsMs - answeredAtMs) / MS_PER_SECOND) };
  return { configuration, requestedAt, ...ours, ...offset, ...(member && { member }), left };
}
