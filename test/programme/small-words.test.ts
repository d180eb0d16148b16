/** Errors in one line and in several, numbers as people write them, what selectors take, and limits that begin again. */
import { describe, expect, it } from 'vitest';
import { findChanges, findRestartedLimits } from '../../src/programme/changes.ts';
import { configurationError, type LocatedFault } from '../../src/programme/configuration-error.ts';
import { numberWords } from '../../src/programme/number-words.ts';

describe('an error of the start', () => {
  const fault = { file: 'x.yaml', line: 7, column: 1, path: 'a.b', found: '1', allowed: '2' };
  const errorOf = (...faults: LocatedFault[]) => configurationError(faults as [LocatedFault, ...LocatedFault[]]);

  it('is the first one in a line, and how many more there are', () => {
    expect(errorOf(fault).message).toBe('x.yaml: a.b: found 1, allowed: 2');
    expect(errorOf(fault, fault, fault).message).toBe('x.yaml: a.b: found 1, allowed: 2 (2 more: npm run check)');
    const { line: _line, column: _column, ...ofAll } = { ...fault, path: '', found: 'a\r\n  b' };
    expect([errorOf(ofAll).message, errorOf(ofAll).lines]).toEqual([
      'x.yaml: found a b, allowed: 2',
      ['x.yaml: found a b, allowed: 2'],
    ]);
  });

  it('has a line for each of the first ten, with its place', () => {
    expect(errorOf(fault).lines).toEqual(['x.yaml:7, a.b: found 1, allowed: 2']);
    const many = (count: number) => errorOf(...Array.from({ length: count }, () => fault)).lines;
    expect([many(10).length, many(11).length, many(12).at(-1)]).toEqual([10, 11, 'and 2 more']);
  });
});

const MONEY = 'a whole number of minor units, 1 or more';
const NUMBER = 'a whole number from 1';
it.each<[value: unknown, allowed: string, words: string | undefined, decimals?: number]>([
  [12.9, MONEY, 'a point in an amount: write 12.90 as 1290'],
  [12.345, MONEY, 'a point in an amount: write 12.35 as 1235'],
  ['12', MONEY, 'a text in the place of a number: write 12.00 as 1200'],
  ['1\u00a0000,95 kr', MONEY, 'a comma in a number: write 1000.95 as 100095'],
  ['1,500', MONEY, 'a comma in a number: write 1.500 as 1500', 3],
  ['1,500', MONEY, undefined],
  ['¥250', MONEY, 'a text in the place of a number: write 250', 0],
  ['NOK 1\u202f000', NUMBER, 'a text in the place of a number: write 1000'],
  ['1,5', NUMBER, 'a comma in a number: write 1.5'],
  ['20%', 'a percentage', 'a text in the place of a number: write 20'],
  ['12', 'a date such as 2026-01-31', undefined],
  ...[12, -0.5, Number.NaN, true, null, 'x', '', 'about 12', '12 crowns', '1.2.3'].map(
    (value): [unknown, string, undefined] => [value, MONEY, undefined],
  ),
  ...[12.9, 'x', []].map((value): [unknown, string, undefined] => [value, NUMBER, undefined]),
])('a number as people write it: %j where %s is allowed', (value, allowed, words, decimals) => {
  expect(numberWords(value, allowed, decimals)).toBe(words);
});

describe('what a reload changes', () => {
  type Compared = Parameters<typeof findChanges>[0];
  const file = (venueIds: readonly string[], benefits: Record<string, object[] | undefined>) =>
    ({
      venues: venueIds.map((venueId) => ({ venueId })),
      programmes: Object.entries(benefits).map(([programmeId, own]) => ({ programmeId, benefits: own })),
    }) as unknown as Compared;
  const daily = { quantity: 1, period: 'day', counts: 'baskets' };
  const coffee = { benefitId: 'coffee', limit: daily };

  it('is nothing, or what guests do not get any more', () => {
    const before = file(['oslo', 'oslo', 'bergen'], { club: [coffee, { benefitId: 'tea' }], bistro: undefined });
    expect(findChanges(before, before)).toEqual({});
    expect(findChanges(before, file(['bergen', 'malmo'], { club: [coffee], bistro: [{ benefitId: 'tea' }] }))).toEqual({
      ...{ removedBenefits: ['club tea'], removedVenues: ['oslo'] },
    });
    expect(
      findChanges(
        before,
        file(['oslo', 'bergen'], { club: [{ ...coffee, limit: { ...daily, period: 'week' } }, { benefitId: 'tea' }] }),
      ),
    ).toEqual({
      restartedLimits: ['the limit of club coffee begins again: period was day and is week'],
    });
  });

  it('is a limit that has another counter, each of several by itself', () => {
    const restarts = (was: unknown, is: unknown) =>
      findRestartedLimits(
        file([], { club: [{ benefitId: 'coffee', limit: was }] }).programmes,
        file([], { club: [{ benefitId: 'coffee', limit: is }] }).programmes,
      );
    const weekly = { ...daily, period: 'week' };
    expect(restarts(daily, { ...daily, of: 'member' })).toEqual([]);
    expect(restarts(daily, { ...daily, of: 'venue' })).toEqual([
      'the limit of club coffee begins again: of was absent and is venue',
    ]);
    expect(restarts(daily, [weekly, daily])).toEqual([]);
    expect(restarts([daily, weekly], weekly)).toEqual([]);
    expect(restarts([daily, weekly], [daily, { ...weekly, counts: 'items' }])).toEqual([
      'the limit of club coffee begins again: counts was baskets and is items',
    ]);
    const named = [daily, weekly].map((limit, at) => ({ ...limit, limitId: `l${at}` }));
    expect(restarts([daily, weekly], named)).toEqual([
      'the limit of club coffee begins again: limitId was absent and is l0',
      'the limit of club coffee begins again: limitId was absent and is l1',
    ]);
  });

  it('is a benefit that has another name alone, in its own programme', () => {
    const renamed = (was: object, is: object, programmeId = 'club') =>
      findRestartedLimits(
        file([], { club: [{ benefitId: 'coffee', kind: 'x', ...was }] }).programmes,
        file([], { [programmeId]: [{ benefitId: 'kaffe', ...is, kind: 'x' }] }).programmes,
      ).length;
    expect(renamed({ limit: daily }, { limit: daily, text: 'Kaffe' })).toBe(1);
    expect(renamed({ limit: daily }, { limit: daily }, 'bistro')).toBe(0);
    expect(renamed({ limit: daily }, { limit: daily, percent: 5 })).toBe(0);
    expect(renamed({}, {})).toBe(0);
    const shared = { ...daily, limitId: 'a' };
    expect(renamed({ limit: shared }, { limit: shared })).toBe(0);
    expect(renamed({ limit: [daily, shared] }, { limit: [daily, shared] })).toBe(1);
  });
});
