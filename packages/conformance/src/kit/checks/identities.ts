import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type LineWords, totalsOf } from '../baskets.ts';
import { errorCode, isRecord } from '../exchange.ts';
import type { Check } from '../session.ts';

/** A request whose amounts do not add up is refused, with what was expected (interface, section 4.1). */

const LINES: readonly LineWords[] = [
  { unitPrice: 10_000, existing: 1_000, shares: { staff: 300 } },
  { unitPrice: 5_000, quantity: 3, shares: { staff: 700 } },
];

interface Falsehood {
  readonly name: string;
  readonly title: string;
  readonly falsify: (basket: BasketRequest) => BasketRequest;
  /** The value that the service should have found; undefined where several are right. */
  readonly expected?: number;
  readonly received?: number;
}

const FALSEHOODS: readonly Falsehood[] = [
  {
    name: 'original-line-price',
    title: 'originalLinePrice = quantity × unitPrice',
    falsify: (basket) => withLine(basket, { originalLinePrice: 15_001, orderLinePrice: 14_301 }),
    expected: 15_000,
    received: 15_001,
  },
  {
    name: 'order-line-price',
    title: 'orderLinePrice = originalLinePrice − existing discount − allocations',
    falsify: (basket) => withLine(basket, { orderLinePrice: 14_299 }),
    expected: 14_300,
    received: 14_299,
  },
  {
    name: 'existing-discount-of-type-none',
    title: 'existingLineDiscountAmount is 0 when its type is none',
    falsify: (basket) => withLine(basket, { existingLineDiscountAmount: 10, orderLinePrice: 14_290 }),
    expected: 0,
    received: 10,
  },
  {
    name: 'order-discount-amount',
    title: 'The allocations per order discount add up to its amount',
    falsify: (basket) => ({
      ...basket,
      orderDiscounts: basket.orderDiscounts.map((discount) => ({ ...discount, amount: 999 })),
    }),
    expected: 1_000,
    received: 999,
  },
  ...(['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const).map(
    (name): Falsehood => {
      const received = totals()[name] + 1;
      return {
        name: `totals-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        title: `totals.${name} is the sum it stands for`,
        falsify: (basket) => ({ ...basket, totals: { ...basket.totals, [name]: received } }),
        expected: totals()[name],
        received,
      };
    },
  ),
];

function totals() {
  return {
    originalTotal: 25_000,
    existingDiscountTotal: 1_000,
    orderDiscountTotal: 1_000,
    loyaltyDiscountTotal: 0,
    total: 23_000,
  };
}

/** Changes the second line and lets the totals follow, so that this is the only fault. */
function withLine(basket: BasketRequest, change: Partial<BasketRequest['lines'][number]>): BasketRequest {
  const lines = basket.lines.map((line, index) => (index === 1 ? { ...line, ...change } : line));
  return { ...basket, lines, totals: totalsOf(lines) };
}

export const identityChecks: readonly Check[] = [
  {
    name: 'identities.right',
    section: '2',
    title: 'A basket that adds up is taken',
    run: async (session) => {
      session.expectAccepted(await session.basket(session.baskets.of(LINES)), 'a basket with every kind of discount');
    },
  },
  ...FALSEHOODS.map(
    ({ name, title, falsify, expected, received }): Check => ({
      name: `identities.${name}`,
      section: '2, 4.1',
      title,
      run: async (session) => {
        const exchange = await session.basket(falsify(session.baskets.of(LINES)));
        session.expectRefusal(exchange, 'arithmetic_mismatch', 'one amount off');
        if (errorCode(exchange) !== 'arithmetic_mismatch' || !isRecord(exchange.body)) return;
        const { details } = exchange.body['error'] as { details?: Record<string, unknown> };
        const isNamed = Number(details?.['expected']) === expected && Number(details?.['received']) === received;
        session.expect(isNamed, `details should say expected ${expected}, received ${received}`);
      },
    }),
  ),
];
