/** Units with their modifiers, worked out by hand (packages/engine/README.md, Units with modifiers). */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { decideBasket } from '../src/price.ts';
import type { AppliedDecision } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const burgers = { productIds: ['burger'] } as const;
const TOGETHER = { policies: { modifiers: 'together' } } as const;

const twoForOne: BenefitDefinition = {
  benefitId: 'two-for-one',
  kind: 'buy_x_get_y',
  buy: { appliesTo: burgers, quantity: 1 },
  get: { appliesTo: burgers, quantity: 1 },
};

function burger(lineId: string, quantity = 1, more: Partial<BasketLine> = {}): BasketLine {
  return buildLine({ lineId, productId: 'burger', quantity, unitPrice: 10_000, ...more });
}

function extra(lineId: string, parentLineId: string, more: Partial<BasketLine> = {}): BasketLine {
  return buildLine({ lineId, productId: 'cheese', parentLineId, unitPrice: 1_500, ...more });
}

function apply(benefits: readonly BenefitDefinition[], lines: BasketLine[], more?: Circumstances): AppliedDecision {
  const basket = buildBasket(lines);
  return expectApplied(basket, priceFully(basket, benefits, { ...TOGETHER, ...more }));
}

function unchanged(benefits: readonly BenefitDefinition[], lines: BasketLine[]): string | undefined {
  const decision = priceFully(buildBasket(lines), benefits, { ...TOGETHER, trace: true });
  return decision.status === 'unchanged' ? decision.reason : undefined;
}

/** How many units each benefit gives, and what they save. */
function given(benefits: readonly BenefitDefinition[], lines: BasketLine[]) {
  const input = { venue: buildVenue([...benefits], TOGETHER.policies), member: buildMember(), available: new Map() };
  return decideBasket({ ...input, basket: buildBasket(lines) }).given();
}

/** What each line of the answer costs. */
function costs({ lines }: AppliedDecision): number[] {
  return lines.map(({ orderLinePrice }) => orderLinePrice);
}

describe('two for one', () => {
  it('gives nothing for one burger with cheese, and says that a burger is missing', () => {
    const lines = [burger('b'), extra('c', 'b')];
    expect(unchanged([twoForOne], lines)).toBe('basket_too_small');
    const { trace } = priceFully(buildBasket(lines), [twoForOne], { ...TOGETHER, trace: true });
    expect(trace?.benefits[0]).toMatchObject({ reason: 'too_few_units', change: '1 more of burger' });
  });

  it('gives a burger and its cheese together', () => {
    const decision = apply([twoForOne], [burger('b1'), extra('c1', 'b1'), burger('b2'), extra('c2', 'b2')]);
    expect(decision.totals.total).toBe(11_500);
    const given = decision.lines.filter(({ orderLinePrice }) => orderLinePrice === 0);
    expect(given.map(({ productId }) => productId)).toEqual(['burger', 'cheese']);
    expect(given[0]).toMatchObject({ lineDiscountType: 'percent', lineDiscountPercent: 100 });
  });

  it('sorts units by their price with what is on them', () => {
    const lines = [burger('b1', 1, { unitPrice: 10_400 }), burger('b2'), extra('c2', 'b2'), extra('c3', 'c2')];
    expect(costs(apply([twoForOne], lines))).toEqual([0, 10_000, 1_500, 1_500]);
  });

  it('gives one of two burgers on a line, with its cheese, as amounts on lines that are not split', () => {
    const decision = apply([twoForOne], [burger('b', 2), extra('c', 'b', { quantity: 2 })]);
    expect(decision.lines).toMatchObject([
      { lineId: 'b', quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 10_000 },
      { lineId: 'c', quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 1_500 },
    ]);
  });

  it('gives the plain one of two burgers of which one has cheese', () => {
    expect(costs(apply([twoForOne], [burger('b', 2), extra('c', 'b')]))).toEqual([10_000, 1_500]);
    expect(costs(apply([twoForOne], [burger('b', 2), extra('c', 'b', { quantity: 3 })]))).toEqual([10_000, 3_000]);
  });

  it('leaves a modifier that may not be discounted, or is left out, at its price', () => {
    const bottle = extra('d', 'b2', { productId: 'deposit', unitPrice: 300, noDiscount: true });
    const lines = [burger('b1', 1, { unitPrice: 12_000 }), burger('b2'), extra('c2', 'b2'), bottle];
    expect(costs(apply([twoForOne], lines))).toEqual([12_000, 0, 0, 300]);
    const exclude = { productIds: ['cheese'] };
    expect(costs(apply([twoForOne], lines, { policies: { modifiers: 'together', exclude } }))).toEqual([
      12_000, 0, 1_500, 300,
    ]);
  });

  it('keeps the larger staff discount of a modifier', () => {
    const offer: BenefitDefinition = { ...twoForOne, get: { appliesTo: burgers, quantity: 1, percent: 50 } };
    const cheese = extra('c2', 'b2', { existingLineDiscountAmount: 1_000 });
    const decision = apply([offer], [burger('b1', 1, { unitPrice: 12_000 }), burger('b2'), cheese]);
    expect(decision.lines[2]).toMatchObject({ existingLineDiscountAmount: 1_000, lineDiscountAmount: 0 });
    expect(costs(decision)).toEqual([12_000, 5_000, 500]);
  });
});

