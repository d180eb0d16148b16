/** Date-times, UUIDs and content types: the scalar rules that are functions. */
import { expect, test } from 'vitest';
import { parseDateTime } from '../src/date-time.ts';
import { refuse, renderError } from '../src/errors.ts';
import { isJsonContentType, isUuid, isUuidInAnyCase } from '../src/headers.ts';
import * as limits from '../src/limits.ts';

test.each([
  ['2026-11-20T14:05:09+01:00', Date.UTC(2026, 10, 20, 13, 5, 9)],
  ['2026-11-20t14:05:09z', Date.UTC(2026, 10, 20, 14, 5, 9)],
  ['2026-11-20T14:05:09.123456Z', Date.UTC(2026, 10, 20, 14, 5, 9, 123)],
  ['2026-11-20T00:30:00+05:45', Date.UTC(2026, 10, 19, 18, 45)],
  ['2024-02-29T00:00:00-00:00', Date.UTC(2024, 1, 29)],
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['2017-01-01T00:59:60+01:00', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ['0001-01-01T00:00:00Z', new Date('0001-01-01T00:00:00Z').getTime()],
])('%s is a date-time', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant);
});

test.each([
  '2026-11-20T14:05:09',
  '2026-11-20 14:05:09Z',
  '2026-11-20T24:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-11-20T14:60:00Z',
  '2026-11-20T14:05:60Z',
  '2026-11-20T14:05:09.Z',
  '2026-11-20T14:05:09+24:00',
  '2026-11-20T14:05:09+0100',
  '2026-11-20',
  '',
  ...['2026:11-20T14:05:09+01:00', '2026-11:20T14:05:09+01:00', '2026-11-20 14:05:09+01:00'],
  ...['2026-11-20T14-05:09+01:00', '2026-11-20T14:05-09+01:00', '2026-11-20T14:05:09+01-00'],
  ...['2026-11-20T14:05:09 01:00', '2026-11-20T14:05:09+01:000', '2026-11-20T14:05:09+01:00Z'],
  ...['2026-11-20T14:05:09+01:0', '2026-11-20T/4:05:09+01:00', '2026-11-20T1::05:09+01:00'],
])('%s is no date-time', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

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

test('a refusal has its status, and Retry-After where the interface asks for it', () => {
  expect(refuse('unavailable')).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  expect(refuse('rate_limited', { retryAfterSeconds: 1.2 })).toMatchObject({ status: 429, retryAfterSeconds: 2 });
  expect(refuse('arithmetic_mismatch').retryAfterSeconds).toBeUndefined();
  const body = JSON.parse(renderError(refuse('invalid_request', { details: { field: '/lines' } }), 'id'));
  expect(body).toEqual({
    error: { code: 'invalid_request', message: expect.any(String), details: { field: '/lines' }, requestId: 'id' },
  });
});

test('the limits fit each other', () => {
  expect(limits.MIN_DEADLINE_MS).toBeGreaterThan(limits.COMMIT_MARGIN_MS);
  expect(limits.MIN_DEADLINE_MS).toBeLessThan(limits.CALLER_TIMEOUT_MS);
  expect(Number.isSafeInteger(limits.MAX_MONEY)).toBe(true);
  expect(limits.MAX_DRAFT_BYTES).toBeGreaterThan(limits.MAX_BODY_BYTES);
  // In a JSON body each line break and quotation mark of a draft takes two bytes.
  const draft = JSON.stringify({ draft: '\n'.repeat(limits.MAX_DRAFT_BYTES) }).length;
  expect(limits.MAX_EXPLAIN_BODY_BYTES).toBeGreaterThan(draft);
});
