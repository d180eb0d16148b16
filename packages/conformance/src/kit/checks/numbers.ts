import type { BasketRequest } from '@loyalty/contract/basket-request';
import { totalsOf } from '../baskets.ts';
import { describe, fieldOf, isRecord } from '../exchange.ts';
import { shareOf } from '../judge/decimal.ts';
import type { Checks, Session } from '../session.ts';

/** Money, quantities and percentages (interface, section 2), in values that a sloppy number type gets wrong. */

/** quantity, unitPrice, and the exact product rounded half up. Binary floating point misses the marked ones. */
const PRODUCTS: readonly (readonly [quantity: number, unitPrice: number, price: number])[] = [
  [0.345, 1999, 690],
  [1.005, 100, 101], // 100.49999999999999 in binary
  [0.5, 1, 1],
  [0.5, 3, 2],
  [1.15, 10, 12], // 11.499999999999998 in binary
  [2.675, 100, 268], // 267.49999999999994 in binary
  [0.001, 499, 0],
  [0.001, 500, 1],
  [1e-7, 5_000_000, 1],
  [1000.0005, 1000, 1_000_001], // 1000000.4999999999 in binary
];

/** Of these prices 12.5 % end in half a unit, with an even number below it or an odd one. */
const HALF_PERCENT = 12.5;
const HALVES = [100, 20, 60, 4, 12, 1_180, 999_999_988];

const MAX_MONEY = Number.MAX_SAFE_INTEGER;

export const numberChecks: Checks = {
  'numbers.products': {
    section: '2',
    title: 'quantity × unitPrice is exact decimal arithmetic, rounded half up',
    run: async (session) => {
      for (const [quantity, unitPrice, price] of PRODUCTS) {
        const basket = session.baskets.of([{}, { quantity, unitPrice }]);
        const exact = basket.lines[1]?.originalLinePrice === price;
        session.expect(exact, `the kit itself is wrong about ${quantity} × ${unitPrice}`);
        await session.accepted(basket, `${quantity} × ${unitPrice} = ${price}`);
      }
    },
  },
  'numbers.products-refused': {
    section: '2, 4.1',
    title: 'The neighbour of the exact product is refused',
    run: async (session) => {
      for (const [quantity, unitPrice, price] of PRODUCTS.slice(0, 6)) {
        const wrong = price - 1;
        const line = { quantity, unitPrice, originalLinePrice: wrong, orderLinePrice: wrong };
        const about = `${quantity} × ${unitPrice} given as ${wrong}`;
        await session.refused(session.baskets.of([{}, line]), 'arithmetic_mismatch', about);
      }
    },
  },
  'numbers.largest-money': {
    section: '2',
    title: 'Amounts up to 2^53 − 1 are priced to the unit',
    run: async (session) => {
      for (const unitPrice of [MAX_MONEY, MAX_MONEY - 2, 4_503_599_627_370_497]) {
        const answer = await session.applied(session.baskets.of([{ unitPrice }]), `a price of ${unitPrice}`);
        const found = answer?.lines[0]?.lineDiscountAmount;
        const expected = shareOf(unitPrice, 20);
        session.expect(found !== undefined && BigInt(found) === expected, `20 % of ${unitPrice} came to ${found}`);
      }
    },
  },
  'numbers.not-money': {
    section: '2',
    title: 'Negative, fractional, too large and textual amounts are refused',
    run: (session) =>
      refuseRaw(session, 'unitPrice', [
        '-1',
        '0.5',
        '"1000"',
        'null',
        'true',
        '9007199254740992',
        '1e400',
        '-0.1',
        '{}',
      ]),
  },
  'numbers.not-a-quantity': {
    section: '2',
    title: 'A quantity is a number above 0',
    run: (session) => refuseRaw(session, 'quantity', ['0', '-1', '"1"', 'null', '1e400']),
  },
  'numbers.percent': {
    section: '2',
    title: 'A percentage has at most two decimals and lies between 0 and 100',
    run: async (session) => {
      const about = (percent: number) => `existingLineDiscountPercent ${percent}`;
      for (const percent of [0, 0.01, 1.15, 33.33, 100])
        await session.accepted(withPercent(session.baskets.of(), percent), about(percent));
      for (const percent of [-0.01, 0.001, 33.333, 100.01])
        await session.refused(withPercent(session.baskets.of(), percent), 'invalid_request', about(percent));
    },
  },
  'numbers.half-units': {
    section: '2',
    title: 'Half a minor unit of discount is rounded up, and not to the even neighbour',
    run: async (session) => {
      const { half } = session.options.members;
      for (const unitPrice of HALVES) {
        const exchange = await session.basket(session.baskets.of([{ unitPrice }], { loyaltyId: half }));
        const lines = fieldOf(exchange, 'lines');
        const line: unknown = Array.isArray(lines) ? lines[0] : undefined;
        if (!isRecord(line) || line['lineDiscountPercent'] !== HALF_PERCENT) {
          session.notShown = `not shown: --member-half ${half} has no ${HALF_PERCENT} % here (${describe(exchange)})`;
          return;
        }
        const expected = Number(shareOf(unitPrice, HALF_PERCENT));
        const found = line['lineDiscountAmount'];
        session.expect(found === expected, `${HALF_PERCENT} % of ${unitPrice} came to ${found} instead of ${expected}`);
      }
    },
  },
  'numbers.free-goods': {
    section: '2',
    title: 'Prices of 0 are prices',
    run: async (session) => {
      await session.accepted(session.baskets.of([{ unitPrice: 0 }, { unitPrice: 100 }]), 'a line that costs nothing');
      await session.answered(session.baskets.of([{ unitPrice: 0 }]), 'unchanged', 'a basket that costs nothing');
    },
  },
  'numbers.integers-on-the-wire': {
    section: '2',
    title: 'Money leaves as plain digits, without exponent or fraction',
    run: async (session) => {
      const basket = session.baskets.of([{ unitPrice: 9_000_000_000_000_000 }]);
      const exchange = await session.answered(basket, 'applied', 'a large amount');
      const numbers = exchange.bytes.toString('utf8').match(/(?:Price|Amount|otal)":-?[\d.eE+-]+/g) ?? [];
      const strange = numbers.filter((text) => /[.eE]/.test(text.split('":')[1] ?? ''));
      session.expect(strange.length === 0, `found ${strange.slice(0, 3).join(', ')}`);
      session.expect(isRecord(fieldOf(exchange, 'totals')), 'the answer has no totals');
    },
  },
};

/** Sends texts in the place of a number of the line, because JSON.stringify cannot write every form that a caller may send. */
async function refuseRaw(session: Session, field: 'unitPrice' | 'quantity', values: readonly string[]): Promise<void> {
  for (const value of values) {
    const body = JSON.stringify(session.baskets.of()).replace(new RegExp(`(?<="${field}":)\\d+`), value);
    await session.refused(body, 'invalid_request', `a ${field} of ${value}`);
  }
}

function withPercent(basket: BasketRequest, existingLineDiscountPercent: number): BasketRequest {
  const lines = basket.lines.map((line) => ({
    ...line,
    existingLineDiscountType: 'percent' as const,
    existingLineDiscountPercent,
  }));
  return { ...basket, lines, totals: totalsOf(lines) };
}
