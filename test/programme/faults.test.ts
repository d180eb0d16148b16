/** Every fault of a configuration at once: where it stands in its file, what was found, and what was probably meant. */
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { checkValue } from '../../src/programme/check.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';

/** The faults as `line:column path`, with the nearest name behind an arrow. */
function faultsOf(text: string): string[] {
  return inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21').faults.map(
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

describe('all faults at once', () => {
  it('are told with their places and the nearest names, those inside an entry and those between entries', () => {
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
  });

  it('the start tells the first one in one line, and how many more there are', () => {
    expect(() => loadEnvironment(MANY, 'x.yaml')).toThrow(
      /^x\.yaml: rateLimit: found the unknown field "sustaind", allowed: sustained, burst \(10 more: npm run check\)$/,
    );
  });

  it('a missing name is told where its mapping begins', () => {
    const programmes =
      'programmes:\n  - programmeId: club\n    benefits:\n      - benefitId: five\n        kind: line_percent\n';
    expect(faultsOf(`environment: staging\nvenues: []\n${programmes}`)).toContain(
      '6:9 programmes[0].benefits[0].percent',
    );
    expect(faultsOf('environment: staging\nprogrammes: []\n')).toEqual(['1:1 venues']);
  });

  it.each(['{ kind: line_percent, percent: 5 }', '{ benefitId: 7, kind: line_percent, percent: 5 }'])(
    'a grant of no benefit is told beside a benefit without a usable ID: %s',
    (benefit) => {
      const programmes = `programmes:\n  - programmeId: club\n    benefits:\n      - { benefitId: coffee, kind: line_percent, percent: 5 }\n      - ${benefit}\n`;
      const members = 'members:\n  - { programmeId: club, loyaltyId: y, status: active, grants: [cofee] }\n';
      const places = faultsOf(`environment: staging\nvenues: []\n${programmes}${members}`);
      expect(places).toEqual([
        expect.stringMatching(/^7:\d+ programmes\[0\]\.benefits\[1\]\.benefitId$/),
        '9:65 members[0].grants[0] → coffee',
      ]);
    },
  );

  it('text that is no YAML is told with every place', () => {
    expect(faultsOf('a: [1,\nb: {c\n x: y: z').map((fault) => fault.split(':')[0])).toEqual(['2', '3', '3']);
    expect(faultsOf('')).toEqual(['1:1 ']);
  });
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

  it('a hundred and fifty benefits may share one piece', () => {
    const entries = Array.from({ length: 150 }, (_, i) => `{ <<: *base, benefitId: b${i} }`);
    expect(loadEnvironment(merged(entries.join('\n      - ')), 'x.yaml').programmes[0]?.benefits).toHaveLength(150);
  });

  it.each(['<<: [{}]', '- *{}'.replace('- *{}', 'list: [{}]')])(
    'repetitions of repetitions by %s are refused',
    (words) => {
      const levels = Array.from({ length: 7 }, (_, i) => {
        const below =
          i === 0
            ? ''
            : Array(10)
                .fill(`*a${i - 1}`)
                .join(', ');
        return `x-a${i}: &a${i} { ${i === 0 ? 'k: 1' : words.replace('{}', below)} }`;
      });
      const text = `${levels.join('\n')}\nenvironment: staging\nvenues: []\nprogrammes: []\n`;
      expect(() => loadEnvironment(text, 'x.yaml')).toThrow(/aliases or merge keys that repeat too much/);
      expect(() => loadEnvironment('a: &a [*a]', 'x.yaml')).toThrow(/contain themselves/);
    },
  );
});

describe('a value of several forms', () => {
  const schema = Type.Object(
    {
      amount: Type.Union([
        Type.Integer({ minimum: 1, maximum: 9, description: 'a digit' }),
        Type.Object({ NOK: Type.Integer({ minimum: 1, maximum: 9 }) }, { additionalProperties: false }),
      ]),
    },
    { additionalProperties: false },
  );

  it.each([
    [{ amount: { NOK: 0 } }, [['amount.NOK', '0', 'a whole number from 1 to 9']]],
    [{ amount: { NKO: 1 } }, [['amount', 'the unknown field "NKO"', 'NOK']]],
    [{ amount: 10 }, [['amount', '10', 'a digit, or a mapping']]],
    [{ amount: 'x' }, [['amount', '"x"', 'a digit, or a mapping']]],
    [{ amount: 1 }, []],
  ])('%j is judged by the form that it has', (value, faults) => {
    expect(checkValue(schema, value, '').map(({ path, found, allowed }) => [path, found, allowed])).toEqual(faults);
  });
});
