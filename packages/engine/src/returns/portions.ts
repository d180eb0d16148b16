import { addQuantities, shareOf, subtractQuantities } from '@loyalty/contract/money/portion';
import type { SoldBasket, SoldLine } from './sold-basket.ts';

/** A line that comes back, and how much of it. */
export interface ReturnedLine {
  readonly lineId: string;
  readonly quantity: number;
}

/** Quantities that have come back, by line of the receipt. */
export type Quantities = ReadonlyMap<string, number>;

/** One line of a return: its line of the receipt, and what had come back of it before. */
export interface Portion {
  readonly sold: SoldLine;
  readonly quantity: number;
  readonly before: number;
}

/** A line of which more is to come back than is left, or a part of a piece. */
export interface Excess {
  readonly lineId: string;
  /** 0 where the receipt has no such line. */
  readonly sold: number;
  readonly left: number;
  readonly asked: number;
}

/** Finds the lines of which more is to come back than was sold and has not come back yet. */
export function findExcess({ lines }: SoldBasket, asked: readonly ReturnedLine[], before: Quantities): Excess[] {
  return asked.flatMap(({ lineId, quantity }) => {
    const sold = lines.find((line) => line.lineId === lineId)?.quantity ?? 0;
    const left = subtractQuantities(sold, before.get(lineId) ?? 0);
    return quantity > left ? [{ lineId, sold, left, asked: quantity }] : [];
  });
}

/** Finds the counted lines of which a part of a piece would be back. Half a piece of before may be made whole. */
export function findBrokenPieces({ lines }: SoldBasket, asked: readonly ReturnedLine[], before: Quantities): Excess[] {
  return asked.flatMap(({ lineId, quantity }) => {
    const line = lines.find((other) => other.lineId === lineId);
    const back = before.get(lineId) ?? 0;
    if (!line?.isCounted || Number.isInteger(addQuantities(back, quantity))) return [];
    return [{ lineId, sold: line.quantity, left: subtractQuantities(line.quantity, back), asked: quantity }];
  });
}

/** The lines of a return with their lines of the receipt. None of them is in excess. */
export function portionsOf({ lines }: SoldBasket, asked: readonly ReturnedLine[], before: Quantities): Portion[] {
  const byId = new Map(lines.map((line) => [line.lineId, line]));
  return asked.map(({ lineId, quantity }) => ({
    sold: byId.get(lineId)!,
    quantity,
    before: before.get(lineId) ?? 0,
  }));
}

/** Adds a return to what has come back before. */
export function withReturned(before: Quantities, asked: readonly ReturnedLine[]): Map<string, number> {
  const after = new Map(before);
  for (const { lineId, quantity } of asked) after.set(lineId, addQuantities(after.get(lineId) ?? 0, quantity));
  return after;
}

/**
 * The share of an amount that a portion takes: what the first r + k units are worth less what the first r are worth, each
 * rounded half up. The shares of all portions of a line sum to the amount exactly, in whatever order they come.
 */
export function shareOfPortion(amount: number, { sold, quantity, before }: Portion): number {
  const after = addQuantities(before, quantity);
  return shareOf(amount, after, sold.quantity) - shareOf(amount, before, sold.quantity);
}

/** How much of a line stays. */
export function staysOf({ lineId, quantity }: SoldLine, returned: Quantities): number {
  return subtractQuantities(quantity, returned.get(lineId) ?? 0);
}
