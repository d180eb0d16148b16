/** What a value lacks of its schema, told as whoever wrote it needs to know it: where, and which rule. */
import { describe, expect, it, test } from 'vitest';
import { createCompiler } from '../src/validator.ts';

const formats = { even: (text: string) => text.length % 2 === 0 };
const compile = createCompiler({ formats, allErrors: true });
const compileToFirst = createCompiler({ formats });
const isMet = (schema: object, value: unknown) => compile(schema)(value).length === 0;
const namesOf = (compiler: typeof compile, schema: object, value: unknown) =>
  compiler(schema)(value).map(({ path, keyword }) => `${path} ${keyword}`);
const flawsOf = (schema: object, value: unknown) => namesOf(compile, schema, value);

const text = { type: 'string' };
const whole = { type: 'integer' };

/** A rule of ours, values that it allows, among them some of other types, which it does not concern, and values that it refuses. */
const RULES: readonly (readonly [rule: object, allowed: readonly unknown[], refused: readonly unknown[]])[] = [
  [{ pattern: '^.$' }, ['a', '🍪', 12], ['', 'ab']],
  [{ minLength: 2 }, ['ab', '🍪🍪', 1], ['a', '🍪']],
  [{ maxLength: 1 }, ['', '🍪', 12, []], ['ab']],
  [{ format: 'even' }, ['', 'ab', 1], ['a']],
  [{ hundredths: true }, [1, 0.25, 'a'], [0.125]],
];

test.each(RULES)('the rule %j is broken by no value that it is not about', (rule, allowed, refused) => {
  expect(allowed.filter((value) => !isMet(rule, value))).toEqual([]);
  expect(refused.filter((value) => isMet(rule, value))).toEqual([]);
});

test('a percentage has two decimals as people write them, not as floating point multiplies', () => {
  const percentages = [1.15, 33.33, 5.005, 1e-7, 100.01, 0.07, 4.35];
  expect(percentages.filter((value) => isMet({ hundredths: true }, value))).toEqual([1.15, 33.33, 100.01, 0.07, 4.35]);
});

test('a schema with a keyword, a type or a format that nobody checks is no schema', () => {
  for (const schema of [{ contained: {} }, { type: 'text' }, { format: 'odd' }]) {
    expect(() => compile(schema)).toThrow();
  }
});

describe('a flaw', () => {
  it('is at the part that has it, and every part may have one', () => {
    const schema = { properties: { a: { items: whole }, 'b/c~d': text }, patternProperties: { '^x-': text } };
    expect(flawsOf(schema, { a: [1, 'a', 2, null], 'b/c~d': 1, 'x-e': 2, f: 3 })).toEqual([
      '/a/1 type',
      '/a/3 type',
      '/b~1c~0d type',
      '/x-e type',
    ]);
    expect(flawsOf({ items: whole }, Array(1))).toEqual(['/0 type']);
    expect(flawsOf(schema, { a: [1], 'b/c~d': 'x' })).toEqual([]);
    // A name that may be missing has no flaw when it is.
    expect(flawsOf({ properties: { a: text, b: text } }, { b: 1 })).toEqual(['/b type']);
  });

  it('of a type hides the others of the same value, which follow from it', () => {
    expect(flawsOf({ type: 'string', const: 'a', enum: ['a'] }, 1)).toEqual([' type']);
    expect(flawsOf({ type: 'string', maxLength: 1, pattern: '^a' }, 'bb')).toEqual([' maxLength', ' pattern']);
  });

  it('of a name that is missing is at its place, and of one too many at the mapping', () => {
    const schema = { properties: { a: text, b: text }, required: ['a', 'b'], additionalProperties: false };
    const below = { properties: { list: { items: schema } } };
    const flaws = compile(below)({ list: [{ b: 'x', 'c/d': 1, e: 2 }] });
    const entry = { b: 'x', 'c/d': 1, e: 2 };
    expect(flaws).toEqual([
      { path: '/list/0/a', keyword: 'required', schema, found: undefined, name: 'a' },
      { path: '/list/0', keyword: 'additionalProperties', schema, found: entry, name: 'c/d' },
      { path: '/list/0', keyword: 'additionalProperties', schema, found: entry, name: 'e' },
    ]);
  });

  it('of a value of several forms is one in the form of its type, or that it has none', () => {
    const short = { type: 'string', maxLength: 1 };
    const list = { type: 'array', items: whole };
    const mapping = { type: 'object', properties: { a: whole } };
    const schema = { anyOf: [{ enum: [7] }, short, mapping, list] };
    const flaws = [{ a: 'b' }, ['b'], 'ab', 8, null].map((value) => flawsOf(schema, value).join());
    expect(flaws).toEqual(['/a type', '/0 type', ' anyOf', ' anyOf', ' anyOf']);
    expect(flawsOf({ anyOf: [text, list] }, {})).toEqual([' anyOf']);
  });

  it('is one alone where the first is asked for, also of a value of several forms', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: whole, b: { anyOf: [text, { type: 'array', items: whole, minItems: 2 }] } },
    };
    expect(namesOf(compileToFirst, schema, { b: [] })).toEqual(['/a required']);
    expect(namesOf(compileToFirst, schema, { a: 'x', b: ['x'] })).toEqual(['/a type']);
    expect(namesOf(compileToFirst, schema, { a: 1, b: [] })).toEqual(['/b minItems']);
    expect(namesOf(compileToFirst, schema, { a: 1, b: ['x', 1] })).toEqual(['/b/0 type']);
    expect(namesOf(compileToFirst, schema, { a: 1, b: 1 })).toEqual(['/b anyOf']);
  });
});
