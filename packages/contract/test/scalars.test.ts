/** UUIDs and content types: the scalar rules that are functions. */
import { expect, test } from 'vitest';
import { isJsonContentType, isUuid, isUuidInAnyCase } from '../src/headers.ts';
import * as limits from '../src/limits.ts';

test('a UUID is lower case, and is echoed in either case', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect([isUuid(uuid), isUuid(uuid.toUpperCase()), isUuid(`${uuid}0`), isUuid(`${uuid}\n`)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([isUuidInAnyCase(uuid.toUpperCase()), isUuidInAnyCase('x'.repeat(36))]).toEqual([true, false]);
  for (const text of [`0${uuid}`, `${uuid}0`, uuid.replace('-', ''), uuid.replace('5b', '5g')]) {
    expect([isUuid(text), isUuidInAnyCase(text)]).toEqual([false, false]);
  }
});

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['Application/JSON ; Charset="UTF-8"', true],
  [' application/json\t;\tcharset=utf-8\t', true],
  ['application/json \t', true],
  ['application/json;charset=utf-8', true],
  ['application/json;charset=utf-8 \t', true],
  ['application/json;charset="utf-8', false],
  ['application/json;charset=utf-8"', false],
  ['application/json;', false],
  ['application/json; charset=utf-8; more=1', false],
  ['xapplication/json', false],
  ['application/json; charset=latin1', false],
  ['application/json; charset=utf-16', false],
  ['application/jsonx', false],
  ['text/plain', false],
  ['', false],
])('content type %s: %s', (value, isJson) => {
  expect(isJsonContentType(value)).toBe(isJson);
});

test('a body to explain has room for the largest draft', () => {
  // In a JSON body each line break and quotation mark of a draft takes two bytes.
  const draft = JSON.stringify({ draft: '\n'.repeat(limits.MAX_DRAFT_BYTES) }).length;
  expect(limits.MAX_EXPLAIN_BODY_BYTES).toBeGreaterThan(draft);
});
