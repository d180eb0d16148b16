import type { BasketRequest } from '../contract/basket-request.ts';
import type { AppliedResponse, BasketLineOut } from '../contract/basket-response.ts';
import { multiplyQuantity } from '../money/quantity.ts';
import { percentOf, toHundredths } from '../money/round.ts';
import { isMoney } from './flawless-request.ts';

/**
 * Recognises in one walk an answer of ours whose IDs are unique, whose references exist and whose every identity holds.
 * Like flawless-request.ts it never says what is wrong: where it answers no, identities.ts decides. Every amount is
 * asked to be Money too, so that only names, texts and flags of the schema rest on how an answer is built. Measured with 20 lines
 * (docs/measurements/chain.md): the ordinary judges with their maps take 9 µs and the schema as much, this walk 3.
 */

type Entry = AppliedResponse['orderDiscounts'][number];

/** With more order discounts than this the ordinary judges are faster, because they use maps. */
const MAX_ORDER_DISCOUNTS = 32;

/** True for an answer without a fault. False says nothing: the ordinary judges decide. */
export function isFlawlessAnswer(request: BasketRequest, { lines, orderDiscounts, totals }: AppliedResponse): boolean {
  if (orderDiscounts.length > MAX_ORDER_DISCOUNTS) return false;
  const shares = orderDiscounts.map(() => 0);
  const lineIds = new Set<string>();
  let original = 0;
  let existing = 0;
  let allocated = 0;
  let loyalty = 0;
  let total = 0;
  for (let l = 0; l < lines.length; l++) {
    const line = lines[l]!;
    if (!isLineDiscountFlawless(line)) return false;
    lineIds.add(line.lineId);
    const share = addShares(line, orderDiscounts, shares);
    const discount = line.existingLineDiscountAmount;
    const full = multiplyQuantity(line.quantity, line.unitPrice);
    const { overrideUnitPrice: unitPrice } = line;
    const price = unitPrice === undefined ? full : multiplyQuantity(line.quantity, unitPrice);
    if (full !== line.originalLinePrice || typeof price !== 'number' || !isMoney(line.orderLinePrice)) return false;
    if (line.orderLinePrice !== price - discount - line.lineDiscountAmount - share) return false;
    original += full;
    existing += discount;
    allocated += share;
    loyalty += line.lineDiscountAmount;
    total += line.orderLinePrice;
  }
  const added = sumAdded(request, orderDiscounts, shares);
  // Up to the greatest Money every sum is exact.
  if (lineIds.size !== lines.length || !isMoney(original) || !isMoney(total)) return false;
  if (!isMoney(existing) || !isMoney(allocated) || !isMoney(loyalty + added)) return false;
  return (
    totals.originalTotal === original &&
    totals.existingDiscountTotal === existing &&
    totals.orderDiscountTotal === allocated &&
    totals.loyaltyDiscountTotal === loyalty + added &&
    totals.total === total
  );
}

/** The loyalty discount and the existing one of a line, each by itself. */
function isLineDiscountFlawless(line: BasketLineOut): boolean {
  const { lineDiscountType, lineDiscountAmount: amount, lineDiscountCode } = line;
  if (!(line.quantity > 0) || !isMoney(amount) || !isMoney(line.unitPrice) || !isMoney(line.existingLineDiscountAmount))
    return false;
  if (line.existingLineDiscountType === 'none' && line.existingLineDiscountAmount !== 0) return false;
  if (lineDiscountType === 'none') return amount === 0 && lineDiscountCode === undefined;
  if (lineDiscountCode === undefined || lineDiscountCode === '') return false;
  if (lineDiscountType === 'amount') return true;
  // Without a percentage, and with one of more than two decimals, no amount is right.
  const hundredths = toHundredths(line.lineDiscountPercent ?? Number.NaN) ?? Number.NaN;
  return hundredths >= 0 && hundredths <= 10_000 && percentOf(line.originalLinePrice, hundredths) === amount;
}

/** Adds the allocations of a line to the sums per order discount. Returns their own sum, or NaN for one with a fault. */
function addShares(line: BasketLineOut, entries: readonly Entry[], shares: number[]): number {
  const { orderDiscountAllocation: allocations } = line;
  let sum = 0;
  for (let a = 0; a < allocations.length; a++) {
    const { orderDiscountId, orderDiscountAllocationAmount: amount } = allocations[a]!;
    let e = 0;
    while (e < entries.length && entries[e]!.orderDiscountId !== orderDiscountId) e++;
    if (e === entries.length || !isMoney(amount)) return Number.NaN;
    shares[e]! += amount;
    sum += amount;
  }
  return sum;
}

/** The sum of the order discounts that the service added; NaN when an ID is there twice or an amount is not its shares' sum. */
function sumAdded({ orderDiscounts: before }: BasketRequest, entries: readonly Entry[], shares: number[]): number {
  let added = 0;
  for (let e = 0; e < entries.length; e++) {
    const { orderDiscountId, amount } = entries[e]!;
    if (shares[e] !== amount || !isMoney(amount)) return Number.NaN;
    for (let other = 0; other < e; other++) if (entries[other]!.orderDiscountId === orderDiscountId) return Number.NaN;
    let isKept = false;
    for (let b = 0; b < before.length; b++) if (before[b]!.orderDiscountId === orderDiscountId) isKept = true;
    if (!isKept) added += amount;
  }
  return added;
}
