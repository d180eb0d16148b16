/** The judge that needs no compiler agrees with ajv about every schema: values that meet it or a part of it, each changed in one place. */

import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { BasketRequest } from '../../src/contract/basket-request.ts';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '../../src/contract/basket-response.ts';
import { parseDateTime } from '../../src/contract/date-time.ts';
import { isUuid } from '../../src/contract/headers.ts';
import { type Flaw, findFlaws, meetsSchema, type Terms } from '../../src/contract/meets-schema.ts';
import { SaleEvent } from '../../src/contract/sale.ts';
import { toHundredths } from '../../src/money/round.ts';
import { BENEFIT_SCHEMAS } from '../../src/programme/benefit-schema.ts';
import { EnvironmentFile, MemberEntry } from '../../src/programme/schema.ts';

const isDate = (text: string): boolean => /^2026-1[0-2]-\d\d$/.test(text);
const TERMS: Terms = {
  formats: {
    'lower-case-uuid': isUuid,
    rfc3339: (text) => parseDateTime(text) !== undefined,
    date: isDate,
    moment: (text) => isDate(text) || parseDateTime(text) !== undefined,
    hours: (text) => /^\d\d:\d\d-\d\d:\d\d$/.test(text),
  },
  isHundredths: (value) => toHundredths(value) !== undefined,
};
function judgeBy(allErrors: boolean): Ajv {
  const made = new Ajv({
    ...{ allErrors, strict: true, strictTypes: false, strictRequired: false, verbose: true, formats: TERMS.formats },
    ...{ validateSchema: false, meta: false, code: { optimize: false } },
  });
  const validate = (_: true, value: number) => TERMS.isHundredths(value);
  return made.addKeyword({ keyword: 'hundredths', type: 'number', validate });
}
const ajv = judgeBy(false);
/** Compiled validators by the text of their schema: many fields have the same schema, and compiling is most of the work. */
const compiled = new Map<string, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, validate);
  return validate;
}

/** Something of every type, at and beyond the bounds that the schemas have. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], ['a'], { a: 1 }, { nb: 'a' }, { NOK: 1, SEK: 1 }, { NOK: '1' }],
  ...[0, -0, 1, -1, 2, 0.5, 12.34, 12.345, 99, 100, 100.01, 101, 400, 500, 1e6, 1e6 + 1, 1e15, 2 ** 53, 1e300],
  ...[Number.NaN, Number.POSITIVE_INFINITY],
  ...['', 'a', 'A b', '1', 'x'.repeat(40), 'x'.repeat(41), 'x'.repeat(64), 'x'.repeat(501), '😀'.repeat(40), '\uD800'],
  ...['NOK', 'nok', 'pos', 'Europe/Oslo', '500123', '7038010000001', 'æ', 'a\nb', '12:00-13:00', '2026-11-20'],
  ...['2026-11-20T12:00:00+01:00', '2026-11-20T12:00', '0b64ff5e-3a2b-4c6d-8e7f-001122334455', 'constructor'],
];

type Schema = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, Schema>>;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that meet a schema: of an object all properties, and together every form of each of them. */
function samplesOf(schema: Schema): unknown[] {
  if (Array.isArray(schema['anyOf'])) return (schema['anyOf'] as Schema[]).flatMap(samplesOf);
  if ('const' in schema) return [schema['const']];
  if (Array.isArray(schema['enum'])) return schema['enum'];
  if (isObject(schema['items'])) return [samplesOf(schema['items'])];
  if (!isObject(schema['properties']) || Object.keys(schema['properties']).length === 0) {
    return VALUES.filter((value) => validatorOf(schema)(value)).slice(0, 2);
  }
  const samples = Object.entries(schema['properties'] as Names).map(
    ([name, part]) => [name, samplesOf(part)] as [string, unknown[]],
  );
  const forms = Math.max(...samples.map(([, values]) => values.length));
  return Array.from({ length: forms }, (_, at) =>
    Object.fromEntries(samples.map(([name, values]) => [name, values[at % values.length]])),
  );
}

/** Every value that differs from an object or a list in one place: another value there, one more, or one less. */
function changesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const gap = [...value];
    gap.length += 1;
    const lengths = [0, 1, 2, 10, 11, 100, 101, 500, 501].map((length) => Array.from({ length }, () => value[0]));
    return [...lengths, gap, ...VALUES.map((one) => [...value, one])];
  }
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  const without = names.map((name) => Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)));
  return [
    ...[...without, { ...value, unknown: 1 }, { ...value, constructor: 1 }],
    ...names.flatMap((name) => VALUES.map((one) => ({ ...value, [name]: one }))),
  ];
}

/** The schema and all that it consists of, each once: what agrees about every part agrees about the whole. */
function partsOf(schema: Schema, parts = new Map<string, Schema>()): Map<string, Schema> {
  const text = JSON.stringify(schema);
  if (parts.has(text)) return parts;
  parts.set(text, schema);
  const { anyOf = [], items, properties = {}, patternProperties = {} } = schema;
  const below = [
    ...(anyOf as Schema[]),
    ...[properties, patternProperties].flatMap((names) => Object.values(names as Names)),
  ];
  for (const part of isObject(items) ? [...below, items] : below) partsOf(part, parts);
  return parts;
}