describe('benefits of a line', () => {
  it('takes a percentage off every line of the unit', () => {
    const tenth: BenefitDefinition = { benefitId: 'x', kind: 'line_percent', percent: 10, appliesTo: burgers };
    const { lines } = apply([tenth], [burger('b', 2), extra('c', 'b', { quantity: 3 })]);
    expect(lines).toMatchObject([
      { lineDiscountPercent: 10, lineDiscountAmount: 2_000 },
      { lineDiscountPercent: 10, lineDiscountAmount: 450 },
    ]);
  });

  it('takes an amount off the unit once: off the burger, and off the cheese what the burger does not cost', () => {
    const off = (amount: number): BenefitDefinition => ({
      benefitId: 'x',
      kind: 'line_amount',
      amount,
      per: 'unit',
      appliesTo: burgers,
    });
    const lines = [burger('b', 2), extra('c', 'b', { quantity: 2 })];
    expect(costs(apply([off(500)], lines))).toEqual([19_000, 3_000]);
    expect(costs(apply([off(10_500)], lines))).toEqual([0, 2_000]);
    const once: BenefitDefinition = {
      benefitId: 'x',
      kind: 'line_amount',
      amount: 500,
      per: 'line',
      appliesTo: burgers,
    };
    expect(costs(apply([once], lines))).toEqual([19_500, 3_000]);
  });

  it('sells the burger with all that is on it at a price', () => {
    const at: BenefitDefinition = { benefitId: 'x', kind: 'unit_price', unitPrice: 9_900, appliesTo: burgers };
    const { lines, totals } = apply([at], [burger('b'), extra('c', 'b')]);
    expect(lines).toMatchObject([
      { lineDiscountType: 'amount', lineDiscountAmount: 1_600 },
      { lineDiscountType: 'none' },
    ]);
    expect(totals.total).toBe(9_900);
    expect(apply([at], [burger('b')]).lines).toMatchObject([{ overrideUnitPrice: 9_900 }]);
    // The price is of all that is on the burger, also where only the burger gets cheaper.
    const kept = apply([at], [burger('b'), extra('c', 'b', { noDiscount: true })]);
    expect(kept.lines[0]).toMatchObject({ lineDiscountType: 'amount', lineDiscountAmount: 100 });
  });

  it('counts a menu that costs nothing by itself as a unit of what is in it', () => {
    const menu = buildLine({ lineId: 'm', productId: 'menu', unitPrice: 0 });
    const lines = [menu, extra('c1', 'm', { unitPrice: 9_000 }), extra('c2', 'm', { unitPrice: 3_000 })];
    const appliesTo = { productIds: ['menu'] };
    const at: BenefitDefinition = {
      benefitId: 'x',
      kind: 'unit_price',
      unitPrice: 10_000,
      appliesTo,
      minimumQuantity: 1,
    };
    expect(costs(apply([at], lines))).toEqual([0, 7_000, 3_000]);
    expect(given([at], lines)).toEqual([{ benefitId: 'x', units: 1, saved: 2_000 }]);
    // In a bundle too, of which each unit has one of the two modifiers.
    const two = [{ ...menu, quantity: 2 }, extra('c1', 'm'), extra('c2', 'm', { quantity: 2, unitPrice: 3_000 })];
    const bundle: BenefitDefinition = {
      ...{ benefitId: 'x', kind: 'bundle_price', percent: 10 },
      items: [{ appliesTo, quantity: 2 }],
    };
    expect(given([bundle], two)).toEqual([{ benefitId: 'x', units: 2, saved: 600 }]);
  });

  it('follows the head: where it may not be discounted, nothing of the unit is', () => {
    const tenth: BenefitDefinition = { benefitId: 'x', kind: 'line_percent', percent: 10, appliesTo: burgers };
    expect(unchanged([tenth], [burger('b', 1, { noDiscount: true }), extra('c', 'b')])).toBe('all_lines_excluded');
  });

  it('counts a unit once for limits, whatever is on it', () => {
    const limit = { quantity: 1, period: 'day', counts: 'items' } as const;
    const half: BenefitDefinition = { benefitId: 'x', kind: 'line_percent', percent: 50, appliesTo: burgers, limit };
    const lines = [burger('b1'), extra('c1', 'b1'), burger('b2'), extra('c2', 'b2', { unitPrice: 2_000 })];
    const decision = apply([half], lines);
    expect(costs(decision)).toEqual([10_000, 1_500, 5_000, 1_000]);
    expect(decision.uses).toMatchObject([{ units: 1 }]);
  });

  it('counts heads for a minimum quantity, and all lines for a minimum spend', () => {
    const offer = { benefitId: 'x', kind: 'line_percent', percent: 50, appliesTo: burgers } as const;
    const lines = [burger('b1'), extra('c1', 'b1')];
    expect(unchanged([{ ...offer, minimumQuantity: 2 }], lines)).toBe('basket_too_small');
    expect(costs(apply([{ ...offer, minimumSpend: 11_500 }], lines))).toEqual([5_000, 750]);
  });

  it('has no benefit for a modifier alone', () => {
    const cheese: BenefitDefinition = {
      benefitId: 'x',
      kind: 'line_percent',
      percent: 50,
      appliesTo: { productIds: ['cheese'] },
    };
    expect(unchanged([cheese], [burger('b'), extra('c', 'b')])).toBe('no_applicable_benefits');
    const apart = priceFully(buildBasket([burger('b'), extra('c', 'b')]), [cheese]);
    expect(apart).toMatchObject({ totals: { total: 10_750 } });
  });

  it('proves the best of many burgers beside a discount on everything', () => {
    const lines = Array.from({ length: 30 }, (_, n) => [
      burger(`b${n}`, 1, { unitPrice: 10_000 + 100 * n }),
      extra(`c${n}`, `b${n}`, { unitPrice: 1_000 + 10 * (n % 7) }),
    ]).flat();
    const all: BenefitDefinition = { benefitId: 'all', kind: 'line_percent', percent: 10 };
    const basket = buildBasket(lines);
    const decision = priceFully(basket, [twoForOne, all], { ...TOGETHER, trace: true });
    expectApplied(basket, decision);
  });
});

