import type { LimitedUse } from '../pricing/types.ts';
import type { Saving } from './as-paid.ts';
import type { SoldBasket } from './sold-basket.ts';

/**
 * The units of limits and grants that go back because nothing of their benefit stays. `taken` is what the sale consumed, per
 * usage key, `before` what earlier returns gave back of it. Benefits that share a counter give back their own units; with the
 * last of them all that is left goes back.
 */
export function unitsToGiveBack(
  { given }: SoldBasket,
  draws: readonly LimitedUse[],
  kept: readonly Saving[],
  taken: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): Map<string, number> {
  const stays = new Set(kept.map(({ benefitId }) => benefitId));
  const back = new Map<string, number>();
  for (const [usageKey, units] of taken) {
    const drawing = draws.filter((draw) => draw.usageKey === usageKey);
    const staying = given.filter(
      ({ benefitId }) => stays.has(benefitId) && drawing.some((draw) => draw.benefitId === benefitId),
    );
    const counts = drawing[0]?.counts ?? 'baskets';
    const keptUnits = staying.reduce(
      (sum, own) => sum + (counts === 'baskets' ? 1 : counts === 'items' ? own.units : own.saved),
      0,
    );
    const due = units - Math.min(units, keptUnits) - (before.get(usageKey) ?? 0);
    if (due > 0 && drawing.length > 0) back.set(usageKey, due);
  }
  return back;
}
