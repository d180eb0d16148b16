/**
 * What changed between two configurations, in sentences for whoever changed it: every line of differences.txt has what
 * was before and after ⇒, and behind :: what is told, each with its place. Under a heading, `level` says of what: of a
 * benefit, which is called b, of a programme, of a venue with kroner, or of the file.
 */
import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { ProgrammeDefinition } from '@loyalty/engine/definition';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { benefitDefaults, PROGRAMME_DEFAULTS } from '../../src/programme/differences/defaults.ts';
import { findDifferences } from '../../src/programme/differences/differences.ts';
import { readThemes, toldLines } from './tables.ts';

type Part = Readonly<Record<string, unknown>>;

const oslo = { venueId: 'oslo', currencies: ['NOK'], programmeId: 'club' };
const ofProgramme = (part: Part) => ({ venues: [oslo], programmes: [{ programmeId: 'club', ...part }] });
const LEVELS: Readonly<Record<string, (part: Part) => unknown>> = {
  benefit: (part) => ofProgramme({ benefits: [{ benefitId: 'b', ...part }] }),
  programme: ofProgramme,
  venue: (part) => ({ venues: [{ ...oslo, ...part }] }),
  file: (part) => part,
};

const table = readThemes(new URL('differences.txt', import.meta.url));

test.each(table.map((theme) => [theme.heading, theme] as const))('%s', (_, theme) => {
  const fileOf = LEVELS[theme.word('level') ?? 'benefit']!;
  const tell = (words: string) => {
    const [before, after] = words.split(' ⇒ ').map((part) => fileOf(parse(part)));
    return findDifferences(before, after).map(({ path, text }) => `${path}: ${text}`);
  };
  expect(toldLines(theme, '::', tell)).toEqual(theme.lines);
});

const change = (before: Part, after: Part) =>
  findDifferences(LEVELS['benefit']!(before), LEVELS['benefit']!(after)).map(({ text }) => text);

test('of long values a hundred and twenty characters are shown, of texts all', () => {
  const long = (length: number) => [
    change({}, { kind: 'x'.repeat(length) })[0],
    change({ x: [] }, { x: ['y'.repeat(length - 4)] })[0],
  ];
  expect(long(120)).toEqual([`B: kind none → ${'x'.repeat(120)}`, `B: x + ${'y'.repeat(116)}`]);
  expect(long(121)).toEqual([`B: kind none → ${'x'.repeat(120)}…`, `B: x + ${'y'.repeat(116)}…`]);
  // The last character that is shown without what comes before.
  const [x, y] = ['x', 'y'].map((end) => 'a'.repeat(119) + end);
  expect(change({ kind: x }, { kind: y })).toEqual([`B: kind ${x} → ${y}`]);
  expect(change({ kind: `a${x}` }, { kind: `a${y}` })).toEqual([`B: kind …${x!.slice(-31)} → …${y!.slice(-31)}`]);
  const soup = 'Soup '.repeat(40);
  expect(change({ text: `${soup}a` }, { text: `${soup}b` })[0]).toContain(`text "${soup}a" → "${soup}b"`);
});

test('of very many the first five hundred are told', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field${at}`, at]));
  expect(findDifferences({}, many(500))).toHaveLength(500);
  expect(findDifferences({}, many(501)).slice(500)).toEqual([
    { path: '', text: 'And more: the first 500 differences are told.' },
  ]);
});

describe('the default of a field that is absent', () => {
  /** A programme as the engine takes it; a compiled one has functions, which are compared by what they are written as. */
  const compiled = (definition: object) =>
    JSON.stringify(compileProgramme({ programmeId: 'club', ...definition } as ProgrammeDefinition), (_, value) =>
      typeof value === 'function' ? String(value) : value instanceof Map ? [...value] : value,
    );
  const merged = (path: string, value: unknown, base: Part): Part => {
    const [name = '', ...inner] = path.split('.');
    return { ...base, [name]: inner.length === 0 ? value : merged(inner.join('.'), value, (base[name] ?? {}) as Part) };
  };
  const around = {
    limit: { quantity: 3, period: 'day', counts: 'baskets' },
    requires: { spend: 500 },
    minimumSpend: 1_000,
  };
  const KINDS: readonly Part[] = [
    { kind: 'order_percent', percent: 10, ...around },
    { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 2 }, ...around },
    { kind: 'free_product', productId: '1', ...around },
    { kind: 'line_percent', percent: 10, maximumUnits: 1, ...around },
  ];
  const DEFAULTS = KINDS.flatMap((base) =>
    [...benefitDefaults(base.kind)].map(([path, value]) => [base.kind, path, value, base] as const),
  );

  it.each(DEFAULTS)('of a benefit: %s, %s is %j to the engine too', (_, path, value, base) => {
    const of = (benefit: Part) => compiled({ benefits: [{ benefitId: 'b', ...benefit }] });
    expect(of(merged(path, value, base))).toBe(of(base));
  });

  it.each([...PROGRAMME_DEFAULTS].filter(([path]) => path !== 'returns'))(
    'of a programme: %s is %j to the engine too',
    (path, value) => {
      expect(compiled({ [path]: value })).toBe(compiled({}));
    },
  );
});
