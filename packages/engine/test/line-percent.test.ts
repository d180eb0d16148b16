import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { limitedUses } from '../src/offers/limits.ts';
import { priceBasket } from '../src/price.ts';
import type { AppliedDecision } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { expectApplied } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const twenty: BenefitDefinition = { benefitId: 'twenty', kind: 'line_percent', percent: 20, text: 'Member 20 %' };
const none = new Map<string, number>();

function applied(
  lines: BasketLine[],
  venue = buildVenue([twenty]),
  available: Map<string, number> = none,
): AppliedDecision {
  const basket = buildBasket(lines);
  const decision = priceBasket({ basket, member: buildMember(), venue, available });
  return expectApplied(basket, decision);
}

describe('line_percent', () => {
  it('gives 20 % on every discountable line and leaves the others as they are', () => {
    const lines = [
      buildLine({ lineId: 'a', unitPrice: 1_999, quantity: 0.345 }),
      buildLine({ lineId: 'b', noDiscount: true }),
      buildLine({ lineId: 'c', noPercentageDiscount: true }),
    ];
    const decision = applied(lines);
    expect(decision.lines.map((line) => line.lineDiscountAmount)).toEqual([138, 0, 0]);
    expect(decision.lines[0]).toMatchObject({
      lineDiscountPercent: 20,
      lineDiscountText: 'Member 20 %',
      showLineDiscountText: true,
    });
  });

  it('drops unknown fields of the request', () => {
    const line = { ...buildLine({ lineId: 'a' }), colour: 'red' };
    expect(applied([line]).lines[0]).not.toHaveProperty('colour');
  });

  it('becomes an amount where the line would drop below 0', () => {
    const allocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 900 }];
    const basket = buildBasket([buildLine({ lineId: 'a', orderDiscountAllocation: allocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 900 }],
    });
    const decision = priceBasket({ basket, member: buildMember(), venue: buildVenue([twenty]), available: none });
    expect(expectApplied(basket, decision).lines[0]).toMatchObject({
      lineDiscountType: 'amount',
      lineDiscountAmount: 100,
    });
  });
});

describe('existing line discounts', () => {
  const smaller = buildLine({ lineId: 'a', existingLineDiscountAmount: 199, existingLineDiscountText: 'Staff' });
  const equal = buildLine({ lineId: 'b', existingLineDiscountAmount: 200, existingLineDiscountText: 'Staff' });

  it('replaces a smaller one and echoes any other', () => {
    const [first, second] = applied([smaller, equal]).lines;
    expect(first).toMatchObject({
      existingLineDiscountType: 'none',
      existingLineDiscountAmount: 0,
      lineDiscountAmount: 200,
    });
    expect(first?.existingLineDiscountText).toBeUndefined();
    expect(second).toMatchObject({
      existingLineDiscountAmount: 200,
      existingLineDiscountText: 'Staff',
      lineDiscountAmount: 0,
    });
  });

  it('keeps or stacks where the programme says so', () => {
    const other = buildLine({ lineId: 'c' });
    const keep = applied([smaller, other], buildVenue([twenty], { existingLineDiscounts: 'keep' }));
    expect(keep.lines.map((line) => line.orderLinePrice)).toEqual([801, 800]);
    const stack = applied([smaller, equal], buildVenue([twenty], { existingLineDiscounts: 'stack' }));
    expect(stack.lines.map((line) => line.orderLinePrice)).toEqual([641, 640]);
  });
});

describe('limits and reasons', () => {
  const limited: BenefitDefinition = {
    ...twenty,
    benefitId: 'once',
    limit: { quantity: 1, period: 'week', counts: 'baskets' },
  };
  const reason = (benefits: BenefitDefinition[], lines: BasketLine[], member = buildMember()) =>
    priceBasket({ basket: buildBasket(lines), member, venue: buildVenue(benefits), available: none });

  it('spends one use per basket, and none when nothing is left', () => {
    const venue = buildVenue([limited]);
    expect(limitedUses(venue, '2026-11-21T12:00:00+01:00')).toEqual([
      { benefitId: 'once', usageKey: 'once:2026-W47', limit: 1, counts: 'baskets' },
    ]);
    const decision = applied([buildLine({ lineId: 'a' })], venue, new Map([['once:2026-W47', 1]]));
    expect(decision.uses).toEqual([
      { benefitId: 'once', usageKey: 'once:2026-W47', limit: 1, counts: 'baskets', units: 1 },
    ]);
    expect(reason([limited], [buildLine({ lineId: 'a' })])).toMatchObject({ reason: 'no_applicable_benefits' });
  });

  it('spends no use where an unlimited benefit does as well', () => {
    const venue = buildVenue([limited, { ...twenty, benefitId: 'zz' }]);
    expect(applied([buildLine({ lineId: 'a' })], venue, new Map([['once:2026-W47', 1]])).uses).toEqual([]);
  });

  it('gives the first reason that fits', () => {
    const line = buildLine({ lineId: 'a' });
    const dear = { ...twenty, minimumSpend: 1_001 };
    expect(reason([twenty], [line], buildMember({ status: 'paused' }))).toEqual({
      status: 'unchanged',
      reason: 'member_inactive',
    });
    expect(reason([dear], [line])).toMatchObject({ reason: 'basket_too_small' });
    expect(reason([dear], [{ ...line, noDiscount: true }])).toMatchObject({ reason: 'all_lines_excluded' });
    expect(reason([{ ...twenty, audience: 'granted' }], [line])).toMatchObject({ reason: 'no_applicable_benefits' });
    expect(reason([{ ...twenty, appliesTo: { productIds: ['x'] } }], [line])).toMatchObject({
      reason: 'no_applicable_benefits',
    });
  });
});

it.each([
  { kind: 'line_amount', amount: 100, per: 'unit' } as const,
  { kind: 'unit_price', unitPrice: 900 } as const,
  { kind: 'order_amount', amount: 100 } as const,
])('a line that takes no percentage takes an amount and a price: $kind', (own) => {
  const line = buildLine({ lineId: 'a', noPercentageDiscount: true });
  expect(applied([line], buildVenue([{ benefitId: 'x', ...own }])).totals.total).toBe(900);
});
