/** Where in its file something is said of a programme, and what of a programme that can hardly be read. */
import { expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

const OSLO =
  '{ venueId: oslo, terminalSetups: ["1"], currencies: [NOK], timeZone: Europe/Oslo, programmeId: club, products: [{ productId: "1", productGroupId: coffee, name: Coffee, unitPrice: 3900, noDiscount: false, noPercentageDiscount: false }] }';

/** What is said of a programme with these lines, as `line:column path`; the first of them is line 1. */
function placesOf(words: string): string[] {
  const lines = words.replaceAll(/^/gm, '    ');
  const text = `environment: staging\nvenues:\n  - ${OSLO}\nprogrammes:\n  - programmeId: club\n${lines}\n`;
  const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  return [...faults, ...warnings].map(({ line, column, path }) => `${line! - 5}:${column} ${path}`);
}

it.each([
  ['exclude: {}', ['1:14 programmes[0].exclude']],
  ['exclude: { productGroupId: [tobacco] }', ['1:16 programmes[0].exclude']],
  ['exclude: { productGroupIds: [cofee] }', ['1:34 programmes[0].exclude.productGroupIds[0]']],
  ['memberLabel:', ['1:17 programmes[0].memberLabel']],
  ['groups: { "my group": { atMost: 1 } }', ['1:15 programmes[0].groups']],
  ['groups: { welcome: { atMost: 1 } }', ['1:24 programmes[0].groups.welcome']],
  [
    'benefits:\n  - { benefitId: ten, kind: line_percent, percent: 0.1, group: welcom }',
    ['2:68 programmes[0].benefits[0].group'],
  ],
  [
    'benefits:\n  - { benefitId: ten, kind: order_amount, amount: { NKO: 5000 } }',
    ['2:9 programmes[0].benefits[0]', '2:62 programmes[0].benefits[0].amount.NKO'],
  ],
  [
    'benefits:\n  - benefitId: ten\n    kind: line_percent\n    percent: 10\n    text:\n      nb: Kake # nummer en',
    ['6:11 programmes[0].benefits[0].text', '6:15 programmes[0].benefits[0].text.nb'],
  ],
])('%s', (words, places) => {
  expect(placesOf(words)).toEqual(places);
});

it.each(['benefits:', 'benefits: 7', 'benefits: { b: 7 }', 'benefits: []\nprogrammeId: [club]'])('%s', (words) => {
  expect(placesOf(words)).not.toEqual([]);
});
