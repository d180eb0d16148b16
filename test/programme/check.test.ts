/** What is wrong with a value, in words: where it is, what was found and what is allowed. */
import { describe, expect, it } from 'vitest';
import { checkValue, findBodyFault } from '../../src/programme/check.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { nearestName } from '../../src/programme/nearest-name.ts';
import { sourceOf } from '../../src/programme/source.ts';

const mapping = (properties: object, more: object = {}) => ({
  ...{ type: 'object', properties, additionalProperties: false, ...more },
});
const told = (schema: object, value: unknown, path = '') =>
  checkValue(schema, value, path).map((fault) => `${fault.path}: found ${fault.found}, allowed: ${fault.allowed}`);

describe('what is allowed', () => {
  it.each<[object, unknown, string]>([
    [{ type: 'string', description: 'a name' }, 7, 'a name'],
    [{ type: 'string' }, 7, 'a text'],
    [{ type: 'string', format: 'uuid' }, 'x', 'a lower-case UUID'],
    [{ type: 'string', format: 'date-time' }, '2026-11-21', 'an RFC 3339 date-time'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'a text'],
    [{ type: 'string', minLength: 1, maxLength: 40 }, '', 'a text of 1 to 40 characters'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'a text of 0 to 1 characters'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'a text like ^a$'],
    [{ type: 'array' }, 7, 'a list'],
    [{ type: 'array', minItems: 1 }, [], 'a list'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'a list of at most 1'],
    [{ type: 'array', minItems: 2, maxItems: 3 }, [1], 'a list of 2 to 3'],
    [{ type: 'object' }, 7, 'a mapping'],
    [{ type: 'boolean' }, 7, 'true or false'],
    [{ type: 'integer' }, 0.5, 'a whole number'],
    [{ type: 'integer', minimum: 1 }, 0, 'a whole number from 1'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'a whole number from 1 to 9'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'a number above 0'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 2, 'a number from 0 to 1'],
    [{ const: 'gold' }, 'silver', '"gold"'],
    [{ enum: ['gold', 'silver'] }, 7, 'one of gold, silver'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1 }] }, 'x', 'true or false, or a whole number from 1'],
  ])('of %j is said of %j', (schema, value, allowed) => {
    expect(told(schema, value, 'here')).toEqual([`here: found ${JSON.stringify(value)}, allowed: ${allowed}`]);
  });

  it('has the nearest name of a list of names, and none for a number', () => {
    const [text, number] = ['golf', 7].map((value) => checkValue({ enum: ['gold', 'silver'] }, value, '')[0]);
    expect(text!.unknown).toEqual({ name: 'golf', known: ['gold', 'silver'] });
    expect(number!.unknown).toBeUndefined();
  });
});

