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
    [{ type: 'string', minLength: 1, maxLength: 40 }, '', 'a text of 1 to 40 characters'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'a text like ^a$'],
    [{ type: 'array', minItems: 1 }, [], 'a list'],
    [{ type: 'array', minItems: 2, maxItems: 3 }, [1], 'a list of 2 to 3'],
    [{ type: 'object' }, 7, 'a mapping'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 10, 'a whole number from 1 to 9'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'a number above 0'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 2, 'a number from 0 to 1'],
    [{ const: 'gold' }, 'silver', '"gold"'],
    [{ enum: ['gold', 'silver'] }, 7, 'one of gold, silver'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1 }] }, 'x', 'true or false, or a whole number from 1'],
  ])('of %j is said of %j', (schema, value, allowed) => {
    expect(told(schema, value, 'here')).toEqual([`here: found ${JSON.stringify(value)}, allowed: ${allowed}`]);
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
    // The one that was meant is there as well, and wrong; another one is a name that every JavaScript object has.
    expect(told(mapping(percent), { percnt: 5, percent: 'x', constructor: 5 })).toEqual([
      ': found the unknown field "percnt", allowed: percent',
      ': found the unknown field "constructor", allowed: percent',
      'percent: found "x", allowed: a percentage',
    ]);
  });

  it('of two digits at most is what a comma has cut off a number', () => {
    const allowedOf = (more: object) => checkValue(mapping(percent), { percent: 12, ...more }, '')[0]!.allowed;
    const hint = 'percent; a comma in a number ends it here: write 12.5 with a point';
    expect(['9', '90', '900', '90x'].map((name) => allowedOf({ [name]: null }) === hint)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const other of [{ percent: '12', 9: null }, { 9: 1 }]) expect(allowedOf(other)).toBe('percent');
  });
});

it('of a body the first fault alone is told, without the descriptions of a document', () => {
  const described = { description: 'The count of the document.' };
  const schema = mapping({
    count: { type: 'integer', minimum: 1, ...described },
    either: { anyOf: [{ type: 'boolean', ...described }, { type: 'string' }], ...described },
  });
  const toldOf = (value: object) => findBodyFault(schema, value, 'body');
  expect(toldOf({ count: 1 })).toBeUndefined();
  expect(toldOf({ count: 0, either: 7 })).toMatchObject({ path: 'body.count', allowed: 'a whole number from 1' });
  expect(toldOf({ either: 7 })).toMatchObject({ path: 'body.either', allowed: 'true or false, or a text' });
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
    ['cfe', undefined],
    ['fofeee', 'coffee'],
    ['te', 'tea'],
    ['eat', undefined],
    // Two neighbours that changed places are one mistake.
    ['ocffee', 'coffee'],
    // The nearest one, and of two that are as near the first.
    ['rose', 'rosé'],
    ['latte-', 'latte-m'],
    ['espressos-doppio', 'espresso'],
    ['ESP', 'espresso'],
    ['es', undefined],
  ])('to %j is %j', (name, nearest) => {
    expect(nearestName(name, ['coffee', 'tea', 'rosé', 'rosa', 'latte-m', 'latte-l', 'espresso'])).toBe(nearest);
  });
});
