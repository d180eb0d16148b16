import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type LineWords, totalsOf } from '../baskets.ts';
import { errorCode, isRecord } from '../exchange.ts';
import { type Checks, checksOf } from '../session.ts';

/** A request whose amounts do not add up is refused, with what was expected (interface, section 4.1). */

const LINES: readonly LineWords[] = [
  { unitPrice: 10_000, existing: 1_000, shares: { staff: 300 } },
  { unitPrice: 5_000, quantity: 3, shares: { staff: 700 } },
];
const TOTALS = {
  originalTotal: 25_000,
  existingDiscountTotal: 1_000,
  orderDiscountTotal: 1_000,
  loyaltyDiscountTotal: 0,
  total: 23_000,
} as const;

type Falsehood = readonly [
  title: string,
  /** The value that the service should find, and the one that is sent. */
  expected: number,
  received: number,
  falsify: (basket: BasketRequest) => BasketRequest,
];

const FALSEHOODS: Readonly<Record<string, Falsehood>> = {
  'identities.original-line-price': [
    'originalLinePrice = quantity × unitPrice',
    15_000,
    15_001,
    onLine({ originalLinePrice: 15_001, orderLinePrice: 14_301 }),
  ],
  'identities.order-line-price': [
    'orderLinePrice = originalLinePrice − existing discount − allocations',
    14_300,
    14_299,
    onLine({ orderLinePrice: 14_299 }),
  ],
  'identities.existing-discount-of-type-none': [
    'existingLineDiscountAmount is 0 when its type is none',
    0,
    10,
    onLine({ existingLineDiscountAmount: 10, orderLinePrice: 14_290 }),
  ],
  'identities.order-discount-amount': [
    'The allocations per order discount add up to its amount',
    1_000,
    999,
    (basket) => ({ ...basket, orderDiscounts: basket.orderDiscounts.map((one) => ({ ...one, amount: 999 })) }),
  ],
  ...Object.fromEntries(
    Object.entries(TOTALS).map(([name, expected]): [string, Falsehood] => [
      `identities.totals-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      [
        `totals.${name} is the sum it stands for`,
        expected,
        expected + 1,
        (basket) => ({ ...basket, totals: { ...basket.totals, [name]: expected + 1 } }),
      ],
    ]),
  ),
};

/** Changes the second line and lets the totals follow, so that this is the only fault. */
function onLine(change: Partial<BasketRequest['lines'][number]>): (basket: BasketRequest) => BasketRequest {
  return (basket) => {
    const lines = basket.lines.map((line, index) => (index === 1 ? { ...line, ...change } : line));
    return { ...basket, lines, totals: totalsOf(lines) };
  };
}

export const identityChecks: Checks = {
  'identities.right': {
    section: '2',
    title: 'A basket that adds up is taken',
    run: async (session) => {
      await session.accepted(session.baskets.of(LINES), 'a basket with every kind of discount');
    },
  },
  ...checksOf(FALSEHOODS, ([title, expected, received, falsify]) => ({
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
  })),
};