it.each([{ kind: 'order_percent', percent: 20 } as const, { kind: 'order_amount', amount: 300 } as const])(
  'a discount on the order names a modifier by itself: $kind',
  (own) => {
    const off: BenefitDefinition = { benefitId: 'x', ...own, appliesTo: { productIds: ['cheese'] } };
    expect(costs(apply([off], [burger('b'), extra('c', 'b')]))).toEqual([10_000, 1_200]);
  },
);

describe('bundles', () => {
  const deal: BenefitDefinition = {
    benefitId: 'deal',
    kind: 'bundle_price',
    items: [
      { appliesTo: burgers, quantity: 1 },
      { appliesTo: { productIds: ['soda'] }, quantity: 1 },
    ],
    bundlePrice: 12_000,
  };
  const soda = buildLine({ lineId: 's', productId: 'soda', unitPrice: 3_500 });

  it('sells a burger with its cheese and a soda at the price of the bundle', () => {
    const decision = apply([deal], [burger('b'), extra('c', 'b'), soda]);
    expect(decision.totals.total).toBe(12_000);
    // 30.00 shared by 100.00, 15.00 and 35.00.
    expect(decision.lines.map(({ lineDiscountAmount }) => lineDiscountAmount)).toEqual([2_000, 300, 700]);
  });

  it('leaves the cheese that belongs to no burger to the staff, however much they took off it', () => {
    const cheese = extra('c', 'b', { existingLineDiscountType: 'amount', existingLineDiscountAmount: 1_200 });
    const cheap = buildLine({ lineId: 's', productId: 'soda', unitPrice: 3_000 });
    const decision = apply([deal], [burger('b', 2), cheese, cheap]);
    // A burger and a soda for 120.00 instead of 130.00; the staff's discount is larger than that.
    expect(decision.lines[1]).toMatchObject({ existingLineDiscountAmount: 1_200, orderLinePrice: 300 });
    expect(decision.totals.total).toBe(22_300);
  });
});
