import type { Member, Venue } from '@loyalty/engine/types';
import type { RestoredBasket } from '../calls/stored/kept-basket.ts';
import { allUses, type StoredCalculation } from '../store/stored-calculation.ts';
import { unitsOf } from '../store/uses.ts';
import type { Explanation } from './dry-run.ts';

/** What a past price depended on beside the basket: both clocks, the member, the configuration, and what limits had left. */
export interface PastCircumstances {
  readonly configuration: string;
  /** The basket's own time, by the clock of its till. */
  readonly requestedAt: string;
  /** When it was answered, by Redis' clock, and how far the till's clock was ahead of it in seconds. */
  readonly answeredAt?: string;
  readonly offsetSeconds?: number;
  /** Of the venue, at which all of these are told. */
  readonly timeZone: string;
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

/** `limits` are those of the explanation, as they were before the basket. */
export function circumstancesOf(
  { basket, configuration, member }: RestoredBasket,
  stored: StoredCalculation,
  limits: Explanation['limits'],
  { timeZone }: Pick<Venue, 'timeZone'>,
): PastCircumstances {
  const { requestedAt } = basket;
  const { answeredAtMs } = stored;
  const taken = unitsOf(allUses(stored));
  const left = limits.map(({ usageKey, limit, left: before }) => ({
    ...{ usageKey, limit, before, after: Math.max(0, before - (taken.get(usageKey) ?? 0)) },
  }));
  const clocks = answeredAtMs !== undefined && {
    answeredAt: new Date(answeredAtMs).toISOString(),
    offsetSeconds: Math.round((Date.parse(requestedAt) - answeredAtMs) / MS_PER_SECOND),
  };
  return { configuration, requestedAt, ...clocks, timeZone, ...(member && { member }), left: member ? left : [] };
}
