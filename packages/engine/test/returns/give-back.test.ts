/** Which units of limits a return gives back, where benefits share a counter or take more of it than before. */
import { expect, test } from 'vitest';
import { unitsToGiveBack } from '../../src/returns/give-back.ts';
import { soldAsSent } from '../../src/returns/sold-basket.ts';
import type { GivenBenefit, LimitedUse } from '../../src/types.ts';
import { buildBasket, buildLine } from '../support/basket.ts';

const basket = buildBasket([buildLine({ lineId: '1', quantity: 1, unitPrice: 10_000 })]);
const of = (benefitId: string, units: number, saved: number): GivenBenefit => ({ benefitId, units, saved });

/** What goes back of a counter that benefits share. */
function givenBack(
  counts: LimitedUse['counts'],
  { given, kept, taken, before = 0 }: { given: GivenBenefit[]; kept: GivenBenefit[]; taken: number; before?: number },
): number | undefined {
  const draws = ['a', 'b', 'c'].map((benefitId) => ({ benefitId, usageKey: '@x:*', limit: 1_000, counts }));
  const sold = { ...soldAsSent(basket), given };
  return unitsToGiveBack(sold, draws, kept, new Map([['@x:*', taken]]), new Map([['@x:*', before]])).get('@x:*');
}

test.each([
  ['of a benefit that is lost, beside one that stays', 'money', [of('a', 1, 600)], 400],
  ['of a benefit that is lost, where others use less than they did', 'money', [of('a', 1, 100), of('c', 1, 100)], 400],
  ['none that one which stays uses now', 'money', [of('a', 2, 1_000)], undefined],
  ['none that one which only applies to what stays uses now', 'money', [of('c', 1, 300)], 700],
  ['all, with the last of them', 'money', [], 1_000],
  ['the items of a benefit that is lost', 'items', [of('a', 1, 600)], 3],
  ['the items that nobody uses now', 'items', [of('c', 3, 600)], 1],
  ['the basket of a benefit that is lost', 'baskets', [of('a', 1, 600)], 1],
  ['no basket, where another benefit applies instead', 'baskets', [of('a', 1, 600), of('c', 1, 100)], undefined],
] as const)('units go back: %s', (_, counts, kept, due) => {
  const given = [of('a', 1, 600), of('b', 3, 400)];
  const taken = { money: 1_000, items: 4, baskets: 2 }[counts];
  expect(givenBack(counts, { given, kept: [...kept], taken })).toBe(due);
});

test('a unit that the benefit made no cheaper stays used with the others', () => {
  const given = [of('a', 2, 600)];
  expect(givenBack('items', { given, kept: given, taken: 3 })).toBeUndefined();
  expect(givenBack('items', { given, kept: [], taken: 3, before: 1 })).toBe(2);
});

test('each counter goes back by the benefits that draw on it', () => {
  const draw = (benefitId: string, counts: LimitedUse['counts']) => ({
    benefitId,
    usageKey: benefitId,
    limit: 9,
    counts,
  });
  const taken = new Map([
    ['a', 2],
    ['b', 1],
    ['ended', 1],
  ]);
  const sold = { ...soldAsSent(basket), given: [of('a', 2, 600), of('b', 3, 400)] };
  const backOf = (...kept: GivenBenefit[]) =>
    Object.fromEntries(unitsToGiveBack(sold, [draw('a', 'items'), draw('b', 'baskets')], kept, taken, new Map()));
  expect(backOf()).toEqual({ a: 2, b: 1 });
  expect(backOf(of('b', 3, 400))).toEqual({ a: 2 });
  expect(backOf(of('a', 1, 300))).toEqual({ b: 1 });
  expect(backOf(of('a', 1, 300), of('b', 1, 100))).toEqual({});
});
