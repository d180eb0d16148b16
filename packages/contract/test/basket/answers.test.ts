/**
 * Faults of an answer that no service double makes, with every sum around them right, and what lies at a bound. The others are planted
 * in packages/client/test/answer.test.ts, whose judge asks the same functions; what a field may hold is in wire-values.test.ts.
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
  const given = { lineDiscountCode: 'loyalty', showLineDiscountText: true };
  const percent = { lineDiscountType: 'percent', lineDiscountPercent: 12.5, lineDiscountAmount: 125, ...given };
  const amount = { lineDiscountType: 'amount', lineDiscountAmount: 80, ...given };
  const none = { lineDiscountType: 'none', lineDiscountAmount: 0, showLineDiscountText: false };
  const shares = [share('one', 30), share('ours', 5)];
  const built: unknown = {
    calculationId: before.calculationId,
    status: 'applied',
    lines: [
      { ...buildLine({ lineId: 'a', orderDiscountAllocation: shares }), ...percent, orderLinePrice: 840 },
      { ...buildLine({ lineId: 'b', unitPrice: 500, existingLineDiscountAmount: 20 }), ...amount, orderLinePrice: 400 },
      { ...buildLine({ lineId: 'c', unitPrice: 200 }), ...none, overrideUnitPrice: 150, orderLinePrice: 150 },
    ],
    orderDiscounts: [
      { orderDiscountId: 'one', type: 'amount', amount: 30 },
      { orderDiscountId: 'ours', type: 'amount', amount: 5, discountCode: 'loyalty' },
    ],
    totals: { loyaltyDiscountTotal: 210 },
  };
  const whole = structuredClone(built) as Answer;
  addUp(whole);
  return whole;
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
    const gift = { lineDiscountType: 'amount', lineDiscountAmount: MAX_MONEY, lineDiscountCode: 'x' };
    const lines = ['a', 'b'].map((lineId) => ({
      ...buildLine({ lineId, unitPrice: MAX_MONEY, orderLinePrice: 0 }),
      ...gift,
      showLineDiscountText: false,
    }));
    const given = { ...answer(), lines, orderDiscounts: [] } as unknown as Answer;
    addUp(given);
    given.totals.loyaltyDiscountTotal = 2 * MAX_MONEY;
    expect(findAnswerFault(given as AppliedResponse)?.field).toMatch(/^\/totals/);
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