describe('a name that is not known', () => {
  const percent = { percent: { type: 'integer', description: 'a percentage' } };

  it('explains the missing one that was meant, and no other', () => {
    const both = mapping({ ...percent, text: { type: 'string' } }, { required: ['percent', 'text'] });
    expect(told(both, { percnt: 5 })).toEqual([
      ': found the unknown field "percnt", allowed: percent, text',
      'text: found nothing, allowed: a text',
    ]);
    // The one that was meant is there as well, and wrong.
    expect(told(mapping(percent), { percnt: 5, percent: 'x' })).toEqual([
      ': found the unknown field "percnt", allowed: percent',
      'percent: found "x", allowed: a percentage',
    ]);
  });

  it('is told with thirty known ones at most, or with what names may be', () => {
    const names = Array.from({ length: 31 }, (_, at) => `name${at}`);
    const many = mapping(Object.fromEntries(names.map((name) => [name, {}])));
    expect(told(many, { other: 1 })).toEqual([
      `: found the unknown field "other", allowed: ${names.slice(0, 30).join(', ')}`,
    ]);
    const pattern = { patternProperties: { '^x-': {} }, description: 'names with x-' };
    expect(told(mapping({}, pattern), { y: 1 })).toEqual([': found the unknown field "y", allowed: names with x-']);
    expect(told(mapping(percent, pattern), { y: 1 })).toEqual([': found the unknown field "y", allowed: percent']);
    expect(told(mapping({}), { y: 1 })).toEqual([': found the unknown field "y", allowed: ']);
  });

  it('may be one that every JavaScript object has', () => {
    expect(told(mapping(percent), { constructor: 5 })).toEqual([
      ': found the unknown field "constructor", allowed: percent',
    ]);
  });

  it('of two digits at most is what a comma has cut off a number', () => {
    const hint = '; a comma in a number ends it here: write 12.5 with a point';
    const allowedOf = (name: string) => checkValue(mapping(percent), { percent: 12, [name]: null }, '')[0]!.allowed;
    expect(['9', '90', '900', '90x', 'x90'].map((name) => allowedOf(name) === `percent${hint}`)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    for (const other of [{ 9: null }, { percent: '12', 9: null }, { percent: 12, 9: 1 }]) {
      expect(checkValue(mapping(percent), other, '')[0]!.allowed).toBe('percent');
    }
  });
});

it('of a body the first fault alone is told, without the descriptions of a document', () => {
  const described = { description: 'The count of the document.' };
  const schema = mapping({
    count: { type: 'integer', minimum: 1, ...described },
    either: {
      anyOf: [
        { type: 'boolean', ...described },
        { type: 'string', ...described },
      ],
      ...described,
    },
  });
  expect(findBodyFault(schema, { count: 1 }, 'body')).toBeUndefined();
  expect(findBodyFault(schema, { count: 0, either: 7 }, 'body')).toMatchObject({
    path: 'body.count',
    found: '0',
    allowed: 'a whole number from 1',
  });
  expect(findBodyFault(schema, { either: 7 }, '')).toMatchObject({
    path: 'either',
    allowed: 'true or false, or a text',
  });
});

describe('an environment', () => {
  const faultsOf = (text: string, ...more: string[]) => {
    const files = [text, ...more].map((each, at) => ({ name: `folder/${at}.yaml`, text: each }));
    const source = more.length === 0 ? sourceOf(text, 'x.yaml') : { path: 'folder', files };
    return inspectEnvironment(source, '2026-11-21').faults.map(({ file, path, found }) => `${file} ${path}: ${found}`);
  };

  it('of which one file cannot be read is not told what may be in that one', () => {
    expect(faultsOf('environment: [', 'programmes: [{ memberLabel: Club }]\nrateLimit: { sustained: 0 }')).toEqual([
      'folder/0.yaml line 1: a [ that is never closed',
      'folder/1.yaml programmes[0].programmeId: nothing',
      'folder/1.yaml rateLimit.sustained: 0',
    ]);
    expect(faultsOf('a: [')).toEqual(['x.yaml line 1: a [ that is never closed']);
  });

  it('has settings that are compared with one another only where each is right', () => {
    const rest = 'environment: staging\nvenues: []\nprogrammes: []\n';
    expect(faultsOf(`${rest}latencyBudget: { p95: 80, p99: 90, deadline: 50 }`)).toEqual([
      'x.yaml latencyBudget.deadline: 50',
    ]);
    expect(faultsOf(`${rest}requestedAt: { pastHours: 1000 }`)).toEqual(['x.yaml requestedAt.aheadMinutes: nothing']);
    expect(faultsOf(`${rest}latencyBudget: { p95: 91, p99: 90, deadlin: 100 }`)).toEqual([
      'x.yaml latencyBudget: the unknown field "deadlin"',
    ]);
  });

  it('is compared with the rest of the file where each entry is right, whatever the others are', () => {
    const venue = { terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' };
    const venues = Array.from({ length: 10 }, (_, at) => ({ ...venue, venueId: `v${at}`, terminalSetups: [`${at}`] }));
    const wrong = { ...venue, venueId: 'v10', timeZone: 'Nowhere', currencies: [] };
    const anna = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };
    const members = [...Array(10).keys()].map((at) => ({ ...anna, loyaltyId: `m${at}` }));
    const text = {
      ...{ environment: 'staging', venues: [...venues, wrong] },
      programmes: [null, { programmeId: 7 }, { memberLabel: 'Club' }, { programmeId: 'club' }, 'club'],
      members: [...members, { ...anna, status: 'actve', grants: ['nothing'] }, { ...anna, grants: ['nothing'] }],
    };
    expect(faultsOf(JSON.stringify(text))).toEqual([
      'x.yaml venues[10].currencies: []',
      'x.yaml programmes[0]: null',
      'x.yaml programmes[1].programmeId: 7, which YAML reads as a number',
      'x.yaml programmes[2].programmeId: nothing',
      'x.yaml programmes[4]: "club"',
      'x.yaml members[10].status: "actve"',
      'x.yaml members[11].grants[0]: "nothing"',
    ]);
  });

  it('has no product twice in a venue, time zones with a name, and test members in staging', () => {
    const venue = { venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], programmeId: 'club' };
    const product = { name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: false };
    const products = ['1', '2', '1'].map((productId) => ({ ...product, productId }));
    const rest = { programmes: [{ programmeId: 'club', existingLineDiscounts: 'stack' }], testMembers: ['anna'] };
    const venues = [{ ...venue, timeZone: '+01:00', products }];
    expect(faultsOf(JSON.stringify({ environment: 7, venues, ...rest }))).toEqual([
      'x.yaml environment: 7, which YAML reads as a number',
      'x.yaml venues[0].timeZone: "+01:00"',
      'x.yaml venues[0].products[2].productId: "1" a second time',
    ]);
  });

  it('has benefits that are compared with the rest where they have no error of their own', () => {
    const never = { from: '2026-02-02', to: '2026-02-01' };
    const benefits = [
      ...[{ benefitId: 'a', kind: 'line_percent', percent: 'x', when: never }, 7, null],
      ...[7, 7].map((benefitId) => ({ benefitId, kind: 'line_percent', percent: 5 })),
    ];
    const programmes = [
      { programmeId: 'club', benefits },
      { programmeId: 'bistro', benefits: { a: 1 } },
    ];
    expect(faultsOf(JSON.stringify({ environment: 'staging', venues: [], programmes }))).toEqual([
      'x.yaml programmes[0].benefits[0].percent: "x"',
      'x.yaml programmes[0].benefits[1]: 7',
      'x.yaml programmes[0].benefits[2]: null',
      'x.yaml programmes[0].benefits[3].benefitId: 7, which YAML reads as a number',
      'x.yaml programmes[0].benefits[4].benefitId: 7, which YAML reads as a number',
      'x.yaml programmes[1].benefits: {"a":1}',
    ]);
  });

  it('names the venues that have an ID, also those with errors', () => {
    const benefit = { benefitId: 'a', kind: 'line_percent', percent: 5, when: { venueIds: ['bergen'] } };
    const venues = [null, { venueId: 7 }, { venueId: 'oslo' }];
    const text = JSON.stringify({
      environment: 'staging',
      venues,
      programmes: [{ programmeId: 'club', benefits: [benefit] }],
    });
    const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    expect(faults.find(({ path }) => path.endsWith('venueIds[0]'))?.allowed).toBe('one of oslo');
  });

  it('warns of no benefit that has an error, however many are before it', () => {
    const benefits = Array.from({ length: 12 }, (_, at) => ({ benefitId: `b${at}`, kind: 'line_percent', percent: 5 }));
    const last = { ...benefits[11], percent: 0.2, percnt: 1 };
    const text = (own: object) =>
      JSON.stringify({
        environment: 'staging',
        venues: [],
        programmes: [{ programmeId: 'club', benefits: [...benefits.slice(0, 11), own] }],
      });
    const inspect = (own: object) => inspectEnvironment(sourceOf(text(own), 'x.yaml'), '2026-11-21');
    expect(inspect(last).faults.map(({ path }) => path)).toEqual(['programmes[0].benefits[11]']);
    expect(inspect(last).warnings).toEqual([]);
    expect(inspect({ ...last, percnt: undefined }).warnings.map(({ path }) => path)).toContain(
      'programmes[0].benefits[11].percent',
    );
  });
});

describe('the nearest name', () => {
  it.each([
    // A third of the characters may be mistyped, of short names one.
    ['cofe', 'coffee'],
    ['cfe', undefined],
    ['fofeee', 'coffee'],
    ['tae', 'tea'],
    ['te', 'tea'],
    ['eat', undefined],
    ['ta', 'tea'],
    // Two neighbours that changed places are one mistake.
    ['ocffee', 'coffee'],
    ['coffeee', 'coffee'],
    // The nearest one, and of two that are as near the first.
    ['rose', 'rosé'],
    ['latte', 'latte-m'],
    ['latte-', 'latte-m'],
    ['espressos-doppio', 'espresso'],
    ['ESP', 'espresso'],
    ['es', undefined],
  ])('to %j is %j', (name, nearest) => {
    expect(nearestName(name, ['coffee', 'tea', 'rosé', 'rosa', 'latte-m', 'latte-l', 'espresso'])).toBe(nearest);
  });
});
