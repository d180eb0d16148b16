/** Headers of a call from a known caller: the first that is wrong is named, with what is expected of it. */
import { expect, test } from 'vitest';
import { findHeadError } from '../../src/gateway/lifecycle.ts';
import type { RequestHead } from '../../src/gateway/request-head.ts';

const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';
const RIGHT = { duplicated: new Set<string>(), idempotencyKey: KEY, contentType: 'application/json; charset=utf-8' };

const faultOf = (head: Partial<RequestHead>, calculationId = KEY) =>
  findHeadError({ ...RIGHT, ...head } as RequestHead, calculationId);

test('nothing is wrong with a key, JSON in UTF-8 and no content coding', () => {
  expect(faultOf({})).toBeUndefined();
  for (const contentType of ['application/json', 'Application/JSON;charset="UTF-8"']) {
    expect(faultOf({ contentType }), contentType).toBeUndefined();
  }
  for (const contentEncoding of ['identity', 'Identity']) expect(faultOf({ contentEncoding })).toBeUndefined();
});

const [UUID, JSON_TYPE, NO_CODING] = ['one lower-case UUID', 'application/json; charset=utf-8', 'no content coding'];

test.each<[string, Partial<RequestHead>, string, string, string, string?]>([
  ['no key', { idempotencyKey: undefined }, 'Idempotency-Key', UUID, 'nothing', ''],
  ['another text as the key', { idempotencyKey: '1' }, 'Idempotency-Key', UUID, 'something else', ''],
  ['two keys', { duplicated: new Set(['idempotency-key']) }, 'Idempotency-Key', UUID, 'several headers', ''],
  ['no type', { contentType: undefined }, 'Content-Type', JSON_TYPE, 'nothing'],
  ['another type', { contentType: 'text/plain' }, 'Content-Type', JSON_TYPE, 'something else'],
  ['two types', { duplicated: new Set(['content-type']) }, 'Content-Type', JSON_TYPE, 'several headers'],
  ['a content coding', { contentEncoding: 'gzip' }, 'Content-Encoding', NO_CODING, 'something else'],
  ['the key before the type', { contentType: 'text/plain' }, 'Idempotency-Key', UUID, 'something else', ''],
  [
    'the type before the coding',
    { contentType: '', contentEncoding: 'br' },
    'Content-Type',
    JSON_TYPE,
    'something else',
  ],
])('%s', (_, head, field, expected, received, calculationId) => {
  expect(faultOf(head, calculationId)).toMatchObject({
    ...{ code: 'invalid_request', status: 400, message: `The header ${field} is not valid.` },
    details: { field, expected, received },
  });
});
