import type { LineFacts } from '../lines/lines.ts';
import type { Problem } from './problem.ts';
import { netSavingOf, type SetLines } from './sets.ts';

/**
 * The order in which lines are walked: those that fit one half of a set alone, then the dearest units first, as sets are cut.
 * The place of a line in the basket says nothing, so that a basket in another order is chosen alike.
 */
export function inWalkOrder(
  lines: readonly LineFacts[],
  sets: readonly SetLines[],
  policy: Problem['policy'],
): LineFacts[] {
  const first = sets.find(({ row }) => row.length > 0);
  const isOutside = ({ index }: LineFacts): boolean =>
    sets.some(({ fitsBuy, fitsGet, row }) => row.length > 0 && fitsBuy[index] !== fitsGet[index]) &&
    !sets.some(({ placeOf }) => placeOf[index] !== undefined);
  const keyed = lines.map((line) => ({
    line,
    outside: isOutside(line) ? 0 : 1,
    saving: first ? netSavingOf(line, first.offer.benefit.rule, policy) : 0,
  }));
  keyed.sort(
    (a, b) =>
      a.outside - b.outside ||
      b.line.unitPrice - a.line.unitPrice ||
      a.saving - b.saving ||
      (first ? b.line.units - a.line.units : 0) ||
      (a.line.line.lineId < b.line.line.lineId ? -1 : 1),
  );
  return keyed.map(({ line }) => line);
}
