import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { Programme } from '../compile/programme.ts';
import { type LineFacts, readLines } from '../lines/lines.ts';
import { ofProtectedLines } from '../lines/protected-discounts.ts';
import { isAt, type Offer } from '../offers/offers.ts';
import { applyOrderOffers, sortOrderOffers, sumOfOrders } from '../settle/order-discounts.ts';
import { stepsPerShare, type Work } from '../work.ts';

/**
 * How the staff's order discounts and loyalty order discounts stand to each other. With the policy `keep` both are given.
 * With `replace_if_larger` the order has either the one or the other, like a line.
 */
export interface Standing {
  readonly lines: readonly LineFacts[];
  /** Staff order discounts that give way, by ID. */
  readonly removed?: ReadonlySet<string>;
  readonly withLoyaltyOrderDiscounts: boolean;
  /** What the staff gave stands for the whole basket: all of it is kept without any benefit, or given up for them. */
  readonly ofBasket?: 'kept' | 'given up';
}

/** True where the staff gave any discount. */
function hasExistingDiscount({ lines, orderDiscounts }: BasketRequest): boolean {
  return orderDiscounts.some(({ amount }) => amount > 0) || lines.some((line) => line.existingLineDiscountAmount > 0);
}

/** The basket with all that the staff gave and no benefit; without what they gave where both kinds may be replaced. */
function standingsOfBasket(basket: BasketRequest, lines: readonly LineFacts[], programme: Programme): Standing[] {
  const { existingLineDiscounts, existingOrderDiscounts, selectorIndex } = programme;
  const kept: Standing = { lines, withLoyaltyOrderDiscounts: false, ofBasket: 'kept' };
  const mayReplace = existingLineDiscounts === 'replace_if_larger' && existingOrderDiscounts === 'replace_if_larger';
  if (!mayReplace) return [kept];
  const removed = removableDiscounts(basket);
  const without = readLines(basket.lines, existingLineDiscounts, selectorIndex.weighed, removed, true);
  return [kept, { lines: without, removed, withLoyaltyOrderDiscounts: true, ofBasket: 'given up' }];
}

/**
 * The standings between which the cheaper one is chosen; the first keeps everything the staff gave. `lines` are those of
 * the basket as it came.
 */
export function possibleStandings(
  basket: BasketRequest,
  lines: readonly LineFacts[],
  programme: Programme,
  offers: readonly Offer[],
): Standing[] {
  const { existingLineDiscounts, existingDiscountScope, selectorIndex } = programme;
  if (existingDiscountScope === 'basket' && hasExistingDiscount(basket)) {
    return standingsOfBasket(basket, lines, programme);
  }
  const removable = programme.existingOrderDiscounts === 'keep' ? NOTHING : removableDiscounts(basket);
  if (removable.size === 0) return [{ lines, withLoyaltyOrderDiscounts: true }];

  const kept: Standing = { lines, withLoyaltyOrderDiscounts: false };
  if (!offers.some(({ benefit }) => benefit.level === 'order')) return [kept];
  return [
    kept,
    {
      lines: readLines(basket.lines, existingLineDiscounts, selectorIndex.weighed, removable),
      removed: removable,
      withLoyaltyOrderDiscounts: true,
    },
  ];
}

/**
 * True where the loyalty order discounts of these offers are larger than the staff's that would give way, both measured on
 * the basket as it came: a line-level benefit that makes the basket cheaper does not change who wins.
 */
export function beatsStaffDiscounts(
  standing: Standing,
  basket: BasketRequest,
  offers: readonly Offer[],
  work: Work,
): boolean {
  const { removed, lines, ofBasket } = standing;
  // Where the whole basket gives way, the totals decide.
  if (!removed || ofBasket) return true;
  const orderLevel = offers.filter((offer) => isAt(offer, 'order'));
  // Also where no steps are left: what is not permitted has no bound, so this is never a guess.
  const orderOffers = work.beyond(Number.POSITIVE_INFINITY, () => sortOrderOffers(orderLevel, lines, work));
  work.count(orderOffers.length * lines.length * stepsPerShare(basket.totals.total));
  const effects = applyOrderOffers(
    orderOffers,
    lines.map(({ incoming }) => incoming),
    lines.map(({ index }) => index),
  );
  let staff = 0;
  for (const { orderDiscountId, amount } of basket.orderDiscounts) if (removed.has(orderDiscountId)) staff += amount;
  return sumOfOrders(effects) > staff;
}

const NOTHING: ReadonlySet<string> = new Set();

/** A staff order discount that lies on a `noDiscount` line stays: such a line becomes no dearer. */
function removableDiscounts({ lines, orderDiscounts }: BasketRequest): ReadonlySet<string> {
  const kept = ofProtectedLines(lines);
  const removable = orderDiscounts.filter(({ amount, orderDiscountId }) => amount > 0 && !kept.has(orderDiscountId));
  return new Set(removable.map(({ orderDiscountId }) => orderDiscountId));
}
