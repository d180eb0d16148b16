import { MAX_ORDERS_SHARING } from './choose/problem.ts';
import { applyOrderOffers, type OrderEffect, type OrderOffer } from './settle/order-discounts.ts';
import type { SettledPart } from './settled-part.ts';

/** The discounts on the order, after all line-level effects are settled. */

/** Where offers share a limit in money, one of them may have to leave it to those after it. */
export function bestOrders(orderOffers: readonly OrderOffer[], parts: readonly SettledPart[]): OrderEffect[] {
  const sharing = orderOffers.filter(({ offer }) => offer.pool?.counts === 'money');
  let best = applyOrders(orderOffers, parts);
  if (sharing.length < 2 || sharing.length > MAX_ORDERS_SHARING) return best;
  for (let bits = 1; bits < 2 ** sharing.length; bits++) {
    const left = new Set(sharing.filter((_, at) => (bits & (1 << at)) !== 0));
    const others = applyOrders(
      orderOffers.filter((order) => !left.has(order)),
      parts,
    );
    if (sumOfOrders(others) > sumOfOrders(best)) best = others;
  }
  return best;
}

function sumOfOrders(orders: readonly OrderEffect[]): number {
  return orders.reduce((sum, { amount }) => sum + amount, 0);
}

function applyOrders(orderOffers: readonly OrderOffer[], parts: readonly SettledPart[]): OrderEffect[] {
  return applyOrderOffers(
    orderOffers,
    parts.map(({ rest }) => rest),
    parts.map(({ line }) => line.index),
  );
}
