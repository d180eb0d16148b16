/** References within a basket that the vectors do not hold: chains and circles of parents, and entries behind the first. */
import { describe, expect, it } from 'vitest';
import { buildBasket, buildLine } from '../../../engine/test/support/basket.ts';
import { findRequestFaults } from '../../src/basket/identities.ts';
import type { BasketLine, BasketRequest } from '../../src/basket-request.ts';

const withParent = (lineId: string, parentLineId?: string): BasketLine =>
  buildLine({ lineId, ...(parentLineId !== undefined && { parentLineId }) });
const referenceOf = (basket: BasketRequest) => findRequestFaults(basket).reference;
const faultOf = (...lines: BasketLine[]) => referenceOf(buildBasket(lines));
const circleAt = (index: number) => ({
  field: `/lines/${index}/parentLineId`,
  expected: 'no circle of parents',
  received: 'a circle',
});

describe('parents', () => {
  it('are none where the field is empty, from callers that send every field', () => {
    expect(faultOf(withParent('a', ''), withParent('b', 'a'), withParent('c', ''))).toBeUndefined();
  });

  it('may form a chain of all the lines', () => {
    const downwards = [withParent('a'), withParent('b', 'a'), withParent('c', 'b'), withParent('d', 'c')];
    expect(faultOf(...downwards)).toBeUndefined();
    expect(faultOf(...downwards.reverse())).toBeUndefined();
    expect(faultOf(withParent('a', 'b'), withParent('b'))).toBeUndefined();
  });

  it('form no circle, of however many lines', () => {
    expect(faultOf(withParent('a', 'a'))).toEqual(circleAt(0));
    expect(faultOf(withParent('a'), withParent('b', 'c'), withParent('c', 'b'))).toEqual(circleAt(1));
    expect(faultOf(withParent('a', 'c'), withParent('b', 'a'), withParent('c', 'b'))).toEqual(circleAt(0));
  });

  it('lead from no line into a circle of others', () => {
    expect(faultOf(withParent('a'), withParent('b', 'c'), withParent('c', 'd'), withParent('d', 'c'))).toEqual(
      circleAt(1),
    );
  });
});

describe('an order discount', () => {
  const staff = { orderDiscountId: 'staff', type: 'amount', amount: 1 } as const;
  const other = { ...staff, orderDiscountId: 'other' };
  const share = (orderDiscountId: string) => ({ orderDiscountId, orderDiscountAllocationAmount: 1 });

  it('is named once', () => {
    const faultOfDiscounts = (...orderDiscounts: (typeof staff | typeof other)[]) =>
      referenceOf(buildBasket([withParent('a')], { orderDiscounts }));
    expect(faultOfDiscounts(staff, other)).toBeUndefined();
    expect(faultOfDiscounts(staff, other, staff)).toEqual({
      field: '/orderDiscounts/2/orderDiscountId',
      expected: 'an ID used once',
      received: 'one used before',
    });
  });

  it('is there for every share, also the last of a line', () => {
    const line = buildLine({ lineId: 'b', orderDiscountAllocation: [share('staff'), share('none')] });
    expect(referenceOf(buildBasket([withParent('a'), line], { orderDiscounts: [staff] }))).toEqual({
      field: '/lines/1/orderDiscountAllocation/1/orderDiscountId',
      expected: 'an orderDiscountId of orderDiscounts',
      received: 'an unknown one',
    });
  });
});
