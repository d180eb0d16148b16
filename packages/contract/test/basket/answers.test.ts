/**
 * Faults of an answer that no service double makes, with every sum around them right, and what lies at a bound. The others are planted
 * in packages/client/test/answer.test.ts, whose judge asks the same functions.
 */
import { describe, expect, test } from 'vitest';
import { buildBasket, buildLine } from '../../../engine/test/support/basket.ts';
import { findAnswerFault } from '../../src/basket/answer.ts';
import { findAnswerMismatch } from '../../src/basket/identities.ts';
import type { AppliedResponse } from '../../src/basket-response.ts';
import { MAX_MONEY } from '../../src/limits.ts';
import { addUp, put, share, type Writable } from './changed.ts';

type Answer = Writable<AppliedResponse>;

/** An answer with a discount of each kind on its lines, an existing order discount and an added one. */
function answer(): Answer {
  const lines = [
    {
      ...buildLine({ lineId: 'a', unitPrice: 1_000, orderDiscountAllocation: [share('one', 30), share('ours', 5)] }),
      lineDiscountType: 'percent',
      lineDiscountPercent: 12.5,
      lineDiscountAmount: 125,
      lineDiscountCode: 'loyalty',
      showLineDiscountText: true,
      orderLinePrice: 840,
    },
    {
      ...buildLine({ lineId: 'b', unitPrice: 500, existingLineDiscountAmount: 20 }),
      lineDiscountType: 'amount',
      lineDiscountAmount: 80,
      lineDiscountCode: 'loyalty',
      showLineDiscountText: true,
      orderLinePrice: 400,
    },
    {
      ...buildLine({ lineId: 'c', unitPrice: 200 }),
      lineDiscountType: 'none',
      lineDiscountAmount: 0,
      showLineDiscountText: false,
      overrideUnitPrice: 150,
      orderLinePrice: 150,
    },
  ];
  const built: unknown = {
    calculationId: before.calculationId,
    status: 'applied',
    lines,
    orderDiscounts: [
      { orderDiscountId: 'one', type: 'amount', amount: 30 },
      { orderDiscountId: 'ours', type: 'amount', amount: 5, discountCode: 'loyalty' },
    ],
    totals: {
      originalTotal: 1_700,
      existingDiscountTotal: 20,
      orderDiscountTotal: 35,
      loyaltyDiscountTotal: 210,
      total: 1_390,
    },
  };
  return structuredClone(built) as Answer;
}

const before = buildBasket([buildLine({ lineId: 'a', orderDiscountAllocation: [share('one', 30)] })], {
  orderDiscounts: [{ orderDiscountId: 'one', type: 'amount', amount: 30 }],
});

const isWrong = (given: Answer): boolean =>
  (findAnswerFault(given as { status: string }) ?? findAnswerMismatch(before, given as AppliedResponse)) !== undefined;

