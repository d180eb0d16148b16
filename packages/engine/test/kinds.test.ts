/** What the worked examples do not show: edges of each kind. Every applied decision is checked for every identity. */
import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket } from './support/basket.ts';
import { allocated, line, staff } from './support/choices.ts';
import { applyTo, expectApplied, priceFully } from './support/price.ts';
import { on, percent } from './support/told.ts';

const benefit = (more: object) => ({ benefitId: 'b', ...more }) as BenefitDefinition;
const staffed = (...amounts: number[]) => ({
  orderDiscounts: amounts.map((amount, at) => ({ orderDiscountId: `staff-${at}`, type: 'amount' as const, amount })),
});

describe('unit_price', () => {
  const cheap = benefit({ kind: 'unit_price', unitPrice: 1_000 });

  it('is exact on weighed goods', () => {
    const [weighed] = applyTo([line('a', 0.345, 1_999)], [cheap]).lines;
    expect(weighed).toMatchObject({ overrideUnitPrice: 1_000, originalLinePrice: 690, orderLinePrice: 345 });
  });

  it('is an amount where a cap or a staff discount leaves only a part of it', () => {
    const capped = { ...cheap, unitPrice: 2_900, maximumDiscount: 1_500 } as BenefitDefinition;
    const [part] = applyTo([line('a', 2, 3_900)], [capped]).lines;
    expect(part).toMatchObject({ quantity: 2, lineDiscountType: 'amount', lineDiscountAmount: 1_500 });
    expect(part).toMatchObject({ orderLinePrice: 6_300, overrideUnitPrice: undefined });
    const basket = buildBasket([line('a', 1, 2_000, allocated(1_500))], staffed(1_500));
    expect(expectApplied(basket, priceFully(basket, [cheap])).lines).toMatchObject([
      { lineDiscountType: 'amount', lineDiscountAmount: 500, orderLinePrice: 0 },
    ]);
  });
});

describe('buy_x_get_y', () => {
  const third = benefit({
    kind: 'buy_x_get_y',
    buy: { quantity: 2, ...on('a', 'c') },
    get: { quantity: 1, ...on('a', 'c') },
  });

  it('leaves units that take no part to other benefits, beside bought ones of the same line', () => {
    const decision = applyTo([line('a', 5, 1_000), line('c', 2, 800)], [third, percent('ten', 10)]);
    // Two sets of six units give one of each line; the seventh, of the dearer ones, keeps its 10 %.
    expect(decision.totals.total).toBe(5_000 + 1_600 - 1_000 - 800 - 100);
    const { trace } = applyTo([line('a', 4, 1_000)], [third, percent('ten', 10)], { trace: true });
    expect(trace!.bought).toEqual([{ lineId: 'split-1-2', benefitId: 'b', units: 2 }]);
  });

  it('shows an amount on a line that cannot be split, because other lines hang on it', () => {
    const { lines } = applyTo([line('a', 3, 1_000), line('m', 3, 300, { parentLineId: 'a' })], [third]);
    expect(lines.map(({ lineId }) => lineId)).toEqual(['a', 'm']);
    expect(lines[0]).toMatchObject({ quantity: 3, lineDiscountType: 'amount', lineDiscountAmount: 1_000 });
  });
});

describe('a set that spreads', () => {
  const twoForOne = benefit({ kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 1 }, spread: true });
  const threeForTwo = { ...twoForOne, buy: { quantity: 2 } } as BenefitDefinition;
  const off = (lines: BasketLine[], set: BenefitDefinition) =>
    applyTo(lines, [set]).lines.map(({ lineId, lineDiscountAmount }) => `${lineId} ${lineDiscountAmount}`);

  it('shows amounts, counts the units given, and tells which were bought', () => {
    const limited = { ...threeForTwo, limit: { quantity: 5, period: 'day', counts: 'items' } } as BenefitDefinition;
    const { lines, uses, trace } = applyTo([line('a', 2, 100), line('b', 1, 50)], [limited], { trace: true });
    expect(lines[0]).toMatchObject({ lineDiscountType: 'amount', lineDiscountAmount: 40 });
    expect(lines[0]?.lineDiscountPercent).toBeUndefined();
    expect(uses).toMatchObject([{ benefitId: 'b', units: 1 }]);
    expect(trace!.bought).toEqual([{ lineId: 'a', benefitId: 'b', units: 2 }]);
    expect(trace!.changes).toEqual([
      { lineId: 'a', benefitId: 'b', rule: 'line_discount', amount: -40 },
      { lineId: 'b', benefitId: 'b', rule: 'line_discount', amount: -10 },
    ]);
  });

  it('clears the staff discount of a given unit for a discount of a minor unit at least', () => {
    expect(off([line('a', 1, 1_000), line('b', 1, 3, staff(1))], twoForOne)).toEqual(['a 2', 'b 1']);
  });

  it('takes the minor unit for a cleared staff discount from a unit that loses no staff discount by it', () => {
    const bought = (lineId: string) => line(lineId, 1, 2, { productId: 'bought' });
    const free = (lineId: string) => line(lineId, 1, 2, { productId: 'free', ...staff(1) });
    const five = { ...twoForOne, buy: { quantity: 3, ...on('bought') }, get: { quantity: 2, ...on('free') } };
    const lines = [free('a'), bought('x'), bought('y'), bought('z'), free('c')];
    // 4 minor units for five lines of the same price: the last one has none left, and the first one needs its own.
    expect(off(lines, five as BenefitDefinition)).toEqual(['a 1', 'x 0', 'y 1', 'z 1', 'c 1']);
  });

  it('joins bought and given units of a line whose staff discounts stay', () => {
    const basket = buildBasket([line('a', 3, 100, { ...staff(30), ...allocated(30) })], staffed(30));
    const policies = { existingLineDiscounts: 'stack' } as const;
    // Of the given unit 80 are left to give.
    expect(expectApplied(basket, priceFully(basket, [threeForTwo], { policies })).lines).toMatchObject([
      { lineId: 'a', quantity: 3, existingLineDiscountAmount: 30, lineDiscountAmount: 80, orderLinePrice: 160 },
    ]);
  });
});

