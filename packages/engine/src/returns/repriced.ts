import { allocate } from '@loyalty/contract/money/allocate';
import { sum } from '@loyalty/contract/money/sum';
import type { GivenBenefit } from '../types.ts';
import { refundAsPaid } from './as-paid.ts';
import { type Portion, type Quantities, shareOfPortion } from './portions.ts';
import type { PriceAsThen, Priced } from './priced.ts';
import { restOf, withBought } from './rest-basket.ts';
import type { SoldBasket } from './sold-basket.ts';
import { listPrice, type StayingGift, settleGifts } from './staying-gifts.ts';

/** What stays, priced as if it had been bought alone. */
export interface PricedRest {
  readonly total: number;
  readonly kept: readonly GivenBenefit[];
  /** Products that were added to the sale and are now paid for, because what stays does not earn them. */
  readonly paidGifts: readonly StayingGift[];
}

/** Why a refund is not simply what was paid less the price of what stays. */
export type Bound = 'none' | 'rest_is_dearer' | 'without_loyalty';

export interface Repriced {
  readonly refund: number;
  /** The refund shared among the portions. */
  readonly refunds: readonly number[];
  readonly paid: number;
  readonly rest: PricedRest;
  /** What the portions cost as the till sent them, before any benefit. */
  readonly withoutLoyalty: number;
  readonly bound: Bound;
}

/**
 * Prices what stays after `returned` has come back. A product that the service had added costs nothing while what stays
 * earns it again, and its list price otherwise. One that has come back is not kept, even if what stays would earn it.
 */
export function priceRest(sold: SoldBasket, returned: Quantities, price: PriceAsThen): PricedRest {
  const { basket, gifts } = restOf(sold, returned);
  const first = basket ? price(basket) : NOTHING;
  const { earned, unearned, kept } = settleGifts(first, gifts);
  const total = first.total + sum(unearned.map(listPrice));
  if (unearned.length === 0) return { total, kept, paidGifts: [] };
  // Bought with the rest, such a product may earn a benefit itself; the guest gets the better of the two.
  const second = price(withBought(sold.basket, basket, unearned));
  const bought = settleGifts(second, earned);
  const totalBought = second.total + sum(bought.unearned.map(listPrice));
  if (totalBought >= total) return { total, kept, paidGifts: unearned };
  return { total: totalBought, kept: bought.kept, paidGifts: [...unearned, ...bought.unearned] };
}

const NOTHING: Priced = { total: 0, given: [], gifts: [] };

/**
 * `repriced`: what was paid so far less the price of what stays. Never below 0, never above what the portions cost without
 * loyalty, and never more than is left of what was paid. `refunded` is the sum of all refunds before.
 */
export function refundRepriced(
  sold: SoldBasket,
  portions: readonly Portion[],
  refunded: number,
  rest: PricedRest,
): Repriced {
  const paid = sum(sold.lines.map((line) => line.paid)) - refunded;
  const costs = portions.map((portion) => shareOfPortion(portion.sold.withoutLoyalty, portion));
  const withoutLoyalty = sum(costs);
  const difference = paid - rest.total;
  const refund = Math.max(0, Math.min(difference, withoutLoyalty, paid));
  const bound = difference < 0 ? 'rest_is_dearer' : difference > withoutLoyalty ? 'without_loyalty' : 'none';
  return { refund, refunds: shareRefund(refund, portions, costs), paid, rest, withoutLoyalty, bound };
}

/**
 * Shares a refund among its portions: first in proportion to what was paid for each, so that it comes from the right tax rate;
 * a rest goes where a portion cost more without loyalty than was paid. No portion gets more than it cost without loyalty.
 */
function shareRefund(refund: number, portions: readonly Portion[], costs: readonly number[]): number[] {
  const paid = refundAsPaid(portions).map((amount, at) => Math.min(amount, costs[at]!));
  const first = allocate(Math.min(refund, sum(paid)), paid);
  const more = allocate(
    refund - sum(first),
    costs.map((cost, at) => cost - first[at]!),
  );
  return first.map((amount, at) => amount + more[at]!);
}
