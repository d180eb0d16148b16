/** A line as benefits see it: its units, what may be taken off it, and what an amount for each unit comes to. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import {
  type ExistingLineDiscounts,
  type LineFacts,
  perUnit,
  perUnitOf,
  readLines,
  timesUnits,
} from '../src/lines/lines.ts';
import { SelectorIndexBuilder } from '../src/lines/selector.ts';
import { buildLine } from './support/basket.ts';
import { allocated, staff } from './support/choices.ts';

const read = (more: Partial<BasketLine>, policy: ExistingLineDiscounts = 'replace_if_larger'): LineFacts =>
  readLines([buildLine({ lineId: 'a', ...more })], policy, undefined)[0]!;

describe('the units of a line', () => {
  it.each<[string, Partial<BasketLine>, object]>([
    ['are its whole quantity', { quantity: 3 }, { units: 3, isWeighed: false, unitPrice: 1_000, isSplittable: true }],
    ['are one that is never split', { quantity: 1 }, { units: 1, isWeighed: false, isSplittable: false }],
    [
      'are one where it is weighed',
      { quantity: 0.5 },
      { units: 1, isWeighed: true, unitPrice: 500, isSplittable: false },
    ],
    ['are a million at most', { quantity: 1_000_000, unitPrice: 1 }, { units: 1_000_000, isWeighed: false }],
    ['are one beyond that', { quantity: 1_000_001, unitPrice: 1 }, { units: 1, isWeighed: true, unitPrice: 1_000_001 }],
  ])('%s', (_case, more, facts) => {
    expect(read(more)).toMatchObject(facts);
  });

  it('are one of goods that the programme says are weighed, and are not split below another line', () => {
    const weighed = new SelectorIndexBuilder().select({ productIds: ['cheese'] });
    const lines = [
      buildLine({ lineId: 'a', productId: 'cheese', quantity: 2 }),
      buildLine({ lineId: 'b', quantity: 2 }),
      buildLine({ lineId: 'c', quantity: 2, parentLineId: 'b' }),
    ];
    const facts = readLines(lines, 'keep', weighed);
    expect(facts.map(({ units, unitPrice, isSplittable }) => [units, unitPrice, isSplittable])).toEqual([
      [1, 2_000, false],
      [2, 1_000, false],
      [2, 1_000, true],
    ]);
    expect(facts.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe('what may be taken off a line', () => {
  const order = allocated(30, 20);

  it.each<[string, Partial<BasketLine>, ExistingLineDiscounts, object]>([
    ['is its price', {}, 'keep', { room: 1_000, incoming: 1_000, isOpen: true, isOpenToLineBenefits: true }],
    ['is nothing where it costs nothing', { unitPrice: 0 }, 'keep', { isOpen: false, isOpenToLineBenefits: false }],
    ['is nothing of one without discounts', { noDiscount: true }, 'stack', { isOpen: false, isOpenToShares: false }],
    [
      'is less by the order discounts of the staff',
      { ...staff(100), ...order },
      'replace_if_larger',
      { room: 950, incoming: 850, allocated: 50, isOpenToLineBenefits: true, isOpenToShares: false },
    ],
    [
      'is less by all that the staff gave where it stays below',
      { ...staff(100), ...order },
      'stack',
      { room: 850, incoming: 850, isOpenToLineBenefits: true, isOpenToShares: true },
    ],
    ['is nothing where a discount is kept', staff(1), 'keep', { isOpen: true, isOpenToLineBenefits: false }],
    [
      'is no percentage of some',
      { noPercentageDiscount: true },
      'stack',
      { isOpenToPercentages: false, isOpenToShares: false },
    ],
    ['is a share of sets', {}, 'keep', { isOpenToPercentages: true, isOpenToShares: true }],
  ])('%s', (_case, more, policy, facts) => {
    expect(read(more, policy)).toMatchObject(facts);
  });

  it('is more where order discounts or all that the staff gave are given up', () => {
    const of = (more: Partial<BasketLine>, removed?: string[], givesUp?: boolean) => {
      const own = buildLine({ lineId: 'a', ...staff(100), ...order, ...more });
      const [line] = readLines([own], 'stack', undefined, removed && new Set(removed), givesUp);
      return [line!.existing, line!.givenUp, line!.allocated, line!.room, line!.incoming];
    };
    expect(of({})).toEqual([100, 0, 50, 850, 850]);
    expect(of({}, ['staff-1'])).toEqual([100, 0, 30, 870, 870]);
    expect(of({}, ['staff-0', 'staff-1'], true)).toEqual([0, 100, 0, 1_000, 1_000]);
    expect(of({ noDiscount: true }, [], true)).toEqual([100, 0, 50, 850, 850]);
  });
});

describe('an amount for each unit', () => {
  const pieces = read({ quantity: 3 });
  /** 1.5 kg at 10.00 a kilogram. */
  const kilos = read({ quantity: 1.5 });

  it('is at most what the units cost', () => {
    expect([100, 1_000, 1_001].map((amount) => perUnit(pieces, amount, 2))).toEqual([200, 2_000, 2_000]);
    expect([100, 1_000, 1_001].map((amount) => perUnit(kilos, amount, 1))).toEqual([150, 1_500, 1_500]);
    expect(timesUnits(pieces, 400, 2, 700)).toBe(700);
    expect(timesUnits(pieces, Number.MAX_SAFE_INTEGER, 3, 700)).toBe(700);
    expect([699, 700, 701].map((most) => timesUnits(kilos, 467, 1, most))).toEqual([699, 700, 701]);
    expect(timesUnits(kilos, 467, 1, 702)).toBe(701);
  });

  it('takes so many units of a line with each unit above it', () => {
    expect([1, 2, 3, 4].map((units) => perUnitOf(pieces, units))).toEqual([3, 1, 1, 0]);
    expect([1, 2].map((units) => perUnitOf(kilos, units))).toEqual([1, 0]);
  });
});
