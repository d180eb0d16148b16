import { allocate } from '../money/allocate.ts';
import type { LineFacts } from './lines.ts';
import type { BuyGetOffer, LineOffer, UnitOffer } from './offers.ts';
import type { UnitCount } from './unit-pool.ts';

/** Units of one line that one benefit takes. */
export interface Take<Own extends UnitOffer = UnitOffer> extends UnitCount {
  readonly offer: Own;
}

/** How a line is divided: units that benefits take by number, and the benefit that takes the units left over, if any. */
export interface LineTakes {
  /** At most one per benefit, in the order of the benefitId. */
  readonly taken: readonly Take[];
  /** Units that were bought for an offer which shares them with no other benefit. They keep their price. */
  readonly bought: readonly Take<BuyGetOffer>[];
  readonly rest: LineOffer | undefined;
}

export const NOTHING_BOUGHT: LineTakes['bought'] = [];

/** A line of the answer in the making: all of a line of the basket, or a part of it. Money in minor units. */
export interface Part {
  readonly line: LineFacts;
  readonly units: number;
  readonly offer: UnitOffer | undefined;
  /** The units that the effect is computed on: fewer than `units` only on a line that cannot be split. */
  readonly effectUnits: number;
  readonly original: number;
  readonly existing: number;
  /** Share of each staff order discount in the order of `line.allocations`; absent when the line is whole. */
  readonly allocations: readonly number[] | undefined;
  readonly allocated: number;
}

/** The line as one part. */
export function wholeLine(line: LineFacts, offer: UnitOffer | undefined, effectUnits: number): Part {
  const { units, original, existing, allocated } = line;
  return { line, units, offer, effectUnits, original, existing, allocations: undefined, allocated };
}

/**
 * Splits a line into its remaining units, its bought units and one part per take, in that order. Bought units need no part
 * of their own where the remaining ones keep their price too. The parts share the existing discount and
 * each allocation by quantity, so that every sum is preserved to the unit and no part starts below 0.
 */
export function splitLine(line: LineFacts, { taken, bought, rest }: LineTakes): Part[] {
  const [first] = taken;
  const apart = unitsOf(bought);
  if (!first && (apart === 0 || !rest || apart === line.units || !line.isSplittable)) {
    return [wholeLine(line, apart === 0 ? rest : undefined, line.units)];
  }
  if (first && (!line.isSplittable || first.units === line.units)) return [wholeLine(line, first.offer, first.units)];

  const left = line.units - unitsOf(taken) - apart;
  const pieces: { offer: UnitOffer | undefined; units: number }[] = [];
  if (rest && left > 0) pieces.push({ offer: rest, units: left });
  const untouched = rest ? apart : left + apart;
  if (untouched > 0) pieces.push({ offer: undefined, units: untouched });
  pieces.push(...taken);
  const quantities = pieces.map(({ units }) => units);
  const room = quantities.map((units) => units * line.unitPrice);
  const existing = takeShares(line.existing, quantities, room);
  const allocations = line.allocations.map(({ orderDiscountAllocationAmount: amount }) =>
    takeShares(amount, quantities, room),
  );
  return pieces.map(({ offer, units }, p) => ({
    line,
    units,
    offer,
    effectUnits: units,
    original: units * line.unitPrice,
    existing: existing[p]!,
    allocations: allocations.map((shares) => shares[p]!),
    allocated: allocations.reduce((sum, shares) => sum + shares[p]!, 0),
  }));
}

/** The units of all takes together. */
export function unitsOf(takes: readonly UnitCount[]): number {
  let units = 0;
  for (const take of takes) units += take.units;
  return units;
}

/** Shares an amount by quantity under the room that each part has left, and takes the shares off that room. */
function takeShares(amount: number, quantities: readonly number[], room: number[]): number[] {
  const shares = allocate(amount, quantities, room);
  shares.forEach((share, p) => {
    room[p]! -= share;
  });
  return shares;
}
