import { randomUUID } from 'node:crypto';
import { dateIn } from '@loyalty/engine/compile/calendar';
import type { ReturnedLine } from '@loyalty/engine/returns/portions';
import type { ReturnQuote } from '@loyalty/engine/returns/quote';
import { explainPast, type PastBasket } from '../../../src/administration/past-basket.ts';
import { bookReturnOf, quoteReturnOf } from '../../../src/administration/returns.ts';
import { type CostRow, readCostRows } from '../../../src/store/cost-rows.ts';
import { findAnswered } from '../../../src/store/find-calculation.ts';
import { configurationOf, memberOf, type Programme } from '../../support/configuration.ts';
import type { BasketBody } from '../../support/wire.ts';
import { tokenOf } from './club.ts';
import { ask, tellSale, useTill } from './till.ts';

/** A club whose returns are `repriced`, with a benefit or two for each product group, and its till on a real Redis. */

const ONCE = { quantity: 1, period: 'lifetime', counts: 'baskets' };
const of = (...productGroupIds: string[]) => ({ appliesTo: { productGroupIds } });
const threeForTwo = (productGroupId: string) => ({
  ...{ kind: 'buy_x_get_y', spread: true },
  ...{ buy: { ...of(productGroupId), quantity: 2 }, get: { ...of(productGroupId), quantity: 1, percent: 100 } },
});
const percentOff = (percent: number, ...groups: string[]) => ({ kind: 'line_percent', percent, ...of(...groups) });
const gift = (productId: string, group: string) => ({
  ...{ kind: 'free_product', productId, ...of(group), minimumSpend: 10_000 },
});

/** Of each pair one applies to a product; it is the set where there are three. */
const BENEFITS = [
  { benefitId: 'three-soaps', ...threeForTwo('soap'), limit: ONCE, group: 'soap' },
  { benefitId: 'coupon', ...percentOff(50, 'soap'), maximumUnits: 1, limit: ONCE, group: 'soap' },
  { benefitId: 'three-teas', ...threeForTwo('tea'), limit: { ...ONCE, limitId: 'tea' }, group: 'tea' },
  {
    benefitId: 'tea-coupon',
    ...percentOff(50, 'tea'),
    maximumUnits: 1,
    limit: { ...ONCE, limitId: 'tea' },
    group: 'tea',
  },
  { benefitId: 'three-breads', ...threeForTwo('bread') },
  {
    benefitId: 'bread-money',
    ...percentOff(30, 'bread', 'roll'),
    limit: { ...ONCE, quantity: 9_000, counts: 'money' },
  },
  { benefitId: 'three-cups', ...threeForTwo('cup') },
  { benefitId: 'cups-ten', ...percentOff(10, 'cup') },
  { benefitId: 'cake', ...gift('cake', 'meal'), limit: ONCE },
  { benefitId: 'pie', ...gift('pie', 'lunch'), inBasketFirst: true, limit: ONCE },
  { benefitId: 'small-bun', ...gift('bun', 'feast'), inBasketFirst: true },
  { benefitId: 'large-bun', ...gift('bun', 'feast'), inBasketFirst: true, minimumSpend: 20_000 },
  { benefitId: 'lunch-hours', ...percentOff(50, 'soup'), when: { hours: '10:00-14:00' } },
  { benefitId: 'order', kind: 'order_amount', amount: 2_000, ...of('plate'), minimumSpend: 10_000 },
];
const PRODUCTS = ['cake', 'pie', 'bun'].map((productId) => ({
  ...{ productId, name: productId, unitPrice: 4_500, noDiscount: false, noPercentageDiscount: false },
}));

const base = configurationOf({
  programme: {
    ...{ benefits: BENEFITS as unknown as Programme['benefits'] },
    ...{ returns: 'repriced', groups: { soap: { atMost: 1 }, tea: { atMost: 1 } } },
  },
  members: [memberOf('anna')],
});
const club = { ...base, venues: base.venues.map((venue) => ({ ...venue, products: PRODUCTS })) };

export type Back = Record<string, number>;
const linesOf = (back: Back): ReturnedLine[] =>
  Object.entries(back).map(([lineId, quantity]) => ({ lineId, quantity }));

/** The club's till; the test file that calls this has its Redis. */
export function useFairClub() {
  const till = useTill(club);

  /** Sells a basket to Anna. Returns what the answer was, and its sale. */
  async function sell(basket: BasketBody) {
    const { answer } = await ask(till.context, { ...basket, loyaltyId: 'anna' });
    const { calculationId } = basket;
    await tellSale(till, calculationId, { transactionId: `receipt-${randomUUID()}` });
    return { calculationId, total: answer?.total ?? basket.totals.total };
  }

  async function quote(calculationId: string, back: Back): Promise<ReturnQuote> {
    return answerOf(await quoteReturnOf(till.context, { calculationId, lines: linesOf(back) }));
  }

  async function book(calculationId: string, back: Back): Promise<ReturnQuote> {
    return answerOf(await bookReturnOf(till.context, randomUUID(), { calculationId, lines: linesOf(back) }));
  }

  /** What Anna has used of each limit. */
  async function consumed(): Promise<Record<string, string>> {
    return till.redis.client.hgetall(till.context.store.keys.use(tokenOf('anna')));
  }

  /** What returns have changed of the costs of each benefit: of the day of a sale, as the shop has it. */
  async function costs(calculationId: string): Promise<Record<string, CostRow['figures']>> {
    const sold = await findAnswered(till.context.store, calculationId);
    const { timeZone } = till.context.environment.venues[0]!;
    const rows = await readCostRows(till.context.store, dateIn(timeZone, sold!.answeredAtMs));
    return Object.fromEntries(rows.map(({ benefitId, figures }) => [benefitId, figures]));
  }

  /** What the look-up shows of a basket: as it is priced again. */
  async function lookUp(calculationId: string): Promise<PastBasket> {
    const sold = await findAnswered(till.context.store, calculationId);
    const past = await explainPast(till.context, sold!);
    if (typeof past === 'string') throw new Error(past);
    return past;
  }

  return { till, sell, quote, book, consumed, costs, lookUp };
}

function answerOf(outcome: Awaited<ReturnType<typeof quoteReturnOf>>): ReturnQuote {
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer as ReturnQuote;
}
