import { isAt } from '../offers/offers.ts';
import type { Choice } from './choice.ts';
import type { Model } from './model.ts';
import type { Subproblem } from './roles.ts';

/**
 * Which of the units of a row are bought and which are given follows from how sets are cut, the dearest units first, where none but units of
 * the row take part (README.md, rule 9). Answers with how many are given, for each line of the row.
 */
export function givenInRow(
  { set, offer, row, roles }: Subproblem,
  { lines }: Model,
  { taken }: Choice,
): readonly number[] {
  if (!isAt(offer, 'buyGet') || row.length === 0) return [];
  const { buyQuantity, getQuantity } = offer.benefit.rule;
  const size = buyQuantity + getQuantity;
  const [bought, given] = roles.map((role) => taken[role]!) as [Int32Array, Int32Array];
  const isAlone = lines.every(
    ({ index }, line) => set!.placeOf[index] !== undefined || (bought[line] === 0 && given[line] === 0),
  );
  if (!isAlone) return row.map((line) => given[line]!);
  let units = 0;
  const givenOf = (count: number): number =>
    Math.floor(count / size) * getQuantity + Math.max(0, (count % size) - buyQuantity);
  return row.map((line) => {
    const before = givenOf(units);
    units += bought[line]! + given[line]!;
    return givenOf(units) - before;
  });
}

/** Makes it so. */
export function cut(model: Model, subproblem: Subproblem, choice: Choice): void {
  const [buy, give] = subproblem.roles as [number, number];
  for (const [at, units] of givenInRow(subproblem, model, choice).entries()) {
    const line = subproblem.row[at]!;
    const more = units - choice.taken[give]![line]!;
    if (more === 0) continue;
    choice.add(give, line, more);
    choice.add(buy, line, -more);
  }
}
