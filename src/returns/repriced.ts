import type { BasketRequest } from '../contract/basket-request.ts';
import { allocate } from '../money/allocate.ts';
import { subtractQuantities } from '../money/portion.ts';
import { multiplyQuantity } from '../money/quantity.ts';
import { sum } from '../money/sum.ts';
import type { GivenBenefit } from '../pricing/types.ts';
import { refundAsPaid, type Saving } from './as-paid.ts';
import { type Portion, type Quantities, shareOfPortion } from './portions.ts';
import { restOf, type StayingGift, withBought } from './rest-basket.ts';
import type { SoldBasket } from './sold-basket.ts';

/** A basket priced by the programme, the member, the limits and the time of the sale. */
export interface Priced {
  readonly total: number;
  readonly given: readonly GivenBenefit[];
  /** Products that the service adds. */
  readonly gifts: readonly { readonly productId: string; readonly units: number }[];
}

export type PriceAsThen = (basket: BasketRequest) => Priced;

/** What stays, priced as if it had been bought alone. */
export interface PricedRest {
  readonly total: number;
  readonly kept: readonly Saving[];
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
 * earns it again, and its list price otherwise.
 */
export function priceRest(sold: SoldBasket, returned: Quantities, price: PriceAsThen): PricedRest {
  const { basket, gifts } = restOf(sold, returned);
  const first = basket && price(basket);
  const paidGifts = gifts.length === 0 ? [] : withoutEarned(gifts, first?.gifts ?? []);
  if (paidGifts.length === 0) return { total: first?.total ?? 0, kept: savingsOf(first), paidGifts };
  const asListed = (first?.total ?? 0) + sum(paidGifts.map(listPrice));
  const second = price(withBought(sold.basket, basket, paidGifts));
  // Bought with the rest, such a product may earn a benefit itself; the guest gets the better of the two.
  const best = second.total <= asListed ? second : { ...first, total: asListed };
  return { total: best.total, kept: savingsOf(best), paidGifts };
}

function savingsOf(priced: Partial<Priced> | undefined): Saving[] {
  return (priced?.given ?? []).map(({ benefitId, saved }) => ({ benefitId, saved }));
}

function listPrice({ product, quantity }: StayingGift): number {
  return Number(multiplyQuantity(quantity, product.unitPrice));
}

/** The products that stay beyond those that the rest earns. */
function withoutEarned(staying: readonly StayingGift[], earned: Priced['gifts']): StayingGift[] {
  const left = new Map<string, number>();
  for (const { productId, units } of earned) left.set(productId, (left.get(productId) ?? 0) + units);
  return staying.flatMap((gift) => {
    const { productId } = gift.product;
    const free = Math.min(gift.quantity, left.get(productId) ?? 0);
    left.set(productId, (left.get(productId) ?? 0) - free);
    return free === gift.quantity ? [] : [{ ...gift, quantity: subtractQuantities(gift.quantity, free) }];
  });
}

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
