import type { GivenBenefit, LimitedUse } from '../types.ts';
import type { SoldBasket } from './sold-basket.ts';

/**
 * The units of limits and grants that go back because nothing of their benefit stays. `kept` is what each benefit still gives,
 * `taken` what the sale consumed, per usage key, and `before` what earlier returns gave back of it. Benefits that share a
 * counter give back their own units, but none that another one of them uses now; with the last of them all that is left goes back.
 */
export function unitsToGiveBack(
  { given }: SoldBasket,
  draws: readonly LimitedUse[],
  kept: readonly GivenBenefit[],
  taken: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): Map<string, number> {
  const back = new Map<string, number>();
  for (const [usageKey, units] of taken) {
    const drawing = draws.filter((draw) => draw.usageKey === usageKey);
    if (drawing.length === 0) continue;
    const { counts } = drawing[0]!;
    const isDrawing = ({ benefitId }: GivenBenefit) => drawing.some((draw) => draw.benefitId === benefitId);
    const staying = kept.filter(isDrawing);
    const lost = given.filter((own) => isDrawing(own) && !staying.some(({ benefitId }) => benefitId === own.benefitId));
    const unused = Math.min(unitsOf(lost, counts), units - unitsOf(staying, counts));
    const due = (staying.length === 0 ? units : unused) - (before.get(usageKey) ?? 0);
    if (due > 0) back.set(usageKey, due);
  }
  return back;
}

function unitsOf(benefits: readonly GivenBenefit[], counts: LimitedUse['counts']): number {
  return benefits.reduce((sum, { units, saved }) => {
    return sum + (counts === 'baskets' ? 1 : counts === 'items' ? units : saved);
  }, 0);
}
