import { allocate } from '@loyalty/contract/money/allocate';
import type { LineFacts } from '../lines/lines.ts';
import { countsOfUnit, effectsOnUnit, isTouchable } from '../offers/modified-line.ts';
import { type BuyGetOffer, type LineOffer, takesPercentage, type UnitOffer } from '../offers/offers.ts';

export interface UnitCount {
  readonly line: number;
  readonly units: number;
}

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
  /** Units that were bought for an offer and that other benefits of the line may discount. */
  readonly combinable?: readonly Take<BuyGetOffer>[];
}

export const NOTHING_BOUGHT: LineTakes['bought'] = [];

/** A line of the answer in the making: all of a line of the basket, or a part of it. Money in minor units. */
export interface Part {
  readonly line: LineFacts;
  readonly units: number;
  readonly offer: UnitOffer | undefined;
  /** The units that the effect is computed on: fewer than `units` only on a line that cannot be split. */
  readonly effectUnits: number;
  /** Units that were bought for the offer and share what it gives (spread.ts); 0 otherwise. */
  readonly boughtUnits: number;
  readonly original: number;
  readonly existing: number;
  /** Share of each staff order discount in the order of `line.allocations`; absent when the line is whole. */
  readonly allocations: readonly number[] | undefined;
  readonly allocated: number;
  /** The units that limits count; of a unit with modifiers the first line that the offer takes counts for all. */
  readonly items: number;
  /** The line that stands for it and others, whose units are counted with their modifiers. */
  readonly joined: LineFacts | undefined;
  /** What falls to it of the effect on such units, before caps. */
  readonly share: number | undefined;
}

/** The line as one part. */
export function wholeLine(
  line: LineFacts,
  offer: UnitOffer | undefined,
  effectUnits: number,
  boughtUnits: number = 0,
): Part {
  const { units, original, existing, allocated } = line;
  return {
    line,
    units,
    offer,
    effectUnits,
    boughtUnits,
    original,
    existing,
    allocations: undefined,
    allocated,
    items: effectUnits,
    joined: undefined,
    share: undefined,
  };
}

/** The parts of some lines in their order; those of a unit with modifiers stand where its head stands. */
export function splitLines(
  lines: readonly LineFacts[],
  indices: readonly number[],
  takes: readonly LineTakes[],
): Part[] {
  return indices.flatMap((i) => splitLine(lines[i]!, takes[i]!));
}

/**
 * Splits a line into its remaining units, its bought units and one part per take, in that order. Bought units need no part
 * of their own where the remaining ones keep their price too; those that share what their offer gives have a part before
 * the units that it gives. The parts share the existing discount and
 * each allocation by quantity, so that every sum is preserved to the unit and no part starts below 0.
 */
function splitLine(line: LineFacts, { taken, bought, rest }: LineTakes): Part[] {
  if (line.unit) return takenUnitParts(line, { taken, bought, rest });
  // Another line stands for it.
  if (line.units === 0) return [];
  if (line.isOpenToShares) {
    const sharing = bought.filter(({ offer }) => offer.benefit.rule.spreads);
    if (sharing.length > 0) return splitWithShares(line, { taken, bought, rest }, sharing);
  }
  const apart = unitsOf(bought);
  if (!line.isSplittable) {
    const [first] = taken;
    if (first) return [wholeLine(line, first.offer, first.units)];
    return [wholeLine(line, apart === 0 ? rest : undefined, line.units)];
  }
  const left = line.units - unitsOf(taken) - apart;
  return cutInto([...remainingPieces(rest, left, apart), ...taken], line);
}

/** What a part is made of. */
interface Piece {
  readonly offer: UnitOffer | undefined;
  readonly units: number;
  readonly isBought?: boolean;
}

/** A line of which units were bought that share what their offers give. */
function splitWithShares(
  line: LineFacts,
  { taken, bought, rest }: LineTakes,
  sharing: readonly Take<BuyGetOffer>[],
): Part[] {
  const [first] = sharing as [Take<BuyGetOffer>];
  // Of a line that cannot be split no other offer has a unit.
  if (!line.isSplittable) return [wholeLine(line, first.offer, unitsOf(taken), first.units)];
  const apart = unitsOf(bought) - unitsOf(sharing);
  const left = line.units - unitsOf(taken) - unitsOf(bought);
  const own = [...sharing.map((take) => ({ ...take, isBought: true })), ...taken];
  // Sorting keeps the bought units of an offer before the given ones.
  own.sort((a, b) => a.offer.benefit.ordinal - b.offer.benefit.ordinal);
  return cutInto([...remainingPieces(rest, left, apart), ...own], line);
}