it('a discount on the order shows a cut percentage as an amount, and skips protected lines', () => {
  const protectedOnes = [
    line('b', 1, 1_000, { noDiscount: true }),
    line('c', 1, 1_000, { noPercentageDiscount: true }),
  ];
  const capped = benefit({ kind: 'order_percent', percent: 50, maximumDiscount: 300 });
  const { orderDiscounts, lines } = applyTo([line('a', 1, 1_000), ...protectedOnes], [capped]);
  expect(orderDiscounts).toMatchObject([{ type: 'amount', amount: 300 }]);
  expect(lines.map(({ orderLinePrice }) => orderLinePrice)).toEqual([700, 1_000, 1_000]);
});

describe('a maximum discount', () => {
  const off = (lines: BasketLine[], own: number, maximumDiscount: number) => {
    const capped = percent('half', own, { maximumDiscount });
    const cheaper = applyTo(lines, [capped]).lines;
    return Object.fromEntries(cheaper.map(({ lineId, lineDiscountAmount }) => [lineId, lineDiscountAmount]));
  };

  it('is shared over all lines in proportion, whatever their places in the basket', () => {
    const sold = [line('a', 1, 12_000), line('b', 1, 23_000), line('c', 1, 30_000)];
    const shares = { a: 923, b: 1_769, c: 2_308 };
    expect([off(sold, 15, 5_000), off(sold.toReversed(), 15, 5_000)]).toEqual([shares, shares]);
  });

  it('is shared with every line where it is a minor unit for each, and with fewer where it is less', () => {
    const shares = [3, 2, 1].map((most) => Object.values(off([line('a', 1, 2_000), line('b', 1, 2_000)], 50, most)));
    expect(shares.map((own) => own.toSorted())).toEqual([
      [1, 2],
      [1, 1],
      [0, 1],
    ]);
  });
});

describe('what the staff gave', () => {
  const bundle = (bundlePrice: number) => benefit({ kind: 'bundle_price', items: [{ quantity: 2 }], bundlePrice });
  const [a, b] = ['a', 'b'].map((lineId) => line(lineId, 1, 1_000, staff(100)));

  it.each([
    ['on a line', buildBasket([a!]), (more: number) => percent('b', 10 + more)],
    ['on two lines of a bundle', buildBasket([a!, b!]), (more: number) => bundle(1_800 - more)],
    [
      'on the order',
      buildBasket([line('a', 1, 1_000, allocated(100))], staffed(100)),
      (more: number) => benefit({ kind: 'order_percent', percent: 10 + more }),
    ],
  ])('%s stays where a benefit takes off as much, and goes where it takes off more', (_, basket, of) => {
    const policies = { existingOrderDiscounts: 'replace_if_larger' } as const;
    expect(priceFully(basket, [of(0)], { policies })).toMatchObject({ status: 'unchanged' });
    const { totals } = expectApplied(basket, priceFully(basket, [of(1)], { policies }));
    expect(totals.total).toBeLessThan(basket.totals.total);
  });

  it('and stays has a percentage of the rest shown as an amount (`existingLineDiscounts: stack`)', () => {
    const policies = { existingLineDiscounts: 'stack' } as const;
    const lines = [line('a', 2, 10_000, staff(12_000)), line('c', 1, 1_000)];
    expect(applyTo(lines, [percent('b', 50)], { policies }).lines).toMatchObject([
      { lineDiscountType: 'amount', lineDiscountAmount: 4_000 },
      { lineDiscountType: 'percent', lineDiscountAmount: 500 },
    ]);
  });
});

it('who bears the cost of a benefit changes no byte of an answer', () => {
  const benefits = [percent('b', 10), benefit({ benefitId: 'o', kind: 'order_percent', percent: 5, text: 'Five' })];
  const answerOf = (own: BenefitDefinition[]) => JSON.stringify(applyTo([line('a', 3, 1_000)], own, { trace: true }));
  const funded = answerOf(benefits.map((own) => ({ ...own, fundedBy: 'Roasters' })));
  expect(funded).toBe(answerOf(benefits));
  expect(funded).not.toContain('Roasters');
});
