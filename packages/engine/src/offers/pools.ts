import type { BenefitGroup } from '../compile/programme.ts';
import type { Limit, LimitCounts } from '../compile/words.ts';

/** What is left of a limit that several benefits share by its `limitId`; the offers of a basket hold the same object. */
export interface Pool {
  readonly counts: LimitCounts;
  readonly left: number;
  /** Of a limit that counts baskets: of the benefits that draw on it so many may apply, as of a group. */
  readonly group: BenefitGroup | undefined;
}

/** The shared limits of one basket, by their limitId. */
export class Pools {
  #pools: Map<string, Pool> | undefined;

  /** The one that benefits with this limitId share; all of them say the same of it. */
  of({ limitId = '', counts }: Pick<Limit, 'limitId' | 'counts'>, left: number): Pool {
    this.#pools ??= new Map();
    let pool = this.#pools.get(limitId);
    if (!pool) {
      pool = {
        counts,
        left,
        group: counts === 'baskets' ? { name: limitId, atMost: left, takesPriority: false } : undefined,
      };
      this.#pools.set(limitId, pool);
    }
    return pool;
  }
}

/** What a basket has spent of shared limits so far. */
export class PoolSpending {
  /** Few baskets meet a shared limit, and this is made for every basket. */
  #spent: Map<Pool, number> | undefined;

  /** The part of an amount that is left, of an offer that draws on no shared limit all of it. */
  cut(pool: Pool | undefined, amount: number): number {
    return pool?.counts === 'money' ? Math.min(amount, pool.left - (this.#spent?.get(pool) ?? 0)) : amount;
  }

  spend(pool: Pool | undefined, amount: number): void {
    if (pool?.counts !== 'money') return;
    this.#spent ??= new Map();
    this.#spent.set(pool, (this.#spent.get(pool) ?? 0) + amount);
  }
}
