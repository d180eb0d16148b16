/** References within a basket: IDs used once, allocations to known order discounts, parents that are lines and no circle. */
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
  it('are lines of the basket, before or after their own', () => {
    expect(faultOf(withParent('a', 'b'), withParent('b'), withParent('c', 'b'))).toBeUndefined();
    expect(faultOf(withParent('a'), withParent('b', 'of another basket'))).toEqual({
      field: '/lines/1/parentLineId',
      expected: 'a lineId of the basket',
      received: 'an unknown one',
    });
  });

  it('are none where the field is empty, from callers that send every field', () => {
    expect(faultOf(withParent('a', ''), withParent('b', 'a'), withParent('c', ''))).toBeUndefined();
  });

  it('may form a chain of all the lines', () => {
    const downwards = [withParent('a'), withParent('b', 'a'), withParent('c', 'b'), withParent('d', 'c')];
    expect(faultOf(...downwards)).toBeUndefined();
    expect(faultOf(...downwards.reverse())).toBeUndefined();
    expect(faultOf(withParent('a', 'b'), withParent('b'))).toBeUndefined();
  });

  it('may be shared by lines, some of them through others', () => {
    expect(faultOf(withParent('a'), withParent('b', 'a'), withParent('c', 'a'), withParent('d', 'c'))).toBeUndefined();
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

describe('IDs', () => {
  const again = (field: string) => ({ field, expected: 'an ID used once', received: 'one used before' });

  it('name one line each', () => {
    expect(faultOf(withParent('a'), withParent('b'), withParent('a'))).toEqual(again('/lines/2/lineId'));
  });

  it('name one order discount each', () => {
    const discount = { orderDiscountId: 'staff', type: 'amount', amount: 1 } as const;
    const other = { ...discount, orderDiscountId: 'other' };
    expect(referenceOf(buildBasket([withParent('a')], { orderDiscounts: [discount, other] }))).toBeUndefined();
    expect(referenceOf(buildBasket([withParent('a')], { orderDiscounts: [discount, other, discount] }))).toEqual(
      again('/orderDiscounts/2/orderDiscountId'),
    );
  });

  it('name another calculation to supersede than this one', () => {
    const basket = buildBasket([withParent('a')]);
    const { calculationId } = basket;
    expect(referenceOf({ ...basket, supersedesCalculationId: calculationId })).toEqual({
      field: '/supersedesCalculationId',
      expected: 'another calculation than this one',
      received: 'this one',
    });
    const other = '00000000-0000-4000-8000-000000000002';
    expect(referenceOf({ ...basket, supersedesCalculationId: other })).toBeUndefined();
  });
});

describe('allocations', () => {
  const allocated = (...orderDiscountIds: string[]) =>
    buildLine({
      lineId: orderDiscountIds.join(),
      orderDiscountAllocation: orderDiscountIds.map((orderDiscountId) => ({
        orderDiscountId,
        orderDiscountAllocationAmount: 1,
      })),
    });
  const orderDiscounts = [{ orderDiscountId: 'staff', type: 'amount', amount: 1 } as const];
  const allocationFault = (...lines: BasketLine[]) => referenceOf(buildBasket(lines, { orderDiscounts }));
  const unknownAt = (place: string) => ({
    field: `/lines/${place}/orderDiscountId`,
    expected: 'an orderDiscountId of orderDiscounts',
    received: 'an unknown one',
  });

  it('are of order discounts of the basket', () => {
    expect(allocationFault(allocated('staff'), withParent('b'))).toBeUndefined();
  });

  it('are reported where they name none, also as the first of a line', () => {
    expect(allocationFault(allocated('none'))).toEqual(unknownAt('0/orderDiscountAllocation/0'));
    expect(allocationFault(withParent('b'), allocated('staff', 'none'))).toEqual(
      unknownAt('1/orderDiscountAllocation/1'),
    );
  });
});
