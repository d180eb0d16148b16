/** Errors in one line and in several, numbers as people write them, what selectors take, and limits that begin again. */
import { describe, expect, it } from 'vitest';
import { findChanges } from '../../src/programme/changes.ts';
import {
  ConfigurationError,
  configurationError,
  type LocatedFault,
  oneLine,
  oneOf,
  show,
  unknownName,
} from '../../src/programme/configuration-error.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { numberWords } from '../../src/programme/number-words.ts';
import { findRestartedLimits } from '../../src/programme/restarted-limits.ts';

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

  it('of no place, as of a folder without files, is a line by itself', () => {
    expect(new ConfigurationError('found no file').lines).toEqual(['found no file']);
  });

  it('has a line for each of the first ten, with its place', () => {
    expect(errorOf(fault).lines).toEqual(['x.yaml:7, a.b: found 1, allowed: 2']);
    const many = (count: number) => errorOf(...Array.from({ length: count }, () => fault)).lines;
    expect([many(10).length, many(11).length, many(12).at(-1)]).toEqual([10, 11, 'and 2 more']);
  });

  it('shows values of eighty characters at most, and names', () => {
    expect([show(undefined), show(null), show('a'), show(Number.NaN), show(() => 1)]).toEqual([
      ...['nothing', 'null', '"a"', 'null', '() => 1'],
    ]);
    expect([show('x'.repeat(78)), show('x'.repeat(79))]).toEqual([`"${'x'.repeat(78)}"`, `"${'x'.repeat(79)}…`]);
    expect(oneLine('a \n\u2028 b\u2029c')).toBe('a b c');
    expect([oneOf([]), oneOf(['a']), oneOf(['a', 'b'])]).toEqual([
      'none, the list is empty',
      'one of a',
      'one of a, b',
    ]);
    expect(unknownName('p', 7, ['a'])).toEqual({ path: 'p', found: '7', allowed: 'one of a' });
    expect(unknownName('p', 'b', ['a'])).toMatchObject({ unknown: { name: 'b', known: ['a'] } });
  });

  it('of a folder is in the order of its files, lines and columns', () => {
    const files = [
      { name: 'f/b.yaml', text: 'venues: [{ venueId: 1, currencies: 2 }]\nprogrammes: 3' },
      { name: 'f/a.yaml', text: 'environment: 4' },
    ];
    const { faults } = inspectEnvironment({ path: 'f', files }, '2026-11-21');
    const places = faults.map(({ file, line, column }) => `${file}:${line}:${column}`);
    expect(places).toEqual([
      ...[
        'f/a.yaml:1:14',
        'f/b.yaml:1:10',
        'f/b.yaml:1:10',
        'f/b.yaml:1:10',
        'f/b.yaml:1:21',
        'f/b.yaml:1:36',
        'f/b.yaml:2:13',
      ],
    ]);
  });
});

it('a number as people write it is told in the form that the file wants', () => {
  const money = (value: unknown) => numberWords(value, 'a whole number of minor units, 1 or more');
  const plain = (value: unknown) => numberWords(value, 'a whole number from 1');
  expect([money(12.9), money(0.5), money(12.345)]).toEqual([
    'a point in an amount: write 12.90 as 1290',
    'a point in an amount: write 0.50 as 50',
    'a point in an amount: write 12.35 as 1235',
  ]);
  for (const value of [
    12,
    -0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    'x',
    '',
    '12.345',
    'about 12',
    '12 crowns',
    '1.2.3',
  ]) {
    expect(money(value)).toBeUndefined();
  }
  expect([plain(12.9), plain('x'), plain([])]).toEqual([undefined, undefined, undefined]);
  expect([money('12'), money('12.5'), money('1\u00a0000,95 kr')]).toEqual([
    'a text in the place of a number: write 12.00 as 1200',
    'a text in the place of a number: write 12.50 as 1250',
    'a comma in a number: write 1000.95 as 100095',
  ]);
  expect([plain('NOK 1\u202f000'), plain('1,5'), numberWords('20%', 'a percentage')]).toEqual([
    'a text in the place of a number: write 1000',
    'a comma in a number: write 1.5',
    'a text in the place of a number: write 20',
  ]);
  expect(numberWords('12', 'a date such as 2026-01-31')).toBeUndefined();
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
    expect(restarts({ ...daily, of: 'member' }, daily)).toEqual([]);
    expect(restarts(daily, { ...daily, of: 'venue' })).toEqual([
      'the limit of club coffee begins again: of was absent and is venue',
    ]);
    expect(restarts(daily, [weekly, daily])).toEqual([]);
    expect(restarts([daily, weekly], weekly)).toEqual([]);
    expect(restarts([daily, weekly], [daily, { ...weekly, counts: 'items' }])).toEqual([
      'the limit of club coffee begins again: counts was baskets and is items',
    ]);
    expect(
      restarts(
        [daily, weekly],
        [
          { ...daily, limitId: 'a' },
          { ...weekly, limitId: 'b' },
        ],
      ),
    ).toEqual([
      'the limit of club coffee begins again: limitId was absent and is a',
      'the limit of club coffee begins again: limitId was absent and is b',
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
