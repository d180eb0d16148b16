import type { SetCoupling } from './couplings.ts';
import type { Model } from './model.ts';
import type { Place } from './place.ts';
import type { Role } from './way.ts';

/** The roles of an offer on a line of the component, or −1. */
interface OnLine {
  /** The number of the line in the component. */
  readonly at: number;
  readonly bought: number;
  readonly given: number;
}

/** The lines of a set of which sets are cut: those that stand in its row, and those that can only be bought. */
export interface CutRow {
  readonly set: SetCoupling['set'];
  readonly row: readonly OnLine[];
  readonly onlyBought: readonly OnLine[];
}

/** Undefined where sets are not cut from a row. */
export function rowOf({ places }: Model, { set }: SetCoupling): CutRow | undefined {
  if (set.row.length === 0) return undefined;
  const onLines = places.map((place, at): OnLine => {
    const roleOf = (part: Role['part']): number => place.roleOf(set.offer, part);
    return { at, bought: roleOf('bought'), given: roleOf('given') };
  });
  const ofLine = new Map(places.map(({ line }, at) => [line.index, onLines[at]!]));
  const fitsBuyAlone = ({ line: { index } }: Place): boolean => set.fitsBuy[index]! && !set.fitsGet[index];
  return {
    set,
    row: set.row.flatMap((line) => ofLine.get(line) ?? []),
    onlyBought: onLines.filter(({ at }) => fitsBuyAlone(places[at]!)),
  };
}

/** Which of the units of a row are bought and which are given follows from how sets are cut, the dearest units first. */
export function cutUnits({ set, row, onlyBought }: CutRow, wanted: readonly number[][]): void {
  const { buyQuantity, getQuantity } = set.offer.benefit.rule;
  const size = buyQuantity + getQuantity;
  let [before, toGive] = [0, 0];
  for (const { at, bought } of onlyBought) before += wanted[at]![bought] ?? 0;
  for (const { at, given } of row) toGive += wanted[at]![given] ?? 0;
  const atOnce = Math.floor(before / buyQuantity) * getQuantity;
  /** Of so many units of the row, the dearest first, as many are given. */
  const givenOf = (units: number): number => {
    if (units <= atOnce) return Math.min(units, toGive);
    const next = units - atOnce + (before % buyQuantity);
    return Math.min(toGive, atOnce + Math.floor(next / size) * getQuantity + Math.max(0, (next % size) - buyQuantity));
  };
  let units = 0;
  for (const { at, bought, given } of row) {
    const own = (wanted[at]![bought] ?? 0) + (wanted[at]![given] ?? 0);
    if (own === 0) continue;
    wanted[at]![given] = givenOf(units + own) - givenOf(units);
    wanted[at]![bought] = own - wanted[at]![given]!;
    units += own;
  }
}
