/** Order-level benefits and the staff's order discounts (packages/engine/README.md, rules 21 to 23). */
import type { BasketBody } from '../support/wire.ts';
import { SharedMoney } from './settle.ts';
import { largestRemainder, percentageOf, sumOf } from './share.ts';
import type { Offer, Part } from './types.ts';

/** Higher priority first, then percentages before amounts, then by benefitId (rule 21). */
export function inOrderSequence(offers: readonly Offer[]): Offer[] {
  const isAmount = ({ benefit }: Offer) => Number(benefit.kind === 'order_amount');
  const byId = [...offers].sort((a, b) => (a.benefit.benefitId < b.benefit.benefitId ? -1 : 1));
  return byId.sort((a, b) => (b.benefit.priority ?? 0) - (a.benefit.priority ?? 0) || isAmount(a) - isAmount(b));
}

/** Rule 21: false for a minimum that the parts do not reach before any discount on the order. */
export function isNetMinimumMet({ benefit, eligible }: Offer, parts: readonly Part[]): boolean {
  if (benefit.minimumSpendBasis !== 'net') return true;
  const counted = parts.filter(({ line }) => benefit.minimumSpendOn === 'basket' || eligible[0]!.has(line));
  return sumOf(counted, ({ cost }) => cost) >= (benefit.minimumSpend ?? 0);
}

/** Takes each discount off the parts, one after the other in the order given, and answers with their amounts. */
export function orderDiscounts(offers: readonly Offer[], parts: readonly Part[]): number[] {
  const pools = new SharedMoney();
  return offers.map((offer) => {
    const { benefit, eligible } = offer;
    if (benefit.kind !== 'order_percent' && benefit.kind !== 'order_amount') throw new Error('not an order-level kind');
    const own = parts.filter(({ line }) => eligible[0]!.has(line));
    const costs = own.map(({ cost }) => cost);
    const rest = sumOf(costs, (cost) => cost);
    const wanted = benefit.kind === 'order_percent' ? percentageOf(rest, benefit.percent) : amountOff(offer, rest);
    const amount = Math.min(wanted, benefit.maximumDiscount ?? Infinity, pools.left(offer));
    pools.spend(offer, amount);
    if (amount === 0) return 0;
    for (const [index, share] of largestRemainder(amount, costs).entries()) own[index]!.cost -= share;
    return amount;
  });
}

/** The amount, once or for every full `perSpend` that the eligible lines cost as they came. */
function amountOff({ benefit, eligible }: Offer, rest: number): number {
  if (benefit.kind !== 'order_amount') throw new Error('not an amount');
  const spent = sumOf(eligible[0]!, ({ body }) => body.orderLinePrice);
  const times = benefit.perSpend === undefined ? 1 : Math.floor(spent / benefit.perSpend);
  return Math.min(times * benefit.amount, rest);
}

export function hasExistingDiscount({ lines, orderDiscounts }: BasketBody): boolean {
  return (
    orderDiscounts.some(({ amount }) => amount > 0) ||
    lines.some(({ existingLineDiscountAmount }) => existingLineDiscountAmount > 0)
  );
}

/** Rule 23: staff order discounts above 0 without a share above 0 on a line that may legally not be discounted. */
export function removableDiscounts({ lines, orderDiscounts }: BasketBody): Set<string> {
  const kept = new Set<string>();
  for (const { noDiscount, orderDiscountAllocation } of lines) {
    if (!noDiscount) continue;
    for (const share of orderDiscountAllocation) {
      if (share.orderDiscountAllocationAmount > 0) kept.add(share.orderDiscountId);
    }
  }
  const ids = orderDiscounts.filter(({ amount }) => amount > 0).map(({ orderDiscountId }) => orderDiscountId);
  return new Set(ids.filter((id) => !kept.has(id)));
}
