import { describe, expect, it } from 'vitest';
import { faultsOfDecision } from '../../../test/support/judge.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { DEFAULT_MAXIMUM_STEPS } from '../src/work.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';

/** Sets where they cost most: many offers on the same lines, large sets, many units, limits, units of equal worth. */

type Limit = NonNullable<BenefitDefinition['limit']>;

interface Sets {
  readonly buy: number;
  readonly get: number;
  readonly limit?: number;
}

function setsOf(benefitId: string, { buy, get, limit }: Sets): BenefitDefinition {
  const counted: Limit | undefined = limit ? { quantity: limit, period: 'day', counts: 'items' } : undefined;
  return {
    benefitId,
    kind: 'buy_x_get_y',
    buy: { quantity: buy },
    get: { quantity: get },
    ...(counted && { limit: counted }),
  };
}

const HUNDRED = Array.from({ length: 100 }, (_, at) =>
  setsOf(`sets-${at}`, { buy: 1 + (at % 5), get: 1 + (Math.floor(at / 5) % 5) }),
);
const TEN_PERCENT: BenefitDefinition = { benefitId: 'ten', kind: 'line_percent', percent: 10 };

function linesOf(count: number, quantity: number, staff = 0) {
  return Array.from({ length: count }, (_, at) =>
    buildLine({
      lineId: `line-${at}`,
      quantity,
      unitPrice: staff > 0 ? 2_000 : 1_000 + ((at * 7_919) % 5_000),
      existingLineDiscountAmount: at % 2 === 0 ? staff * quantity : 0,
    }),
  );
}

describe('sets are bounded in work', () => {
  const two = [setsOf('a', { buy: 1, get: 2, limit: 100 }), setsOf('b', { buy: 1, get: 2, limit: 90 })];
  it.each([
    ['a hundred offers on 200 lines', HUNDRED, linesOf(200, 3)],
    ['a hundred offers on 200 lines of 10,000 units', HUNDRED, linesOf(200, 10_000)],
    ['two offers with limits near half the units', [...two, TEN_PERCENT], linesOf(200, 2)],
    [
      'small sets with small limits',
      [1, 2, 3, 4, 5].map((limit) => setsOf(`s${limit}`, { buy: 1, get: 1, limit })),
      linesOf(200, 1),
    ],
    ['sets of 2,000 units', [setsOf('large', { buy: 1_000, get: 1_000 }), TEN_PERCENT], linesOf(200, 1_000)],
    [
      'equal prices with alternating staff discounts',
      [setsOf('a', { buy: 2, get: 1 }), TEN_PERCENT],
      linesOf(200, 5, 700),
    ],
  ])('%s', (_about, benefits, lines) => {
    const basket = buildBasket(lines);
    const decision = priceFully(basket, benefits, { trace: true });
    if (decision.status !== 'applied') throw new Error(decision.reason);
    expect(faultsOfDecision(basket, decision)).toEqual([]);
    expect(decision.trace!.steps).toBeLessThan(2 * DEFAULT_MAXIMUM_STEPS);
  });

  it('and a million units of each line that may only be bought are counted, not walked', () => {
    const sets: BenefitDefinition = {
      benefitId: 'sets',
      kind: 'buy_x_get_y',
      buy: { quantity: 3 },
      get: { quantity: 10, appliesTo: { productIds: ['given'] } },
      maximumUnits: 5,
    };
    const lines = Array.from({ length: 200 }, (_, at) =>
      buildLine({
        lineId: `line-${at}`,
        productId: at === 0 ? 'given' : 'bought',
        quantity: 1_000_000,
        unitPrice: 1_000 + at,
      }),
    );
    const basket = buildBasket(lines);
    const begun = process.cpuUsage();
    for (let run = 0; run < 3; run++) priceFully(basket, [sets]);
    const { user, system } = process.cpuUsage(begun);
    // Walked, they took seconds a basket; counted, they take some milliseconds.
    expect((user + system) / 1_000_000).toBeLessThan(1.5);
  });

  it('and one line of 200 units costs what 200 lines of one cost', () => {
    const benefits = [setsOf('a', { buy: 2, get: 1, limit: 7 }), TEN_PERCENT];
    const totalOf = (lines: number, quantity: number): number => {
      const basket = buildBasket(
        Array.from({ length: lines }, (_, at) => buildLine({ lineId: `line-${at}`, quantity, unitPrice: 2_000 })),
      );
      const decision = priceFully(basket, benefits);
      return decision.status === 'applied' ? decision.totals.total : basket.totals.total;
    };
    expect(totalOf(1, 200)).toBe(totalOf(200, 1));
  });
});
