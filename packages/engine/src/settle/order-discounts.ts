import { allocate } from '@loyalty/contract/money/allocate';
import { sum } from '@loyalty/contract/money/sum';
import type { LineFacts } from '../lines/lines.ts';
import { eligibleLines, lineListKey, type OrderLevelOffer } from '../offers/offers.ts';
import { PoolSpending } from '../offers/pools.ts';
import { COST, type Work } from '../work.ts';

/** An order-level offer with the lines it may touch. */
export interface OrderOffer {
  readonly offer: OrderLevelOffer;
  readonly touches: readonly boolean[];
  /** What the lines of `counted` have to cost before any discount on the order; 0 where nothing is asked of them. */
  readonly netMinimum: number;
  readonly counted: readonly boolean[];
}

/** How minimums on what lines cost after line-level benefits are taken: as they are, or as if they were met. */
export type NetMinimums = 'heeded' | 'ignored';

/** A loyalty order discount and its share on every part, in minor units. */
export interface OrderEffect {
  readonly offer: OrderLevelOffer;
  readonly amount: number;
  /** A cap or a limit has cut it. */
  readonly isCut: boolean;
  readonly shares: readonly number[];
}

/**
 * An answer holds at most so many shares of loyalty order discounts; beyond them only the largest discounts are given. Each
 * may have a share on every line, and an answer has to stay small enough to be sent.
 */
const MAX_SHARES = 10_000;

/** Order-level offers in the order in which they come: higher priority first, then percentages, then by benefitId. */
export function sortOrderOffers(
  offers: readonly OrderLevelOffer[],
  lines: readonly LineFacts[],
  work: Work,
  netMinimums: NetMinimums = 'heeded',
): OrderOffer[] {
  const known = new Map<number | string, readonly boolean[]>();
  const orders: OrderOffer[] = [];
  for (const offer of [...offers].sort(bySequence)) {
    if (!work.spend(COST.list)) break;
    const key = lineListKey(offer, 0);
    let touches = known.get(key);
    if (!touches) {
      work.count(lines.length * COST.listedLine);
      const eligible = new Set(eligibleLines(offer, 0, lines));
      touches = lines.map((_, i) => eligible.has(i));
      known.set(key, touches);
    }
    const { netMinimum, minimumSpendOn } = offer.benefit;
    const counted = minimumSpendOn === 'basket' ? lines.map(() => true) : touches;
    orders.push({ offer, touches, netMinimum: netMinimums === 'heeded' ? netMinimum : 0, counted });
  }
  return keepLargest(orders, lines, Math.floor(MAX_SHARES / lines.length));
}

/** The offers that would take most of the lines as they came, in the order that they had. */
function keepLargest(orders: readonly OrderOffer[], lines: readonly LineFacts[], count: number): OrderOffer[] {
  if (orders.length <= count) return [...orders];
  const touched = new Map<readonly boolean[], number>();
  const amounts = new Map<OrderOffer, number>();
  for (const order of orders) {
    const { touches, offer } = order;
    const price = touched.get(touches) ?? sum(lines.map(({ incoming }, i) => (touches[i] ? incoming : 0)));
    touched.set(touches, price);
    amounts.set(order, orderDiscount(offer, price));
  }
  const largest = [...orders].sort((a, b) => amounts.get(b)! - amounts.get(a)!);
  const kept = new Set(largest.slice(0, count));
  return orders.filter((order) => kept.has(order));
}

/**
 * Higher priority first, then percentages before amounts, then benefitId: the offers come sorted by it, and sorting keeps
 * that order. A percentage takes more of a basket that no amount has made cheaper, so names do not decide the price.
 */
function bySequence({ benefit: a }: OrderLevelOffer, { benefit: b }: OrderLevelOffer): number {
  const isAmount = ({ rule }: typeof a): number => (rule.percentHundredths === undefined ? 1 : 0);
  return b.priority - a.priority || isAmount(a) - isAmount(b);
}

/**
 * Applies order-level offers one after the other to parts that cost `rests`; `lineOf` says which line a part belongs to.
 * Each takes its discount off what the eligible parts still cost and shares it out by largest remainder.
 */
export function applyOrderOffers(
  orderOffers: readonly OrderOffer[],
  rests: readonly number[],
  lineOf: readonly number[],
): OrderEffect[] {
  const left = [...rests];
  const pools = new PoolSpending();
  const effects: OrderEffect[] = [];
  for (const { offer, touches } of withMetMinimums(orderOffers, rests, lineOf)) {
    const weights = left.map((rest, part) => (touches[lineOf[part]!] ? rest : 0));
    const full = orderDiscount(offer, sum(weights));
    const amount = pools.cut(offer.pool, full);
    if (amount === 0) continue;
    pools.spend(offer.pool, amount);
    const shares = allocate(amount, weights);
    shares.forEach((share, part) => {
      left[part]! -= share;
    });
    effects.push({ offer, amount, isCut: amount >= offer.mostDiscount || amount < full, shares });
  }
  return effects;
}

/** Those whose lines cost as much as they ask for; `rests` is before any discount on the order. */
function withMetMinimums(
  orderOffers: readonly OrderOffer[],
  rests: readonly number[],
  lineOf: readonly number[],
): readonly OrderOffer[] {
  return orderOffers.filter(
    ({ netMinimum, counted }) => netMinimum === 0 || costOf(counted, rests, lineOf) >= netMinimum,
  );
}

/** What the parts of some lines cost together. */
function costOf(lines: readonly boolean[], rests: readonly number[], lineOf: readonly number[]): number {
  return rests.reduce((sum, rest, part) => (lines[lineOf[part]!] ? sum + rest : sum), 0);
}

/** The discount of an offer on lines that still cost `rest` together. */
function orderDiscount({ benefit, times, mostDiscount }: OrderLevelOffer, rest: number): number {
  return Math.min(benefit.rule.amount(rest, times), mostDiscount);
}

/** Σ of loyalty order discounts, in minor units. */
export function sumOfOrders(orders: readonly OrderEffect[]): number {
  return orders.reduce((sum, { amount }) => sum + amount, 0);
}
