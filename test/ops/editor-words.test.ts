/** What the editor completes: the place of the cursor in half a configuration, and what the schema allows there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCsv, parseProducts, renderCsv, renderProducts } from '../../packages/console/src/pages/live/csv.ts';
import { wordsAt } from '../../packages/console/src/pages/live/schema-words.ts';
import { findPlace } from '../../packages/console/src/pages/live/yaml-place.ts';
import { ROOT } from '../architecture/source.ts';

const schema = JSON.parse(readFileSync(join(ROOT, 'config/schema.json'), 'utf8'));
const BENEFITS = 'programmes:\n  - programmeId: club\n    benefits:\n';
const offered = (before: string, kind?: string): string[] => {
  const place = findPlace(before);
  if (!place) return [];
  const words = wordsAt(schema, place.path, place.isKey, kind).map(({ label }) => label);
  return words.filter((word) => word.startsWith(place.typed));
};

describe('names and values are completed', () => {
  test.each([
    ['at the top', 'env', ['environment']],
    ['after a list', `${BENEFITS}      - benefitId: a\nven`, ['venues']],
    ['of an entry', `${BENEFITS}      - benefitId: a\n        per`, ['percent']],
    ['of an entry whose dashes are not indented', 'programmes:\n- programmeId: a\n  mod', ['modifiers']],
    ['of the first name of an entry', `${BENEFITS}      - ben`, ['benefitId']],
    ['of a mapping below', `${BENEFITS}      - benefitId: a\n        when:\n          ho`, ['hours']],
    ['in braces', `${BENEFITS}      - { benefitId: a, when: { we`, ['weekdays']],
    ['in braces over lines', `${BENEFITS}      - { benefitId: "a: {",\n          when: { ch`, ['channels']],
    ['in JSON', '{ "programmes": [{ "benefits": [{ "benefitId": "a" }, { "per', ['percent']],
    ['as a value', `${BENEFITS}      - kind: line_p`, ['line_percent']],
    ['as an entry of a list', `${BENEFITS}      - { when: { weekdays: [mon, t`, ['tue', 'thu']],
    ['as yes or no', `${BENEFITS}      - exclusive: t`, ['true']],
  ])('%s', (_, before, expected) => {
    expect(offered(before, 'line_percent')).toEqual(expected);
  });

  test('of a benefit those of its kind', () => {
    expect(offered(`${BENEFITS}      - benefitId: a\n        b`, 'bundle_price')).toEqual(['benefitId', 'bundlePrice']);
    expect(offered(`${BENEFITS}      - benefitId: a\n        b`, 'line_percent')).toEqual(['benefitId']);
  });

  test('with what each may hold, also where the schema refers to a definition', () => {
    const { path, isKey } = findPlace(`${BENEFITS}      - ben`)!;
    const details = new Map(wordsAt(schema, path, isKey, 'line_percent').map(({ label, detail }) => [label, detail]));
    expect(details.get('benefitId')).toBe('required: 1 to 64 of A-Z a-z 0-9 . _ -');
    expect(details.get('audience')).toBe('everyone, granted');
  });

  test('nothing in a comment, nor behind a value', () => {
    expect(findPlace('venues: # al')).toBeUndefined();
    expect(findPlace('environment: staging no')).toBeUndefined();
  });
});

describe('tables of prices', () => {
  test('are read as spreadsheets write them', () => {
    const rows = [
      ['a', 'b'],
      ['x;y', 'say "hi", and\nbye'],
    ];
    expect(parseCsv(renderCsv(rows))).toEqual(rows);
    expect(parseCsv('\uFEFFa;b\r\n"1;2";3\r\n\r\n')).toEqual([
      ['a', 'b'],
      ['1;2', '3'],
    ]);
  });

  test.each([
    [['tea', '4711'], 'tea 4711'],
    [['oat milk', 'A;B', 'tea'], '"oat milk" "A;B" tea'],
    [['"x"', ' y', 'z"', 'a\\ "b"', 'c\nd'], '"\\"x\\"" " y" z" "a\\\\ \\"b\\"" "c\\nd"'],
    [[], ''],
  ])('keep the product IDs %j in one cell', (productIds, cell) => {
    expect(renderProducts(productIds)).toBe(cell);
    expect(parseProducts(cell)).toEqual(productIds);
  });

  test('take product IDs between blanks or semicolons, and no quotes that are not closed', () => {
    expect(parseProducts(' 1; 2\t"3 4";5;')).toEqual(['1', '2', '3 4', '5']);
    for (const wrong of ['"oat milk', '"oat"milk', 'tea "']) expect(parseProducts(wrong)).toBeUndefined();
  });
});
