import { allocate } from '../money/allocate.ts';
import type { LineFacts } from './lines.ts';
import type { LineOffer, UnitOffer } from './offers.ts';
import type { UnitCount } from './unit-pool.ts';

/** Units of one line that one benefit takes. */
export interface Take<Own extends UnitOffer = UnitOffer> extends UnitCount {
  readonly offer: Own;
}

/** How a line is divided: units that benefits take by number, and the benefit that takes the units left over, if any. */
export interface LineTakes {
  /** At most one per benefit, in the order of the benefitId. */
  readonly taken: readonly Take[];
  readonly rest: LineOffer | undefined;
}

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
 * Splits a line into its remaining units and one part per take, in that order. The parts share the existing discount and
 * each allocation by quantity, so that every sum is preserved to the unit and no part starts below 0.
 */
export function splitLine(line: LineFacts, { taken, rest }: LineTakes): Part[] {
  const [first] = taken;
  if (!first) return [wholeLine(line, rest, line.units)];
  if (!line.isSplittable || first.units === line.units) return [wholeLine(line, first.offer, first.units)];

  const left = taken.reduce((units, take) => units - take.units, line.units);
  const pieces: { offer: UnitOffer | undefined; units: number }[] = left > 0 ? [{ offer: rest, units: left }] : [];
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

/** Shares an amount by quantity under the room that each part has left, and takes the shares off that room. */
function takeShares(amount: number, quantities: readonly number[], room: number[]): number[] {
  const shares = allocate(amount, quantities, room);
  shares.forEach((share, p) => {
    room[p]! -= share;
  });
  return shares;
}
