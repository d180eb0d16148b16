import { confirmHolds } from '../store/common-endings.ts';
import { type CommonHoldOutcome, holdCommon } from '../store/common-limits.ts';
import type { Store } from '../store/store.ts';
import { type CommonUse, counterAt, type Use } from '../store/uses.ts';
import type { LookedUp } from './lookup.ts';
import type { ReadCall } from './read-call.ts';

/** Holds of one call in the counters of limits over all members, from the first round of its pricing to its commit. */
export class CommonHolds {
  readonly #store: Store;
  readonly #calculation: ReadCall & LookedUp;
  /** All that any round of the call has held, by counter. */
  readonly #held = new Map<string, CommonUse>();

  constructor(store: Store, read: ReadCall, found: LookedUp) {
    this.#store = store;
    this.#calculation = { ...read, ...found };
  }

  /** Holds what an answer takes. An answer that takes nothing of such limits asks nothing of Redis. */
  async hold(
    uses: readonly Use[],
    remainingMs: number,
  ): Promise<
    | Extract<CommonHoldOutcome, { outcome: 'shortage' }>
    | { readonly outcome: 'held'; readonly uses: readonly CommonUse[]; readonly lent: ReadonlyMap<string, number> }
  > {
    const { head, venue, memberKey, supersedes } = this.#calculation;
    const place = { programmeId: venue.programme.programmeId, venueId: venue.venueId };
    const common = uses.filter(({ of }) => of).map((use) => ({ ...use, counter: counterAt(place, use) }));
    if (common.length === 0) return { outcome: 'held', uses: common, lent: new Map() };
    for (const use of common) this.#held.set(use.counter, use);
    const held = await holdCommon(this.#store, {
      calculationId: head.calculationId,
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
  confirm(uses: readonly CommonUse[]): void {
    const dropped = [...this.#held.values()].filter(({ counter }) => !uses.some((use) => use.counter === counter));
    if (this.#held.size === 0) return;
    const { head, memberKey } = this.#calculation;
    const committed = { calculationId: head.calculationId, member: memberKey, uses, dropped };
    this.#store.connection.tolerate(confirmHolds(this.#store, committed));
  }
}
