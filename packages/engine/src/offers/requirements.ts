import type { Requirement } from '../compile/programme.ts';
import type { LineFacts } from '../lines/lines.ts';
import { type Matches, matchedLines } from '../lines/matching.ts';
import type { Offer } from './offers.ts';

/** Goods that a basket has to hold for a benefit (`requires`). They keep their price by it and are bound by nothing. */

/** What a basket lacks of goods that a benefit requires: units, and minor units as they came; 0 where it has enough. */
export interface MissingGoods {
  readonly units: number;
  readonly spend: number;
  /** Which goods, for people. */
  readonly description: string;
}

/** The requirements that the basket does not meet. */
export function missingGoods({ benefit, matches }: Offer, lines: readonly LineFacts[]): readonly MissingGoods[] {
  return benefit.requires.map((own) => missingOf(own, matches, lines)).filter(({ units, spend }) => units + spend > 0);
}

/** Lines that may not be discounted count as well; one that costs nothing counts for nothing. */
function missingOf({ selector, quantity, spend }: Requirement, matches: Matches, lines: readonly LineFacts[]) {
  let [units, cost] = [0, 0];
  for (const i of matchedLines(matches, selector)) {
    const { line } = lines[i]!;
    cost += line.orderLinePrice;
    units += countedUnits(lines[i]!, selector.isOfUnits ? matches : undefined);
  }
  const { description } = selector;
  return { units: Math.max(0, quantity - units), spend: Math.max(0, spend - cost), description };
}

/** The units of a line that costs something; below another it is no unit of its own where both stand together as one. */
export function countedUnits({ index, original, units }: LineFacts, joined: Matches | undefined): number {
  return original > 0 && !joined?.modified?.isAttached[index] ? units : 0;
}
