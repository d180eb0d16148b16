/** What is wrong with a value, in words: where it is, what was found and what is allowed. */
import { describe, expect, it } from 'vitest';
import { checkValue, findBodyFault } from '../../src/programme/check.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { nearestName } from '../../src/programme/nearest-name.ts';

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

it('of an environment of which one file cannot be read nothing is told that may be in that one', () => {
  const faultsOf = (...texts: string[]) => {
    const files = texts.map((text, at) => ({ name: `folder/${at}.yaml`, text }));
    const { faults } = inspectEnvironment({ path: 'folder', files }, '2026-11-21');
    return faults.map(({ file, path, found }) => `${file} ${path}: ${found}`);
  };
  expect(faultsOf('environment: [', 'programmes: [{ memberLabel: Club }]\nrateLimit: { sustained: 0 }')).toEqual([
    'folder/0.yaml line 1: a [ that is never closed',
    'folder/1.yaml programmes[0].programmeId: nothing',
    'folder/1.yaml rateLimit.sustained: 0',
  ]);
  expect(faultsOf('a: [')).toEqual(['folder/0.yaml line 1: a [ that is never closed']);
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
