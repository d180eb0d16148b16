import { confirmHolds } from '../store/common-endings.ts';
import { type CommonHoldOutcome, holdCommon } from '../store/common-limits.ts';
import type { CounterToken, MemberToken } from '../store/keys.ts';
import { orLeaveUndone } from '../store/spare-key.ts';
import type { Store } from '../store/store.ts';
import { type CommonUse, counterAt, type Use } from '../store/uses.ts';
import type { LookedUp } from './lookup.ts';
import type { ReadCall } from './read-call.ts';

/**
 * Holds of one call in the counters of limits over all members, over all rounds of its pricing, also those before something had
 * changed and all was read again.
 *
 * Only the commit of the call itself gives back at once. A hold belongs to the calculation ID, thus to all calls of this ID: where
 * one ends without a commit (refused, too late, an error, or the answer of another one), a duplicate may be about to commit, or has
 * committed, by the same hold, and its confirmation does not make anew what was given back. Such holds wait until the last of
 * these calls is over. Whoever reads the counter then looks up the calculation, whose record decides (store/common-endings.ts).
 */
export class CommonHolds {
  readonly #store: Store;
  readonly #read: ReadCall;
  /** All that any round has held, by counter; by member, because one may be merged between two rounds, and counters name it. */
  readonly #held = new Map<MemberToken, Map<CounterToken, CommonUse>>();

  constructor(store: Store, read: ReadCall) {
    this.#store = store;
    this.#read = read;
  }

  /** Holds what an answer takes. An answer that takes nothing of such limits asks nothing of Redis. */
  async hold(
    { memberKey, supersedes }: Pick<LookedUp, 'memberKey' | 'supersedes'>,
    uses: readonly Use[],
    remainingMs: number,
  ): Promise<
    | Extract<CommonHoldOutcome, { outcome: 'shortage' }>
    | { readonly outcome: 'held'; readonly uses: readonly CommonUse[]; readonly lent: ReadonlyMap<string, number> }
  > {
    const { basket, venue } = this.#read;
    const place = { programmeId: venue.programme.programmeId, venueId: venue.venueId };
    const common = uses.filter(({ of }) => of).map((use) => ({ ...use, counter: counterAt(place, use) }));
    if (common.length === 0) return { outcome: 'held', uses: common, lent: new Map() };
    const heldBefore = this.#held.get(memberKey) ?? [];
    this.#held.set(memberKey, new Map([...heldBefore, ...common.map((use) => [use.counter, use] as const)]));
    const held = await holdCommon(this.#store, {
      calculationId: basket.calculationId,
      member: memberKey,
      uses: common,
      remainingMs,
      // Only what the commit itself ends is sure to be free with it.
      supersedes: supersedes?.member === memberKey ? supersedes.calculationId : undefined,
    });
    return held.outcome === 'shortage' ? held : { ...held, uses: common };
  }

  /**
   * Tells the counters what was committed, and gives back what an earlier round held beside it. Nobody waits for it: a hold that
   * is not confirmed is looked up later.
   */
  confirm(committed: readonly CommonUse[]): void {
    const { calculationId } = this.#read.basket;
    for (const [member, held] of this.#held) {
      const uses = committed.filter(({ counter }) => held.has(counter));
      const dropped = [...held.values()].filter((use) => !committed.some(({ counter }) => counter === use.counter));
      orLeaveUndone(this.#store, confirmHolds(this.#store, { calculationId, member, uses, dropped }));
    }
  }
}
