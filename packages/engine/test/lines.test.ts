/** The units of a line as benefits see it. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { type LineFacts, readLines } from '../src/lines/lines.ts';
import { SelectorIndexBuilder } from '../src/lines/selector.ts';
import { buildLine } from './support/basket.ts';

const read = (more: Partial<BasketLine>): LineFacts =>
  readLines([buildLine({ lineId: 'a', ...more })], 'replace_if_larger', undefined)[0]!;

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
