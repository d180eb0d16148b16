/** Of choices that save a guest the same, which one applies does not depend on chance: limits are spared first, then the operator's order holds. */
import { describe, expect, test } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { allocated, line } from './support/choices.ts';
import { expectApplied, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const SOAP = { productGroupIds: ['soap'] };
const soap = (lineId: string, quantity: number, unitPrice: number) =>
  buildLine({ lineId, productId: lineId, productGroupId: 'soap', quantity, unitPrice });

/** A fifth off one unit, and a tenth off two, are the same of two units of one price. */
const one = (more: Partial<BenefitDefinition>) => percent('one', 20, { maximumUnits: 1, ...more });
const pair = (more: Partial<BenefitDefinition>) =>
  ({
    benefitId: 'pair',
    kind: 'bundle_price',
    percent: 10,
    items: [{ quantity: 2, appliesTo: SOAP }],
    ...more,
  }) as BenefitDefinition;

/** What comes off each line of the answer. */
function takenOff(lines: ReturnType<typeof soap>[], ...benefits: BenefitDefinition[]): number[] {
  const decision = priceFully(buildBasket(lines), benefits);
  return decision.status === 'applied' ? decision.lines.map(({ lineDiscountAmount }) => lineDiscountAmount) : [];
}
const TWO_OF_ONE_LINE = [soap('1', 2, 100)];
const OF_THE_PAIR = [20];
const OF_ONE = [0, 20];

const OF_ITEMS = { limit: { quantity: 1, period: 'lifetime', counts: 'items' } } as const;
const OF_BASKETS = { limit: { quantity: 1, period: 'lifetime', counts: 'baskets' } } as const;

test('a use that is limited is spared, whatever its priority', () => {
  for (const limit of [OF_ITEMS, OF_BASKETS]) {
    expect(takenOff(TWO_OF_ONE_LINE, one({ ...limit, priority: 9 }), pair({}))).toEqual(OF_THE_PAIR);
    expect(takenOff(TWO_OF_ONE_LINE, one({}), pair({ ...limit, priority: 9 }))).toEqual(OF_ONE);
  }
});

test('a coupon for one basket is spared where an offer for one unit takes off as much', () => {
  const lines = [soap('1', 1, 200)];
  const spent = (name: string) => {
    const coupon = percent(name, 20, { ...OF_BASKETS, priority: 9 });
    const decision = priceFully(buildBasket(lines), [one({}), coupon]);
    return decision.status === 'applied' && decision.uses;
  };
  expect(spent('a')).toEqual([]);
  expect(spent('z')).toEqual([]);
});

test('two units of a limit are more than one', () => {
  const ofItems = { quantity: 9, period: 'lifetime', counts: 'items' } as const;
  const coupon = one({ maximumUnits: 1, limit: ofItems });
  expect(takenOff(TWO_OF_ONE_LINE, coupon, pair({ limit: ofItems, priority: 9 }))).toEqual(OF_ONE);
  expect(takenOff(TWO_OF_ONE_LINE, coupon, pair({ limit: { ...ofItems, counts: 'baskets' }, priority: 9 }))).toEqual(
    OF_THE_PAIR,
  );
});

test('then the benefit of the highest priority applies', () => {
  expect(takenOff(TWO_OF_ONE_LINE, one({ priority: 1 }), pair({ priority: 2 }))).toEqual(OF_THE_PAIR);
  expect(takenOff(TWO_OF_ONE_LINE, one({ priority: 2 }), pair({ priority: 1 }))).toEqual(OF_ONE);
  // The IDs say nothing where priorities differ.
  expect(takenOff(TWO_OF_ONE_LINE, one({ priority: 1 }), pair({ benefitId: 'a', priority: 2 }))).toEqual(OF_THE_PAIR);
  expect(takenOff(TWO_OF_ONE_LINE, one({ priority: 2 }), pair({ benefitId: 'a', priority: 1 }))).toEqual(OF_ONE);
});

test('then the one of the lowest ID', () => {
  expect(takenOff(TWO_OF_ONE_LINE, one({ benefitId: 'a' }), pair({ benefitId: 'b' }))).toEqual(OF_ONE);
  expect(takenOff(TWO_OF_ONE_LINE, one({ benefitId: 'b' }), pair({ benefitId: 'a' }))).toEqual(OF_THE_PAIR);
});

test('of choices with as many uses the one with the highest priority applies, and one benefit is spent on two lines', () => {
  const limit = { quantity: 3, period: 'day', counts: 'baskets' };
  const benefits = [
    { benefitId: 'a', kind: 'line_amount', amount: 200, per: 'unit', ...on('tea', 'cake'), limit },
    percent('b', 20, { maximumUnits: 2, ...on('coffee', 'cake'), limit }),
    { benefitId: 'c', kind: 'line_amount', amount: 200, per: 'unit', ...on('tea', 'coffee', 'cake'), limit },
    percent('d', 20, { maximumUnits: 2, priority: 1, ...on('cake'), limit }),
  ] as BenefitDefinition[];
  const lines = [line('tea', 1, 1_500), line('cake', 1, 2_000), line('coffee', 1, 1_000)];
  const { trace } = priceFully(buildBasket(lines), benefits, { trace: true });
  const spent = trace!.benefits.filter(({ applied }) => applied);
  expect(spent.map(({ benefitId, saved }) => [benefitId, saved])).toEqual([
    ['c', 400],
    ['d', 400],
  ]);
});

describe('of an exclusive benefit and others that save as much', () => {
  const off = (benefitId: string, amount: number, more: object = {}) =>
    ({ benefitId, kind: 'line_amount', amount, per: 'unit', ...more }) as BenefitDefinition;
  const appliedTo = (benefits: BenefitDefinition[]) =>
    priceFully(buildBasket(lines), benefits, { trace: true }).trace!.benefits.flatMap(({ applied, benefitId }) =>
      applied ? benefitId : [],
    );
  const lines = [line('x', 1, 1_000), line('y', 1, 1_000)];
  const priority = (own: number) => ({ priority: own });
  const half = (benefitId: string, product: string, more: object = {}) =>
    off(benefitId, 50, { ...on(product), ...more });
  const sole = (benefitId: string, more: object = {}) => off(benefitId, 50, { exclusive: true, ...more });

  test.each([
    [
      'the highest priority',
      [half('d', 'x', priority(1)), half('e', 'y', priority(5)), sole('a', priority(3))],
      ['d', 'e'],
    ],
    ['the highest priority', [half('a', 'x', priority(1)), half('b', 'y', priority(2)), sole('c', priority(3))], ['c']],
    ['the lowest benefitId', [half('a', 'x'), half('d', 'y'), sole('c')], ['a', 'd']],
    ['the lowest benefitId', [half('b', 'x'), half('c', 'y'), sole('a')], ['a']],
  ])('the one with %s is given', (_about, benefits, applied) => {
    expect(appliedTo(benefits)).toEqual(applied);
  });

  test('the one with the highest priority is given, also where it is known beforehand that neither saves more', () => {
    const voucher = (benefitId: string, own: number): BenefitDefinition =>
      ({ benefitId, kind: 'order_amount', amount: 100, exclusive: true, priority: own }) as BenefitDefinition;
    expect(appliedTo([voucher('a', 1), voucher('b', 2)])).toEqual(['b']);
  });

  test('the one that keeps what the staff gave is given', () => {
    // 5.00 and the staff's 1.00 off 10.00; or 5.00, and a fifth of the rest.
    const staffed = [line('x', 1, 1_000, allocated(100))];
    const orderDiscounts = [{ orderDiscountId: 'staff-0', type: 'amount' as const, amount: 100 }];
    const fifth: BenefitDefinition = { benefitId: 'fifth', kind: 'order_percent', percent: 20 };
    const basket = buildBasket(staffed, { orderDiscounts });
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    const totalsWith = (amount: number) =>
      expectApplied(basket, priceFully(basket, [fifth, off('a', amount)], { policies })).totals;
    expect(totalsWith(500)).toMatchObject({ total: 400, orderDiscountTotal: 100, loyaltyDiscountTotal: 500 });
    expect(totalsWith(490)).toMatchObject({ total: 408, orderDiscountTotal: 102, loyaltyDiscountTotal: 592 });
  });
});
