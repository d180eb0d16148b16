import { resolveOverdue } from './common-endings.ts';
import type { CounterToken } from './keys.ts';
import { holdCommonScript, readCommonScript } from './scripts/common-limits.ts';
import { orGoWithout } from './spare-key.ts';
import type { Store } from './store.ts';
import type { Owner } from './stored-calculation.ts';
import { type CommonPlace, type CommonUse, counterAt } from './uses.ts';

/**
 * Limits over all members. Each has a counter per period, in a slot of its own, so that a call is a sequence of steps:
 *
 *   1  the counter is read with the member;
 *   2  its units are held there, before the commit;
 *   3  the member's commit notes in the calculation's record what is held, and where;
 *   4  the counter learns that the hold is confirmed; nobody waits for this.
 *
 * A hold that is not confirmed when its call is over is looked up by whoever meets it: the calculation's record decides whether
 * it stays. A sale, an expiry or a supersession notes in the record how the holds end, and then ends them in the counters
 * (common-endings.ts). Every step may be repeated.
 */

/** A counter at an instant. */
export interface CommonCounter {
  readonly consumed: number;
  readonly overRedeemed: number;
  /** Units held by open calculations of others. */
  readonly held: number;
  /** Units held by the calculations that the reader named. */
  readonly own: number;
  /** When the first unit was consumed, by Redis' clock, ms since 1970. */
  readonly sinceMs?: number;
}

/** Nothing is given of a limit whose counter cannot be read. */
const OUT_OF_REACH: CommonCounter = { consumed: Number.POSITIVE_INFINITY, overRedeemed: 0, held: 0, own: 0 };

export type CommonCounters = ReadonlyMap<string, CommonCounter>;
/** All that a price asks of them. */
export type CountersByKey = Pick<CommonCounters, 'get'>;

/** Counters of which it is known what others had, by usage key, and no more. Of a key that is absent they had nothing. */
export function countersAsUsed(used: ReadonlyMap<string, number>): CountersByKey {
  return { get: (usageKey) => ({ consumed: used.get(usageKey) ?? 0, overRedeemed: 0, held: 0, own: 0 }) };
}

/** Units left of a limit over all members. Nothing is left where its counter was not read. */
export function leftInCommon(counter: CommonCounter | undefined, limit: number): number {
  return Math.max(0, limit - (counter?.consumed ?? limit) - (counter?.held ?? 0));
}

/**
 * Reads the counters of limits over all members, by usage key; other uses are left out. `wanted` are calculations whose own
 * holds do not stand in the way. On a cluster a counter whose master is away has nothing left. Throws `StoreUnavailable`.
 */
export async function readCommon(
  store: Store,
  place: CommonPlace,
  uses: readonly Pick<CommonUse, 'usageKey' | 'of'>[],
  wanted: readonly string[] = [],
): Promise<CommonCounters> {
  const common = new Map(uses.filter(({ of }) => of).map((use) => [use.usageKey, use]));
  const read = [...common.values()].map(async (use) => {
    const counter = await readCounter(store, counterAt(place, use), use.usageKey, wanted);
    return [use.usageKey, counter] as const;
  });
  return new Map(await Promise.all(read));
}

async function readCounter(
  store: Store,
  counter: CounterToken,
  usageKey: string,
  wanted: readonly string[],
): Promise<CommonCounter> {
  const read = () =>
    orGoWithout(store, readCommonScript(store.connection, store.keys.ofCounter(counter), { usageKey, wanted }));
  let reply = await read();
  if (reply && reply.overdue.length > 0) {
    await resolveOverdue(store, { counter, usageKey }, reply.overdue);
    reply = await read();
  }
  if (!reply) return OUT_OF_REACH;
  const { overdue, sinceMs, ...units } = reply;
  return { ...units, ...(sinceMs !== undefined && { sinceMs }) };
}

export interface CommonHold extends Owner {
  readonly uses: readonly CommonUse[];
  /** A calculation of the same member that the commit supersedes: its units may go over to this one. */
  readonly supersedes: string | undefined;
  /** The time left of the call. */
  readonly remainingMs: number;
}

export type CommonHoldOutcome =
  /** `lent`: of uses that are held only if the commit ends the superseded calculation, the units left without it. */
  | { readonly outcome: 'held'; readonly lent: ReadonlyMap<string, number> }
  | { readonly outcome: 'shortage'; readonly left: ReadonlyMap<string, number> };

/** A call is over a little after its deadline, by whatever clock. */
const MARGIN_MS = 2000;

/** Holds the units in all their counters, before the commit. Throws `StoreUnavailable`. */
export async function holdCommon(store: Store, hold: CommonHold): Promise<CommonHoldOutcome> {
  const held = await Promise.all(hold.uses.map((use) => holdOne(store, hold, use)));
  const leftOf = (wanted: 'lent' | 'short') =>
    new Map(held.filter(({ outcome }) => outcome === wanted).map(({ usageKey, left }) => [usageKey, left]));
  const short = leftOf('short');
  return short.size > 0 ? { outcome: 'shortage', left: short } : { outcome: 'held', lent: leftOf('lent') };
}

async function holdOne(
  store: Store,
  { calculationId, member, supersedes, remainingMs }: CommonHold,
  use: CommonUse,
): Promise<{ readonly usageKey: string; readonly outcome: 'held' | 'lent' | 'short'; readonly left: number }> {
  const { keys, connection, periods } = store;
  const { counter, usageKey, units, limit } = use;
  const callOverMs = Math.ceil(remainingMs) + MARGIN_MS;
  const wanted = { calculationId, member, usageKey, units, limit, supersedes, callOverMs, holdMs: periods.holdMs };
  const hold = () => orGoWithout(store, holdCommonScript(connection, keys.ofCounter(counter), wanted));
  let reply = await hold();
  if (reply?.outcome === 'short' && reply.overdue.length > 0) {
    await resolveOverdue(store, use, reply.overdue);
    reply = await hold();
  }
  return { usageKey, left: 0, ...(reply ?? { outcome: 'short' }) };
}