const wire: readonly object[] = [BasketRequest, SaleEvent, AppliedResponse, UnchangedResponse, MemberNotFoundResponse];
const schemas = [...wire, ...[EnvironmentFile, MemberEntry, ...BENEFIT_SCHEMAS.values()]];

test('every schema, and every part of one, is judged as ajv judges it', () => {
  const parts = new Map<string, Schema>();
  for (const schema of schemas) partsOf(schema as Schema, parts);
  const seen = { met: 0, missed: 0 };
  for (const [text, schema] of parts) {
    const validate = validatorOf(schema);
    const samples = samplesOf(schema);
    for (const value of [...VALUES, ...samples, ...samples.flatMap(changesOf)]) {
      const isMet = validate(value);
      seen[isMet ? 'met' : 'missed'] += 1;
      if (meetsSchema(schema, value, TERMS) !== isMet) {
        expect.fail(`ajv ${isMet ? 'accepts' : 'refuses'} ${JSON.stringify(value)}: ${text}`);
      }
    }
  }
  expect(parts.size).toBeGreaterThan(100);
  expect(seen.met).toBeGreaterThan(5_000);
  expect(seen.missed).toBeGreaterThan(20_000);
});

/** An error of ajv in the form of a flaw. */
function flawOf({ instancePath, keyword, data, params, parentSchema }: ErrorObject): Flaw {
  const flaw = { path: instancePath, keyword, schema: parentSchema as Schema, found: data };
  if (keyword === 'additionalProperties') return { ...flaw, name: params['additionalProperty'] };
  if (keyword !== 'required') return flaw;
  const name = String(params['missingProperty']);
  return { ...flaw, path: `${instancePath}/${name}`, found: undefined, name };
}

test('the first flaw of a basket, a sale or an answer is the one that ajv finds', () => {
  const kinds = new Map<string, number>();
  for (const schema of wire as readonly Schema[]) {
    const samples = samplesOf(schema) as Record<string, unknown>[];
    const deep = samples.flatMap((sample) =>
      changesWithin(schema, sample).flatMap((value) => [value, { ...(value as object), status: 1 }]),
    );
    const validate = validatorOf(schema);
    for (const value of [...VALUES, ...samples, ...deep]) {
      const expected = validate(value) ? undefined : flawOf(validate.errors![0]!);
      const [first] = findFlaws(schema, value, TERMS);
      if (!isDeepStrictEqual(first, expected)) expect(first).toStrictEqual(expected);
      if (expected) kinds.set(expected.keyword, (kinds.get(expected.keyword) ?? 0) + 1);
    }
  }
  const words =
    'additionalProperties const enum exclusiveMinimum format hundredths maxItems maxLength maximum minItems';
  expect([...kinds.keys()].toSorted()).toEqual(`${words} minLength minimum pattern required type`.split(' '));
});

test('all flaws of a configuration are those that ajv finds, in its order; of a choice, see below', () => {
  const judge = judgeBy(true);
  const counts = new Set<number>();
  const configured: readonly object[] = [
    MemberEntry,
    EnvironmentFile.properties.venues.items,
    ...BENEFIT_SCHEMAS.values(),
  ];
  for (const schema of configured as readonly Schema[]) {
    const validate = judge.compile(schema);
    const changed = samplesOf(schema).flatMap(changesOf);
    // One in five, since ajv takes its time over all errors.
    const some = changed.filter((_, at) => at % 5 === 0);
    for (const value of some.flatMap((one) => [one, { ...(one as object), benefitId: 1, status: null, odd: 1 }])) {
      const errors = validate(value) ? [] : validate.errors!;
      // ajv tells the flaws of every form, and more than the type of what is of another type.
      const at = (word: string) => errors.filter(({ keyword }) => keyword === word).map((error) => error.instancePath);
      const [choices, others] = [at('anyOf'), at('type')];
      const isOutside = ({ path }: Flaw) => !choices.some((choice) => `${path}/`.startsWith(`${choice}/`));
      const expected = errors.map(flawOf).filter(({ path, keyword }) => keyword === 'type' || !others.includes(path));
      const found = [...findFlaws(schema, value, TERMS)];
      const [ours, theirs] = [found, expected].map((flaws) => flaws.filter(isOutside));
      if (!isDeepStrictEqual(ours, theirs)) expect(ours).toStrictEqual(theirs);
      expect(found.length > 0).toBe(errors.length > 0);
      counts.add(found.length);
    }
  }
  expect([...counts].toSorted().slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
});

/** Every change of the value, and of one part of it at any depth. */
function changesWithin(schema: Schema, value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const within = value.length > 0 ? changesWithin(schema['items'] as Schema, value[0]) : [];
    return [...changesOf(value), ...within.map((one) => [value[0], one])];
  }
  if (!isObject(value)) return [];
  const parts = Object.entries((schema['properties'] ?? {}) as Names);
  const within = parts.flatMap(([name, part]) =>
    changesWithin(part, value[name]).map((one) => ({ ...value, [name]: one })),
  );
  return [...changesOf(value), ...within];
}
