import { isAt } from '../offers/offers.ts';
import type { Pool } from '../offers/pools.ts';
import type { Choice } from './choice.ts';
import type { Model } from './model.ts';
import type { Subproblem } from './roles.ts';
import { mostGiven } from './sets.ts';

/** What a choice leaves of limits that several offers share. */

/** The resources of a subproblem, less what others have of the limit that it shares with them. */
export function resourcesLeft(
  model: Model,
  choice: Choice,
  { offer, most, money, roles }: Subproblem,
): { readonly most: number; readonly money: number } {
  const { pool } = offer;
  if (!pool || pool.counts === 'baskets') return { most, money };
  const spent = spentOf(model, choice, pool, roles);
  const left = Math.max(0, pool.left - spent);
  if (pool.counts === 'money') return { most, money: Math.min(money, left) };
  return { most: Math.min(most, isAt(offer, 'buyGet') ? mostGiven(offer.benefit.rule, left) : left), money };
}

/** Units or minor units that a choice spends of a shared limit; of those roles nothing is counted. */
export function spentOf(model: Model, choice: Choice, pool: Pool, without: readonly number[] = []): number {
  let spent = pool.counts === 'items' ? model.drawnOf(pool) : 0;
  model.roles.forEach(({ offer, part, gross }, role) => {
    if (offer.pool !== pool || part === 'bought' || without.includes(role)) return;
    const taken = choice.taken[role]!;
    for (let line = 0; line < taken.length; line++)
      if (taken[line] !== 0) spent += taken[line]! * (pool.counts === 'items' ? 1 : gross[line]!);
  });
  return spent;
}
