/** All faults of a file at once, each with its place, those inside an entry and those between entries. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';

const inspect = (text: string) => inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');

/** The faults as `line:column path`, with the nearest name behind an arrow. */
function faultsOf(text: string): string[] {
  return inspect(text).faults.map(
    ({ line, column, path, nearest }) => `${line}:${column} ${path}${nearest === undefined ? '' : ` → ${nearest}`}`,
  );
}

const MANY = `environment: Staging
rateLimit: { sustaind: 50 }
venues:
  - venueId: oslo
    terminalSetups: ["1"]
    currencies: [NOK]
    timeZone: Europe/Olso
    programmeId: club
  - { venueId: oslo, terminalSetups: [], currencies: [NOK], timeZone: Europe/Oslo, programmeId: clbu }
programmes:
  - programmeId: club
    benefits:
      - benefitId: coffee
        kind: line_percent
        percnt: 20
      - benefitId: coffee
        kind: line_percent
        percent: 120
      - { benefitId: bun, kind: order_amonut, amount: 50 }
      - { benefitId: tea, kind: line_percent, percent: 5, when: { venueIds: [oslo, olso] } }
members:
  - { programmeId: club, loyaltyId: x, status: actve }
  - { programmeId: club, loyaltyId: y, status: active, grants: [tea, cofee] }
`;

it('all faults are told with their places and the nearest names, and the start tells the first one', () => {
  expect(faultsOf(MANY)).toEqual([
    '1:14 environment',
    '2:14 rateLimit → sustained',
    '7:15 venues[0].timeZone → Europe/Oslo',
    '9:38 venues[1].terminalSetups',
    '15:9 programmes[0].benefits[0] → percent',
    '16:20 programmes[0].benefits[1].benefitId',
    '18:18 programmes[0].benefits[1].percent',
    '19:33 programmes[0].benefits[2].kind → order_amount',
    '20:84 programmes[0].benefits[3].when.venueIds[1] → oslo',
    '22:48 members[0].status → active',
    '23:70 members[1].grants[1] → coffee',
  ]);
  expect(() => loadEnvironment(MANY, 'x.yaml')).toThrow(
    /^x\.yaml: rateLimit: found the unknown field "sustaind", allowed: sustained, burst \(10 more: npm run check\)$/,
  );
});

it('a missing name is told where its mapping begins, and of an empty file the file alone', () => {
  const programmes =
    'programmes:\n  - programmeId: club\n    benefits:\n      - benefitId: five\n        kind: line_percent\n';
  expect(faultsOf(`environment: staging\nvenues: []\n${programmes}`)).toEqual([
    '6:9 programmes[0].benefits[0].percent',
  ]);
  expect(faultsOf('environment: staging\nprogrammes: []\n')).toEqual(['1:1 venues']);
  expect([faultsOf(''), faultsOf('[1]')]).toEqual([['1:1 '], ['1:1 ']]);
});

describe('merge keys', () => {
  const BASE = 'x-base: &base { kind: line_percent, percent: 20 }\nenvironment: staging\nvenues: []\n';
  const merged = (entry: string) => `${BASE}programmes:\n  - programmeId: club\n    benefits:\n      - ${entry}\n`;

  it('bring in the names of an anchored mapping, which the entry may replace', () => {
    const { programmes } = loadEnvironment(merged('{ <<: *base, benefitId: a, percent: 30 }'), 'x.yaml').wording;
    expect(programmes[0]?.benefits).toEqual([{ kind: 'line_percent', benefitId: 'a', percent: 30 }]);
  });

  it('a fault in what was merged is told where it is written', () => {
    const text = merged('{ <<: *base, benefitId: a }').replace('percent: 20', 'percent: 200');
    expect(faultsOf(text)).toEqual(['1:46 programmes[0].benefits[0].percent']);
    expect(faultsOf(merged('{ <<: [*base, { percnt: 1 }], benefitId: a }'))).toEqual([
      '7:25 programmes[0].benefits[0] → percent',
    ]);
  });

  it.each(['<<', 'list'])('repetitions of repetitions by %s are refused', (key) => {
    const levels = Array.from({ length: 7 }, (_, i) => {
      const below = Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ');
      return `x-a${i}: &a${i} { ${i === 0 ? 'k: 1' : `${key}: [${below}]`} }`;
    });
    const text = `${levels.join('\n')}\nenvironment: staging\nvenues: []\nprogrammes: []\n`;
    expect(() => loadEnvironment(text, 'x.yaml')).toThrow(/aliases or merge keys that repeat too much/);
  });
});

describe('of a programme', () => {
  const COFFEE =
    '{ productId: "1", productGroupId: coffee, name: Coffee, unitPrice: 3900, noDiscount: false, noPercentageDiscount: false }';
  const OSLO = `{ venueId: oslo, terminalSetups: ["1"], currencies: [NOK], timeZone: Europe/Oslo, programmeId: club, products: [${COFFEE}] }`;

  /** What is said of a programme with these lines, as `line:column path` without the programme; the first of them is line 1. */
  function placesOf(words: string): string[] {
    const lines = words.replaceAll(/^/gm, '    ');
    const { faults, warnings } = inspect(
      `environment: staging\nvenues:\n  - ${OSLO}\nprogrammes:\n  - programmeId: club\n${lines}\n`,
    );
    const places = [...faults, ...warnings].map(({ line, column, path }) => `${line! - 5}:${column} ${path}`);
    return places.map((place) => place.replace('programmes[0].', ''));
  }

  it.each([
    ['exclude: {}', ['1:14 exclude']],
    ['exclude: { productGroupId: [tobacco] }', ['1:16 exclude']],
    ['exclude: { productGroupIds: [cofee] }', ['1:34 exclude.productGroupIds[0]']],
    ['memberLabel:', ['1:17 memberLabel']],
    ['groups: { welcome: { atMost: 1 } }', ['1:24 groups.welcome']],
    ['benefits:\n  - { benefitId: ten, kind: line_percent, percent: 0.1, group: welcom }', ['2:68 benefits[0].group']],
    ['benefits:\n  - { benefitId: ten, kind: order_amount, amount: { NKO: 5000 } }', ['2:9 benefits[0]']],
    [
      'benefits:\n  - benefitId: ten\n    kind: line_percent\n    percent: 10\n    text:\n      nb: Kake # nummer en',
      ['6:11 benefits[0].text', '6:15 benefits[0].text.nb'],
    ],
  ])('%s', (words, places) => {
    expect(placesOf(words)).toEqual(places);
  });

  it.each(['benefits:', 'benefits: 7', 'benefits: { b: 7 }', 'benefits: []\nprogrammeId: [club]'])('%s', (words) => {
    expect(placesOf(words)).not.toEqual([]);
  });
});
