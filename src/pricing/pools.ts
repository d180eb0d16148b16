import type { LimitCounts } from './benefit-definition.ts';
import type { BenefitGroup } from './programme.ts';

/** What is left of a limit that several benefits share by its `limitId`; the offers of a basket hold the same object. */
export interface Pool {
  readonly counts: LimitCounts;
  readonly left: number;
  /** Of a limit that counts baskets: of the benefits that draw on it so many may apply, as of a group. */
  readonly group: BenefitGroup | undefined;
}

/** What a basket has spent of shared limits so far. */
export class PoolSpending {
  readonly #spent = new Map<Pool, number>();

  /** The part of an amount that is left, of an offer that draws on no shared limit all of it. */
  cut(pool: Pool | undefined, amount: number): number {
    return pool?.counts === 'money' ? Math.min(amount, pool.left - (this.#spent.get(pool) ?? 0)) : amount;
  }

  spend(pool: Pool | undefined, amount: number): void {
    if (pool?.counts === 'money') this.#spent.set(pool, (this.#spent.get(pool) ?? 0) + amount);
  }
}
