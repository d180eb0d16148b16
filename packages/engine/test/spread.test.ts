import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import type { BenefitDefinition } from '../src/definition.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { choosesOn } from './support/choices.ts';
import { type Circumstances, expectApplied, priceFully } from './support/price.ts';

/** Sets whose units share what is given, so that each line costs what a return of it is worth. */

const twoForOne: BenefitDefinition = {
  benefitId: 'two',
  kind: 'buy_x_get_y',
  buy: { quantity: 1 },
  get: { quantity: 1 },
  spread: true,
};
const threeForTwo: BenefitDefinition = { ...twoForOne, benefitId: 'three', buy: { quantity: 2 } };

const line = (lineId: string, quantity: number, unitPrice: number, more: Partial<BasketLine> = {}) =>
  buildLine({ lineId, quantity, unitPrice, ...more });
const staff = (amount: number) => ({ existingLineDiscountType: 'amount', existingLineDiscountAmount: amount }) as const;

function rows(benefits: BenefitDefinition[], lines: BasketLine[], more?: Circumstances) {
  const basket = buildBasket(lines);
  const { lines: out } = expectApplied(basket, priceFully(basket, benefits, more));
  return out.map((row) => [row.lineId, row.quantity, row.lineDiscountAmount, row.orderLinePrice]);
}

