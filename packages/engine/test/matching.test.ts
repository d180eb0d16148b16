/** Which lines a selector names, in baskets of more lines than a word has bits; and the lines that are one unit. */

import type { BasketLine } from '@loyalty/contract/basket-request';
import { describe, expect, it } from 'vitest';
import { matchedLines, matchLines, nameSameLines, namesALine, setKey } from '../src/lines/matching.ts';
import { type SelectorDefinition, type SelectorIndex, SelectorIndexBuilder } from '../src/lines/selector.ts';
import { Work } from '../src/work.ts';
import { buildLine } from './support/basket.ts';

/** Every fourth line is coffee; every third one has an EAN. */
const DRINKS = ['coffee', 'tea', 'juice', 'water'];
const lineAt = (i: number): BasketLine =>
  buildLine({
    lineId: `l${i}`,
    productId: `${DRINKS[i % 4]}-${i % 8 < 4 ? 's' : 'l'}`,
    productGroupId: DRINKS[i % 4]!,
    ...(i % 3 === 0 && { ean: '7' }),
    ...(i % 5 === 0 && { productMasterId: 'hot' }),
  });

const SELECTORS: readonly [SelectorDefinition, (i: number) => boolean][] = [
  [{}, () => true],
  [{ productGroupIds: ['coffee'] }, (i) => i % 4 === 0],
  [{ productIds: ['coffee-s'] }, (i) => i % 8 === 0],
  [{ productIds: ['coffee-s', 'tea-l'], eans: ['7'] }, (i) => i % 8 === 0 || i % 8 === 5 || i % 3 === 0],
  [
    { productMasterIds: ['hot'], excludeProductGroupIds: ['tea', 'juice'] },
    (i) => i % 5 === 0 && ![1, 2].includes(i % 4),
  ],
  [{ excludeProductIds: ['water-l'] }, (i) => i % 8 !== 7],
  [{ excludeEans: ['7'], excludeProductMasterIds: ['hot'] }, (i) => i % 3 !== 0 && i % 5 !== 0],
  [{ productGroupIds: ['coffee'], excludeProductGroupIds: ['coffee'] }, () => false],
  [{ eans: ['8'] }, () => false],
  [{ eans: [] }, () => false],
];

const OF_ONE = { ordinal: 0, isPercentage: false, isOfUnits: false };

function indexed(more: Partial<Pick<SelectorIndex, 'joinsModifiers' | 'outside'>> = {}, isOfUnits = false) {
  const builder = new SelectorIndexBuilder();
  const selectors = SELECTORS.map(([definition]) => builder.add(definition, { ...OF_ONE, isOfUnits }));
  return {
    selectors,
    index: builder.build({ joinsModifiers: false, outside: undefined, weighed: undefined, ...more }),
  };
}

const water = new SelectorIndexBuilder().select({ productGroupIds: ['water'] });
const JOINED = { joinsModifiers: true };

describe('a selector names lines', () => {
  it.each([1, 31, 32, 33, 63, 64, 65, 100])('in a basket of %i', (length) => {
    const lines = Array.from({ length }, (_, i) => lineAt(i));
    for (const outside of [undefined, water]) {
      const { selectors, index } = indexed({ outside });
      const matches = matchLines(index, lines, new Work(1_000_000));
      const expected = SELECTORS.map(([, isNamed]) =>
        [...lines.keys()].filter((i) => isNamed(i) && !(outside && i % 4 === 3)),
      );
      expect(selectors.map((selector) => matchedLines(matches, selector))).toEqual(expected);
      expect(selectors.map((selector) => namesALine(matches, selector))).toEqual(expected.map((own) => own.length > 0));
      for (const [at, a] of selectors.entries()) {
        const isSame = selectors.map((_, other) => expected[at]!.join() === expected[other]!.join());
        expect(selectors.map((b) => nameSameLines(matches, a, b))).toEqual(isSame);
        expect(selectors.map((b) => setKey(matches, a) === setKey(matches, b))).toEqual(isSame);
      }
      const listed = new Set(matches.named);
      // The first one names everything; those with nothing but exclusions may name a line of any basket.
      expect(listed.has(0)).toBe(false);
      for (const [id, own] of expected.entries()) if (id > 0 && own.length > 0) expect(listed.has(id)).toBe(true);
      expect(matches.modified).toBeUndefined();
    }
  });

  it.each<[SelectorDefinition, string]>([
    [{}, 'any product'],
    [{ excludeEans: ['7'] }, 'any product'],
    [{ productIds: ['a'], productGroupIds: ['g'], productMasterIds: ['m'], eans: ['7'] }, 'g or a or m or 7'],
  ])('and says which: %j', (definition, description) => {
    const { description: own, namesEverything } = new SelectorIndexBuilder().add(definition, OF_ONE);
    expect([own, namesEverything]).toEqual([description, Object.keys(definition).length === 0]);
  });
});

describe('lines that are one unit with those below them', () => {
  /** Line 40 stands below line 1, and line 41 below that one; the others stand by themselves. */
  const lines = Array.from({ length: 44 }, (_, i) => lineAt(i));
  lines[40] = { ...lines[40]!, parentLineId: 'l1' };
  lines[41] = { ...lines[41]!, parentLineId: 'l40' };
  lines[42] = buildLine({ lineId: 'l42', productId: 'free', unitPrice: 0, parentLineId: 'l1' });
  lines[43] = { ...lines[43]!, parentLineId: 'l34' };

  it('are its modifiers, at any depth, unless they cost nothing or are left out', () => {
    const familiesOf = (outside?: typeof water) =>
      matchLines(indexed({ joinsModifiers: true, outside }).index, lines, new Work(1_000_000)).modified!.families;
    expect(familiesOf()).toEqual([
      { head: 1, modifiers: [40, 41] },
      { head: 34, modifiers: [43] },
    ]);
    // The last line is water.
    expect(familiesOf(water)).toEqual([{ head: 1, modifiers: [40, 41] }]);
  });

  it('are those of the topmost line, in whatever order they stand', () => {
    const below = (lineId: string, parentLineId?: string) =>
      buildLine({ lineId, ...(parentLineId !== undefined && { parentLineId }) });
    const own = [below('a', 'b'), below('b', 'c'), below('c', 'd'), below('d'), below('e', 'a')];
    const familiesOf = (lines: BasketLine[]) =>
      matchLines(indexed(JOINED).index, lines, new Work(1_000_000)).modified!.families;
    expect(familiesOf(own)).toEqual([{ head: 3, modifiers: [0, 1, 2, 4] }]);
    expect(familiesOf(own.slice(0, 4))).toEqual([{ head: 3, modifiers: [0, 1, 2] }]);
  });

  it('are named where the head is, by benefits that see units', () => {
    const namedOf = (isOfUnits: boolean) => {
      const { index, selectors } = indexed({ joinsModifiers: true }, isOfUnits);
      const matches = matchLines(index, lines, new Work(1_000_000));
      expect(matches.modified!.isAttached.flatMap((attached, i) => (attached ? [i] : []))).toEqual([40, 41, 42, 43]);
      return [0, 1, 5].map((at) => matchedLines(matches, selectors[at]!).filter((i) => i >= 40));
    };
    // Line 40 is coffee, and its head is tea; no line is `water-l` but 39 and 31.
    expect(namedOf(true)).toEqual([[40, 41, 43], [], [40, 41, 43]]);
    expect(namedOf(false)).toEqual([[40, 41, 42, 43], [40], [40, 41, 42, 43]]);
  });
});
