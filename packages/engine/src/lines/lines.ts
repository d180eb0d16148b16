import type { BasketLine, OrderDiscountAllocation } from '@loyalty/contract/basket-request';
import { shareOf } from '@loyalty/contract/money/portion';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { type LineSelector, linesOf } from './selector.ts';

/** How a loyalty discount stands to one that the staff gave on the line (config/recipes.md, Staff discounts). */
export type ExistingLineDiscounts = 'replace_if_larger' | 'keep' | 'stack';

/** A line as the benefits see it. Money in minor units. */
export interface LineFacts {
  readonly index: number;
  readonly line: BasketLine;
  /** A whole quantity is that many units; anything else, such as 0.345 kg, and `weighed` goods are one unit that cannot be parted. */
  readonly units: number;
  readonly isWeighed: boolean;
  /** Price of one unit: `units × unitPrice` is the original line price, always. */
  readonly unitPrice: number;
  readonly original: number;
  readonly existing: number;
  /** The existing discount that stays under a loyalty one, from which percentages are counted; 0 where none does. */
  readonly stacked: number;
  /** The existing discount that the whole basket has given up for benefits; 0 otherwise. */
  readonly givenUp: number;
  /** The staff order discounts that stay on the line, and their sum. */
  readonly allocations: readonly OrderDiscountAllocation[];
  readonly allocated: number;
  /** The largest line-level effect that leaves the line at or above 0. */
  readonly room: number;
  /** The price of the line before loyalty. */
  readonly incoming: number;
  /** A line that others name as their parent is never split: a part could not say which of them are its own. */
  readonly isSplittable: boolean;
  /** May be touched at all: not `noDiscount`, and it costs something. */
  readonly isOpen: boolean;
  /** May take a line-level benefit: with the policy `keep` a discount that is there forbids it. */
  readonly isOpenToLineBenefits: boolean;
  readonly isOpenToPercentages: boolean;
  /** Units of it may be bought for sets and take a share of what is given: no existing discount stands in the way. */
  readonly isOpenToShares: boolean;
  /** The lines of the basket that this one stands for, where its units are counted with their modifiers. */
  readonly unit: ModifiedUnit | undefined;
}

/** A line of the basket in a unit that is counted with its modifiers. */
export interface UnitLine {
  readonly line: LineFacts;
  /** So much of the line's units belongs to each unit. What is left over goes along when all units are taken. */
  readonly perUnit: number;
}

export interface ModifiedUnit {
  /** The head first, then its modifiers in the order of the basket. */
  readonly lines: readonly UnitLine[];
  readonly replaces: boolean;
}

/** More units than this on one line are a mistake or an attack; such a line counts as one unit. */
const MAX_UNITS_PER_LINE = 1_000_000;

/**
 * Reads the lines of a basket. `weighed` takes the lines that are never cut into units, `removed` are the staff order discounts that give way to a loyalty order discount; the
 * lines are then seen without them, and with `givesUp` without their existing discounts.
 */
export function readLines(
  lines: readonly BasketLine[],
  policy: ExistingLineDiscounts,
  weighed: LineSelector | undefined,
  removed?: ReadonlySet<string>,
  givesUp = false,
): LineFacts[] {
  const parents = new Set<string>();
  for (const { parentLineId } of lines) if (parentLineId) parents.add(parentLineId);
  const isWeighed = weighed && linesOf(weighed, lines);
  return lines.map((line, index) =>
    readLine(line, {
      index,
      policy,
      isParent: parents.has(line.lineId),
      isWeighed: isWeighed?.[index],
      removed,
      givesUp,
    }),
  );
}

/** What is known of a line beside itself. */
interface Surroundings {
  readonly index: number;
  readonly policy: ExistingLineDiscounts;
  readonly isParent: boolean;
  readonly isWeighed: boolean | undefined;
  readonly removed: ReadonlySet<string> | undefined;
  readonly givesUp: boolean;
}

function readLine(line: BasketLine, { index, policy, isParent, isWeighed, removed, givesUp }: Surroundings): LineFacts {
  const { quantity, originalLinePrice: original, existingLineDiscountAmount } = line;
  // No field of such a line is ever touched.
  const givenUp = givesUp && !line.noDiscount ? existingLineDiscountAmount : 0;
  const existing = existingLineDiscountAmount - givenUp;
  const isCounted = Number.isInteger(quantity) && quantity <= MAX_UNITS_PER_LINE && !isWeighed;
  const units = isCounted ? quantity : 1;
  const allocations = removed
    ? line.orderDiscountAllocation.filter(({ orderDiscountId }) => !removed.has(orderDiscountId))
    : line.orderDiscountAllocation;
  let allocated = 0;
  for (const allocation of allocations) allocated += allocation.orderDiscountAllocationAmount;
  const isOpen = !line.noDiscount && original > 0;
  return {
    index,
    line,
    units,
    isWeighed: !isCounted,
    unitPrice: isCounted ? line.unitPrice : original,
    original,
    existing,
    stacked: policy === 'stack' ? existing : 0,
    givenUp,
    allocations,
    allocated,
    room: original - allocated - (policy === 'stack' ? existing : 0),
    incoming: original - existing - allocated,
    isSplittable: units > 1 && !isParent,
    isOpen,
    isOpenToLineBenefits: isOpen && (policy !== 'keep' || existing === 0),
    isOpenToPercentages: !line.noPercentageDiscount,
    isOpenToShares: isOpen && !line.noPercentageDiscount && (policy === 'stack' || existing === 0),
    unit: undefined,
  };
}

/** `amount` for each unit of the line, whatever it costs: for weighed goods per whole quantity unit. No more than `most`. */
export function timesUnits({ isWeighed, line }: LineFacts, amount: number, units: number, most: number): number {
  if (!isWeighed) return Math.min(Math.min(amount, most) * units, most);
  const product = multiplyQuantity(line.quantity, amount);
  return product < most ? Number(product) : most;
}

/** `amount` for each unit of the line: for weighed goods per whole quantity unit, such as per kilogram. Never above the price. */
export function perUnit(line: LineFacts, amount: number, units: number): number {
  return timesUnits(line, amount, units, units * line.unitPrice);
}

/** How many units of a line go with each of so many units of the head. */
export function perUnitOf(line: LineFacts, units: number): number {
  if (units === 1) return line.units;
  return line.isWeighed ? 0 : Math.floor(line.units / units);
}

/** What so many units of a line cost after their share of a discount that stays: percentages count from it. */
export function costAfterExisting({ unitPrice, stacked, units: all }: LineFacts, units: number): number {
  return stacked === 0 ? units * unitPrice : units * unitPrice - shareOf(stacked, units, all);
}