describe('spread', () => {
  it('leaves a line whole whose units are all in the sets', () => {
    expect(rows([threeForTwo], [line('a', 3, 100)])).toEqual([['a', 3, 100, 200]]);
    expect(rows([twoForOne], [line('a', 4, 100)])).toEqual([['a', 4, 200, 200]]);
  });

  it('parts units that are in no set', () => {
    expect(rows([threeForTwo], [line('a', 4, 100)])).toEqual([
      ['split-1-1', 1, 0, 100],
      ['split-1-2', 3, 100, 200],
    ]);
  });

  it('shares by price and largest remainder, over all sets of the offer', () => {
    // 20.00 of 50.00 are given.
    expect(rows([twoForOne], [line('a', 1, 3_000), line('b', 1, 2_000)])).toEqual([
      ['a', 1, 1_200, 1_800],
      ['b', 1, 800, 1_200],
    ]);
    // 100 of 300: a third of each, and the unit left over goes to the first.
    const three = ['a', 'b', 'c'].map((lineId) => line(lineId, 1, 100));
    expect(rows([threeForTwo], three).map(([, , discount]) => discount)).toEqual([34, 33, 33]);
    // 60 and 20 of 220 are given.
    const four = [100, 60, 40, 20].map((price, at) => line(`${at}`, 1, price));
    expect(rows([twoForOne], four).map(([, , discount]) => discount)).toEqual([36, 22, 15, 7]);
  });

  it('shows amounts, counts the units given, and tells which were bought', () => {
    const limit = { quantity: 5, period: 'day', counts: 'items' } as const;
    const basket = buildBasket([line('a', 2, 100), line('b', 1, 50)]);
    const decision = expectApplied(basket, priceFully(basket, [{ ...threeForTwo, limit }], { trace: true }));
    expect(decision.lines[0]).toMatchObject({ lineDiscountType: 'amount', lineDiscountAmount: 40 });
    expect(decision.lines[0]?.lineDiscountPercent).toBeUndefined();
    expect(decision.uses).toMatchObject([{ benefitId: 'three', units: 1 }]);
    expect(decision.trace!.bought).toEqual([{ lineId: 'a', benefitId: 'three', units: 2 }]);
    expect(decision.trace!.changes).toEqual([
      { lineId: 'a', benefitId: 'three', rule: 'line_discount', amount: -40 },
      { lineId: 'b', benefitId: 'three', rule: 'line_discount', amount: -10 },
    ]);
  });

  it('gives no share to a bought unit that may take none', () => {
    const protectedLine = line('b', 2, 100, { noPercentageDiscount: true });
    const apart: BenefitDefinition = {
      ...twoForOne,
      buy: { quantity: 1, appliesTo: { productIds: ['p'] } },
      get: { quantity: 1, appliesTo: { productIds: ['q'] } },
    };
    const sold = [{ ...protectedLine, productId: 'p' }, line('a', 1, 60, { productId: 'q' })];
    expect(rows([apart], sold)).toEqual([
      ['b', 2, 0, 200],
      ['a', 1, 60, 0],
    ]);
  });

  it('leaves the staff discount of a bought unit, or comes on top of it', () => {
    const sold = [line('a', 1, 100, staff(30)), line('b', 1, 80)];
    expect(rows([twoForOne], sold)).toEqual([
      ['a', 1, 0, 70],
      ['b', 1, 80, 0],
    ]);
    const policies = { existingLineDiscounts: 'stack' } as const;
    // 80 of 180.
    expect(rows([twoForOne], sold, { policies })).toEqual([
      ['a', 1, 44, 26],
      ['b', 1, 36, 44],
    ]);
  });

  it('clears the staff discount of a given unit for a discount of a minor unit at least', () => {
    const sold = [line('a', 1, 1_000), line('b', 1, 3, staff(1))];
    expect(rows([twoForOne], sold)).toEqual([
      ['a', 1, 2, 998],
      ['b', 1, 1, 2],
    ]);
  });

  it('moves no minor unit where a cleared staff discount has its share, or where there was none', () => {
    // 500 of 1,500, and 3 of 1,003.
    expect(rows([twoForOne], [line('a', 1, 1_000), line('b', 1, 500, staff(100))])).toEqual([
      ['a', 1, 333, 667],
      ['b', 1, 167, 333],
    ]);
    expect(rows([twoForOne], [line('a', 1, 1_000), line('b', 1, 3)])).toEqual([
      ['a', 1, 3, 997],
      ['b', 1, 0, 3],
    ]);
  });

  it('joins bought and given units of a line whose staff discounts stay', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 30 }];
    const basket = buildBasket([line('a', 3, 100, { ...staff(30), orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 30 }],
    });
    const policies = { existingLineDiscounts: 'stack' } as const;
    // Of the given unit 80 are left to give.
    expect(expectApplied(basket, priceFully(basket, [threeForTwo], { policies })).lines).toMatchObject([
      { lineId: 'a', quantity: 3, existingLineDiscountAmount: 30, lineDiscountAmount: 80, orderLinePrice: 160 },
    ]);
  });

  it('adds up what is known of the bought and the given units of a line', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 40 }];
    const basket = buildBasket([line('a', 4, 100, { ...staff(40), orderDiscountAllocation })], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 40 }],
    });
    const policies = { existingLineDiscounts: 'stack' } as const;
    const limit = { quantity: 3, period: 'day', counts: 'items' } as const;
    const decision = expectApplied(basket, priceFully(basket, [{ ...threeForTwo, limit }], { policies }));
    expect(decision.lines).toMatchObject([
      {
        quantity: 1,
        originalLinePrice: 100,
        existingLineDiscountAmount: 10,
        lineDiscountAmount: 0,
        orderLinePrice: 80,
      },
      {
        ...{ quantity: 3, originalLinePrice: 300, existingLineDiscountAmount: 30, lineDiscountAmount: 80 },
        ...{ orderLinePrice: 160, orderDiscountAllocation: [{ orderDiscountAllocationAmount: 30 }] },
      },
    ]);
    expect(decision.uses).toMatchObject([{ units: 1 }]);
  });

  it('has parts that cost their price less all that is taken off them', () => {
    const orderDiscountAllocation = [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 40 }];
    const basket = buildBasket([line('a', 4, 100, { ...staff(40), orderDiscountAllocation })]);
    const judge = choosesOn(basket, [threeForTwo], { existingLineDiscounts: 'stack' });
    const judged = judge({ a: { bought: { three: 2 }, taken: { three: 1 } } });
    expect(
      judged.isPermitted &&
        judged.parts.map((part) => [part.original, part.existing, part.allocated, part.effect, part.rest]),
    ).toEqual([
      [100, 10, 10, 0, 80],
      [300, 30, 30, 80, 160],
    ]);
  });

  it('takes the minor unit for a cleared staff discount from the largest share', () => {
    const given = line('b', 1, 3, staff(1));
    expect(rows([threeForTwo], [line('a', 1, 1_000), line('x', 1, 500), given]).map(([, , share]) => share)).toEqual([
      1, 1, 1,
    ]);
    expect(rows([threeForTwo], [line('x', 1, 500), line('a', 1, 1_000), given]).map(([, , share]) => share)).toEqual([
      1, 1, 1,
    ]);
  });

  it('takes the minor unit for a cleared staff discount from a unit that loses no staff discount by it', () => {
    const free: BenefitDefinition = {
      ...twoForOne,
      buy: { quantity: 3, appliesTo: { productIds: ['bought'] } },
      get: { quantity: 2, appliesTo: { productIds: ['free'] } },
    };
    const bought = ['x', 'y', 'z'].map((lineId) => line(lineId, 1, 2, { productId: 'bought' }));
    const [first, last] = ['a', 'c'].map((lineId) => line(lineId, 1, 2, { productId: 'free', ...staff(1) }));
    // 4 minor units for five lines of the same price: the last one has none left, and the first one needs its own.
    expect(rows([free], [first!, ...bought, last!])).toEqual([
      ['a', 1, 1, 1],
      ['x', 1, 0, 2],
      ['y', 1, 1, 1],
      ['z', 1, 1, 1],
      ['c', 1, 1, 1],
    ]);
    const [x, ...others] = bought;
    expect(rows([free], [x!, first!, ...others, last!])).toEqual([
      ['x', 1, 0, 2],
      ['a', 1, 1, 1],
      ['y', 1, 1, 1],
      ['z', 1, 1, 1],
      ['c', 1, 1, 1],
    ]);
  });

  it('leaves the staff discount of a given unit for which a cap has nothing left', () => {
    const capped: BenefitDefinition = { ...twoForOne, maximumDiscount: 1 };
    const sold = [line('a', 2, 100), line('b', 1, 100), line('c', 1, 90, staff(5))];
    const judged = choosesOn(buildBasket(sold), [capped])({
      a: { bought: { two: 1 }, taken: { two: 1 } },
      b: { bought: { two: 1 } },
      c: { taken: { two: 1 } },
    });
    // The one goes to the larger of the given units, and then to the larger part of the set where no staff discount stays.
    expect(
      judged.isPermitted && judged.parts.map((part) => [part.line.line.lineId, part.effect, part.isCleared]),
    ).toEqual([
      ['a', 1, true],
      ['b', 0, false],
      ['c', 0, false],
    ]);
  });

  it('never takes more off a line than it still costs', () => {
    const allocation = (amount: number) => ({
      orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: amount }],
    });
    const basket = buildBasket([line('a', 1, 100, allocation(95)), line('b', 1, 80, allocation(0))], {
      orderDiscounts: [{ orderDiscountId: 'staff', type: 'amount', amount: 95 }],
    });
    const { lines } = expectApplied(basket, priceFully(basket, [twoForOne]));
    expect(lines.map(({ lineDiscountAmount }) => lineDiscountAmount)).toEqual([5, 75]);
  });

  it('shares what a cap has left of it', () => {
    expect(rows([{ ...twoForOne, maximumDiscount: 50 }], [line('a', 1, 100), line('b', 1, 100)])).toEqual([
      ['a', 1, 25, 75],
      ['b', 1, 25, 75],
    ]);
  });

  it('takes a line with others below it as a whole', () => {
    const sold = [line('a', 3, 100), line('b', 1, 10, { parentLineId: 'a', noDiscount: true })];
    expect(rows([twoForOne], sold)[0]).toEqual(['a', 3, 100, 200]);
  });

  it('keeps units for which another benefit is better out of the sets', () => {
    const half: BenefitDefinition = { benefitId: 'half', kind: 'line_percent', percent: 60 };
    expect(rows([twoForOne, half], [line('a', 1, 100), line('b', 1, 100)])).toEqual([
      ['a', 1, 60, 40],
      ['b', 1, 60, 40],
    ]);
  });

  it('shares what the cheapest units are given for', () => {
    const cheapest: BenefitDefinition = { ...threeForTwo, pick: 'cheapest' };
    expect(rows([cheapest], [line('a', 2, 100), line('b', 1, 40)])).toEqual([
      ['a', 2, 33, 167],
      ['b', 1, 7, 33],
    ]);
  });

  it('is weighed where an order discount takes some of the lines', () => {
    const order: BenefitDefinition = {
      benefitId: 'order',
      kind: 'order_percent',
      percent: 50,
      appliesTo: { productIds: ['p'] },
    };
    const sold = [line('a', 1, 100, { productId: 'p' }), line('b', 1, 100, { productId: 'q' })];
    // 50 of each are given, and half of what a still costs.
    expect(rows([twoForOne, order], sold).map(([, , , price]) => price)).toEqual([25, 50]);
  });
});