/** The units that nobody takes by number: `left` ones that may take `rest`, and `apart` ones that keep their price. */
function remainingPieces(rest: LineOffer | undefined, left: number, apart: number): Piece[] {
  const pieces: Piece[] = [];
  if (rest && left > 0) pieces.push({ offer: rest, units: left });
  const untouched = rest ? apart : left + apart;
  if (untouched > 0) pieces.push({ offer: undefined, units: untouched });
  return pieces;
}

function cutInto(pieces: readonly Piece[], line: LineFacts): Part[] {
  const [{ offer: only, isBought: isAllBought = false }] = pieces as [Piece];
  if (pieces.length === 1) return [wholeLine(line, only, isAllBought ? 0 : line.units, isAllBought ? line.units : 0)];
  const { existing, allocations, allocated } = shareOut(
    line,
    pieces.map(({ units }) => units),
  );
  return pieces.map(({ offer, units, isBought = false }, p) => ({
    line,
    units,
    offer,
    effectUnits: isBought ? 0 : units,
    boughtUnits: isBought ? units : 0,
    original: units * line.unitPrice,
    existing: existing[p]!,
    allocations: allocations[p]!,
    allocated: allocated[p]!,
    items: isBought ? 0 : units,
    joined: undefined,
    share: undefined,
  }));
}

/** Units that are counted with their modifiers and what takes them: one benefit, which may have bought some of them too. */
function takenUnitParts(joined: LineFacts, { taken, bought, rest }: LineTakes): Part[] {
  const [first] = taken;
  const sharing = bought.find(({ offer }) => offer.benefit.rule.spreads);
  if (first) return unitParts(joined, first.offer, first.units, sharing?.units);
  if (sharing) return unitParts(joined, sharing.offer, 0, sharing.units);
  return unitParts(joined, bought.length === 0 ? rest : undefined, joined.units);
}

/** The lines of units that are counted with their modifiers, whole as they cannot be split. */
function unitParts(joined: LineFacts, offer: UnitOffer | undefined, units: number, boughtUnits = 0): Part[] {
  const { lines } = joined.unit!;
  if (!offer) return lines.map(({ line }) => ({ ...wholeLine(line, undefined, line.units), joined }));
  const { rule } = offer.benefit;
  const isPercentage = takesPercentage(offer);
  const counts = countsOfUnit(rule.level, joined, units);
  const shares = rule.level === 'bundle' ? undefined : effectsOnUnit(rule, isPercentage, joined, units);
  let items = units;
  return lines.map(({ line, perUnit }, n) => {
    const share = shares?.[n];
    const isTaken = shares ? share! > 0 : counts[n]! > 0 && isTouchable(line, isPercentage);
    const sharing = line.isOpenToShares ? boughtUnits * perUnit : 0;
    if (!isTaken && sharing === 0) return { ...wholeLine(line, undefined, line.units), joined };
    const part = { ...wholeLine(line, offer, isTaken ? counts[n]! : 0, sharing), items, joined, share };
    items = 0;
    return part;
  });
}

/** The units of all takes together. */
function unitsOf(takes: readonly UnitCount[]): number {
  let units = 0;
  for (const take of takes) units += take.units;
  return units;
}

/** What each part of a line has of its existing discount and of each allocation, in minor units. */
interface Shares {
  readonly existing: readonly number[];
  /** Per part, per allocation of the line. */
  readonly allocations: readonly (readonly number[])[];
  readonly allocated: readonly number[];
}

/** Shares out what lies on a line by quantity, under the room that each part has left. */
function shareOut(line: LineFacts, quantities: readonly number[]): Shares {
  const room = quantities.map((units) => units * line.unitPrice);
  const take = (amount: number): readonly number[] => {
    const shares = allocate(amount, quantities, room);
    for (let p = 0; p < shares.length; p++) room[p]! -= shares[p]!;
    return shares;
  };
  const existing = take(line.existing);
  const byAllocation = line.allocations.map((own) => take(own.orderDiscountAllocationAmount));
  const allocations = quantities.map((_, p) => byAllocation.map((shares) => shares[p]!));
  const allocated = allocations.map((own) => own.reduce((sum, amount) => sum + amount, 0));
  return { existing, allocations, allocated };
}