describe('an answer', () => {
  test.each<[string, (given: Answer) => unknown]>([
    ['as it is', () => undefined],
    [
      'with 0 % on a line',
      ({ lines, totals }) => {
        Object.assign(lines[0]!, { lineDiscountPercent: 0, lineDiscountAmount: 0, orderLinePrice: 965 });
        totals.loyaltyDiscountTotal -= 125;
      },
    ],
    [
      'with 100 % on a line',
      ({ lines, totals }) => {
        const all = { lineDiscountPercent: 100, lineDiscountAmount: 1_000, orderLinePrice: 0 };
        Object.assign(lines[0]!, all, { orderDiscountAllocation: [] });
        put(totals, 'orderDiscountTotal', 0);
        put(totals, 'loyaltyDiscountTotal', 1_080);
      },
      // The order discounts go with their shares.
    ],
  ])('%s passes', (_case, change) => {
    const given = answer();
    change(given);
    if (given.lines[0]!.orderDiscountAllocation.length === 0) given.orderDiscounts = [];
    addUp(given);
    expect(isWrong(given)).toBe(false);
  });

  test.each<[string, (given: Answer) => unknown]>([
    [
      'gives more than all of a line',
      ({ lines }) =>
        Object.assign(lines[0]!, { lineDiscountPercent: 110, lineDiscountAmount: 1_100, orderLinePrice: -135 }),
    ],
    [
      'takes something for a discount',
      ({ lines }) =>
        Object.assign(lines[0]!, { lineDiscountPercent: -1, lineDiscountAmount: -10, orderLinePrice: 975 }),
    ],
    [
      'takes so little for a discount that nothing shows',
      ({ lines }) => {
        const less = { lineDiscountType: 'percent', lineDiscountPercent: -0.01, lineDiscountAmount: 0 };
        Object.assign(lines[1]!, less, { orderLinePrice: 480 });
      },
    ],
    [
      'gives more than all of a line that has become dearer',
      ({ lines }) => {
        const more = { lineDiscountPercent: 110, lineDiscountAmount: 1_100 };
        Object.assign(lines[0]!, more, { overrideUnitPrice: 2_000, orderLinePrice: 865 });
      },
    ],
    [
      'has a new price beyond Money',
      ({ lines }) =>
        Object.assign(lines[2]!, {
          quantity: 2,
          originalLinePrice: 400,
          overrideUnitPrice: MAX_MONEY,
          orderLinePrice: 0,
        }),
    ],
    [
      'has nothing of a product',
      ({ lines }) => Object.assign(lines[2]!, { quantity: 0, originalLinePrice: 0, orderLinePrice: 0 }),
    ],
    [
      'has less than nothing of a product',
      ({ lines }) => Object.assign(lines[2]!, { quantity: -1, originalLinePrice: -200, orderLinePrice: -150 }),
    ],
    [
      'has a price below 0',
      ({ lines }) => Object.assign(lines[1]!, { unitPrice: -1, originalLinePrice: -1, orderLinePrice: -101 }),
    ],
    ['has shares below 0', ({ lines }) => lines[2]!.orderDiscountAllocation.push(share('one', -1), share('one', 1))],
    [
      'names an order discount twice',
      ({ orderDiscounts }) => orderDiscounts.push({ orderDiscountId: 'one', type: 'amount', amount: 0 }),
    ],
  ])('that %s does not', (_case, change) => {
    const given = answer();
    change(given);
    addUp(given);
    given.totals.loyaltyDiscountTotal = given.lines.reduce((sum, line) => sum + line.lineDiscountAmount, 5);
    expect(isWrong(given)).toBe(true);
  });

  test('whose sums exceed the largest Money does not pass, whatever its totals say', () => {
    const lines = ['a', 'b'].map((lineId) => ({
      ...buildLine({ lineId, unitPrice: MAX_MONEY }),
      lineDiscountType: 'none' as const,
      lineDiscountAmount: 0,
      showLineDiscountText: false,
    }));
    const given = { ...answer(), lines, orderDiscounts: [] } as unknown as Answer;
    given.totals = { ...given.totals, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0 };
    addUp(given);
    expect(isWrong(given)).toBe(true);
  });

  test.each<[string, object, string[]]>([
    ['existing discounts', { existingLineDiscountType: 'amount', existingLineDiscountAmount: MAX_MONEY }, []],
    ['order discounts', {}, ['a', 'b']],
    ['loyalty discounts', { lineDiscountType: 'amount', lineDiscountAmount: MAX_MONEY, lineDiscountCode: 'x' }, []],
  ])('whose %s exceed the largest Money does not pass, although lines have them', (_case, discount, ids) => {
    const orderDiscounts = ids.map((orderDiscountId) => ({
      orderDiscountId,
      type: 'amount' as const,
      amount: MAX_MONEY,
    }));
    const lines = ['a', 'b'].map((lineId) => ({
      ...buildLine({
        lineId,
        unitPrice: 1,
        orderDiscountAllocation: ids.includes(lineId) ? [share(lineId, MAX_MONEY)] : [],
      }),
      lineDiscountType: 'none',
      lineDiscountAmount: 0,
      showLineDiscountText: false,
      ...discount,
      overrideUnitPrice: MAX_MONEY,
      orderLinePrice: 0,
    }));
    const given = { ...answer(), lines, orderDiscounts } as unknown as Answer;
    addUp(given);
    given.totals.loyaltyDiscountTotal = lines.reduce((total, line) => total + line.lineDiscountAmount, 0);
    const applied = given as AppliedResponse;
    expect(findAnswerFault(applied)?.field).toMatch(/^\/totals/);
  });

  test('tells of a line what its discount should be', () => {
    const faultOf = (index: number, more: object) => {
      const given = answer();
      Object.assign(given.lines[index]!, more);
      return findAnswerMismatch(before, given as AppliedResponse);
    };
    const none = { lineDiscountPercent: undefined };
    expect(faultOf(0, none)).toEqual({ field: '/lines/0/lineDiscountAmount', expected: -1, received: 125 });
    expect(faultOf(1, { lineDiscountCode: undefined })).toEqual({
      field: '/lines/1/lineDiscountCode',
      expected: 'present on discounted lines only',
    });
    expect(faultOf(2, { lineDiscountCode: 'x' })).toMatchObject({ field: '/lines/2/lineDiscountCode' });
  });
});
