import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

const NO_SUCH_NAME = 'Nothing else has such a name.';
const STRYKER = ['[]', '["Stryker was here"]'] as const;

export const PROGRAMME: readonly Judgement[] = [
  ...judge('src/programme/benefit-relations.ts', 'Only the compiler needs it: no other kind has the field.', [
    ["benefit.kind !== 'buy_x_get_y'", 'false'],
  ]),
  ...judge('src/programme/benefit-relations.ts', 'A window without a last day opens after its first.', [
    ['last === undefined', 'false'],
  ]),
  ...judge(
    'src/programme/combined-file.ts',
    'The first index of a path is that of its list; other names have one file.',
    [['/^(\\w+)\\[(\\d+)\\]/', '/(\\w+)\\[(\\d+)\\]/']],
  ),
  ...judge('src/programme/combined-file.ts', 'It matches where the path begins, since it may match nothing.', [
    ['/^([^.[]*)(?:\\[(\\d+)\\])?/', '/([^.[]*)(?:\\[(\\d+)\\])?/'],
  ]),
  ...judge('src/programme/combined-file.ts', 'Only the compiler needs it: what is missing is no name either.', [
    ['nearest !== undefined', 'true'],
  ]),
  ...judge('src/programme/limit-faults.ts', 'Only the compiler needs it: amounts by currency are not below a number.', [
    ["typeof quantity === 'number'", 'true'],
  ]),
  ...judge('src/programme/member-check.ts', 'Only the compiler needs it: what is missing is before nothing.', [
    ['from !== undefined && to !== undefined', 'true'],
    ['from !== undefined && to !== undefined', 'from !== undefined || to !== undefined'],
    ['from !== undefined', 'true'],
    ['to !== undefined', 'true'],
  ]),
  ...judge('src/programme/price-list.ts', 'A text has no benefits.', [['[]', '["Stryker was here"]']]),
  ...judge('src/programme/price-list.ts', 'A line with a benefit does not begin with its end.', [
    ['lineEnd < 0', 'lineEnd <= 0'],
  ]),
  ...judge('src/programme/nearest-name.ts', 'The first row looks at no row before the last.', [STRYKER]),
  ...judge('src/programme/differences/fields.ts', 'Names, as an empty list has; and nothing is called so.', [STRYKER]),
  ...judge('src/programme/yaml-file.ts', 'No alias is without a name.', [['anchor !== undefined', 'true']]),
  ...judge('src/programme/yaml-file.ts', NO_SUCH_NAME, [STRYKER]),
  ...judge('src/programme/yaml-file.ts', 'The next step needs no dot between an index and a name.', [
    ['/^\\./', '/\\./'],
  ]),
  ...judge('src/programme/shared-limits.ts', 'Only the compiler needs it: no other kind has the field.', [
    ["benefit.kind === 'free_product'", 'true'],
  ]),
  ...judge('src/programme/relations.ts', 'No result is no time zone either.', [['{ return false; }', '{}']]),
  ...judge('src/programme/relations.ts', 'A text has no product ID.', [STRYKER]),
  ...judge('src/programme/selectors.ts', 'Only the compiler needs it: no list has what is missing.', [
    ['goods[field] !== undefined', 'true'],
  ]),
  ...judge('src/programme/warnings/unmeant.ts', 'Only the compiler needs it: no text is no hours.', [
    ['hours === undefined', 'false'],
  ]),
  ...judge('src/programme/warnings/unmeant.ts', 'Hours that end when they begin are an error.', [
    ['parsed.toMinute > parsed.fromMinute', 'parsed.toMinute >= parsed.fromMinute'],
  ]),
  ...judge('src/programme/warnings/surroundings.ts', 'Nothing else has such a name, and a text is no member.', [
    STRYKER,
  ]),
  ...judge('src/programme/warnings/unmeant.ts', NO_SUCH_NAME, [STRYKER]),
  ...judge('src/programme/warnings/names.ts', NO_SUCH_NAME, [STRYKER]),
  ...judge('src/programme/warnings/unobtainable.ts', NO_SUCH_NAME, [STRYKER]),
  ...judge('src/programme/warnings/unobtainable.ts', 'Only the compiler needs it: what is missing is before nothing.', [
    ['to !== undefined', 'true'],
  ]),
  ...judge('src/programme/warnings/large-gaps.ts', 'A tier that no benefit names.', [STRYKER]),
  ...judge('src/programme/warnings/large-gaps.ts', 'A product without a name either way.', [
    ['() => ({})', '() => undefined'],
  ]),
  ...judge('src/programme/warnings/large-gaps.ts', 'Only the compiler needs it: no list has what is missing.', [
    ['tier !== undefined', 'true'],
    ['to !== undefined', 'true'],
  ]),
  ...judge('src/programme/warnings/two-prices.ts', 'Only the compiler needs it: no other kind has such a price.', [
    ["benefit.kind !== 'unit_price'", 'false'],
  ]),
  ...judge('src/programme/warnings/major-units.ts', 'A product without a price is left out.', [STRYKER]),
  ...judge('src/programme/warnings/two-prices.ts', 'Both are sorted in the same way.', [
    ['one < other', 'one <= other'],
    ['one < other', 'one >= other'],
  ]),
  ...judge('src/programme/warnings/excessive.ts', 'A venue whose product is looked at has products.', [STRYKER]),
  ...judge('src/programme/warnings/excessive.ts', 'Nothing is returned behind it either.', [
    ['default: return undefined;', 'default:'],
  ]),
];
