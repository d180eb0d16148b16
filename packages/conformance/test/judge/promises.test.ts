/** The promises about the form of an answer: each permitted form passes, and each broken promise gets one finding. */

import { UNCHANGED_REASONS } from '@loyalty/contract/basket-response';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import type { Promises } from '../../src/kit/judge/promises.ts';
import { errorOf, exchangeOf, REQUEST_ID, unchanged } from './plants.ts';

const PROMISES: Promises = { discountCode: 'loyalty' };

/** What is found beyond the interface; the interface itself has nothing against the answer. */
function findings(exchange: Exchange): string[] {
  expect(judgeExchange(exchange)).toEqual([]);
  return judgeExchange(exchange, PROMISES);
}

describe('headers', () => {
  const answerWith = (name: string, value: string): Exchange =>
    exchangeOf(
      { calculationId: basketOf().calculationId, status: 'member_not_found' },
      200,
      { [name]: value },
      {
        request: undefined,
      },
    );

  test.each([
    'app;dur=0',
    'app;dur=12.345',
    'app;dur=12.3, environment;desc="staging", price-phase;dur=17.213, store;dur=3',
    'app;dur=1, environment;desc=""',
  ])('Server-Timing: %s', (timing) => {
    expect(findings(answerWith('Server-Timing', timing))).toEqual([]);
  });

  test.each([
    'app;dur=1.2345',
    'app;dur=1, db',
    'app;dur=1, db;dur=1.2345',
    'app;dur=1, db;dur=x',
    'app;dur=1, db;desc="a"b"',
    'app;dur=1, db;dur=1, ',
  ])('no Server-Timing: %s', (timing) => {
    expect(findings(answerWith('Server-Timing', timing))).toEqual([
      `Server-Timing: is not app;dur=<ms> to the microsecond: ${timing}`,
    ]);
  });

  test('the version of the interface, and the charset', () => {
    expect(findings(answerWith('Loyalty-Interface', '9.9.9'))).toEqual([
      'Loyalty-Interface: is 9.9.9, not 0.1.0-draft',
    ]);
    expect(findings(answerWith('Loyalty-Interface', ''))).toEqual(['Loyalty-Interface: is undefined, not 0.1.0-draft']);
    expect(findings(answerWith('Content-Type', 'application/json'))).toEqual([
      'Content-Type: is application/json, not application/json; charset=utf-8',
    ]);
  });

  test('a replay is an answer 200', () => {
    expect(findings(answerWith('Idempotent-Replayed', 'true'))).toEqual([]);
    expect(findings(errorOf(500, 'internal_error', undefined, { 'Idempotent-Replayed': 'true' }))).toEqual([
      'Idempotent-Replayed: only 200 is stored, not 500',
    ]);
  });

  test('Allow belongs to 405, once', () => {
    const allow: [string, string] = ['Allow', 'POST'];
    const refused = errorOf(405, 'invalid_request', undefined, { Allow: 'POST' });
    expect(findings(refused)).toEqual([]);
    expect(findings({ ...refused, headers: [...refused.headers, allow] })).toEqual([
      'Allow: belongs to 405, once, and to nothing else; 405 has 2',
    ]);
    expect(findings(errorOf(405, 'invalid_request'))).toEqual([
      'Allow: belongs to 405, once, and to nothing else; 405 has 0',
    ]);
    expect(findings(errorOf(404, 'invalid_request', undefined, { Allow: 'POST' }))).toEqual([
      'Allow: belongs to 405, once, and to nothing else; 404 has 1',
    ]);
  });

  test('an answer to HEAD has headers only, and so has one that cannot be read', () => {
    expect(judgeExchange(exchangeOf('', 404, {}, { method: 'HEAD' }), PROMISES)).toEqual([]);
    expect(judgeExchange(exchangeOf('null', 404, {}, { method: 'HEAD' }), PROMISES)).toEqual([
      'body: an answer to HEAD has none',
    ]);
    expect(judgeExchange(exchangeOf('<html>', 200, {}, { endpoint: 'sale' }), PROMISES)).toEqual([
      '/: expected an object, found undefined',
      'body: is not JSON in UTF-8',
    ]);
  });
});

describe('fields', () => {
  const sale = (body: unknown): Exchange => exchangeOf(body, 200, {}, { endpoint: 'sale' });

  test('no field has the value null', () => {
    expect(findings(unchanged({ reason: 'member_inactive', later: { to: [null] } }))).toEqual([
      '/later/to/0: is null',
      '/later: is not a field of the interface',
    ]);
    expect(findings(errorOf(400, 'invalid_request', { received: null }))).toEqual(['/error/details/received: is null']);
    expect(judgeExchange(sale(null), PROMISES)).toEqual(['/: expected an object, found null', '/: is null']);
  });

  test('no field is unknown', () => {
    expect(findings(sale({ result: 'recorded' }))).toEqual([]);
    expect(findings(sale({ result: 'recorded', points: 3 }))).toEqual(['/points: is not a field of the interface']);
    const error = { code: 'invalid_request', message: 'No.', requestId: REQUEST_ID, hint: 'x' };
    expect(findings(exchangeOf({ error }, 400))).toEqual(['/error/hint: is not a field of the interface']);
  });

  test('a path outside of the interface is refused', () => {
    expect(findings(exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'other' }))).toEqual([
      'status: a path outside the interface is answered 200',
    ]);
    expect(judgeExchange(exchangeOf('<html>', 200, {}, { endpoint: 'other' }), PROMISES)).toEqual([
      'body: is not JSON in UTF-8',
      'status: a path outside the interface is answered 200',
    ]);
    expect(findings(exchangeOf(errorOf(404, 'invalid_request').body, 404, {}, { endpoint: 'other' }))).toEqual([]);
  });

  test('a reason is one of the four', () => {
    for (const reason of UNCHANGED_REASONS) expect(findings(unchanged({ reason }))).toEqual([]);
    expect(findings(unchanged({ reason: 'because' }))).toEqual(['/reason: "because" is none of the four']);
  });
});

describe('errors', () => {
  const refused = (status: number, code: string, more: object = {}): Exchange =>
    exchangeOf({ error: { code, message: 'No.', requestId: REQUEST_ID, ...more } }, status);

  test('an oversized body is not 422', () => {
    expect(findings(refused(413, 'invalid_request'))).toEqual([]);
    expect(findings(refused(422, 'too_many_lines'))).toEqual([]);
    expect(findings(refused(422, 'invalid_request'))).toEqual(['/error/code: invalid_request under 422']);
  });

  test('a message has at most 1,000 characters', () => {
    expect(findings(refused(400, 'invalid_request', { message: 'x'.repeat(1_000) }))).toEqual([]);
    expect(findings(refused(400, 'invalid_request', { message: 'x'.repeat(1_001) }))).toEqual([
      '/error/message: has 1001 characters',
    ]);
  });

  test.each(['node:fs', 'file:///srv', 'price.ts', 'main.js', 'bucket.lua', 'ReplyError', 'ECONNRESET', 'Ajv'])(
    'our machinery: %s',
    (cause) => {
      expect(findings(errorOf(500, 'internal_error', { cause }))).toEqual(['body: tells what this service is made of']);
    },
  );

  const request = basketOf([{ unitPrice: 700 }]);
  const mismatch = (details: object): Exchange => ({ ...errorOf(422, 'arithmetic_mismatch', details), request });

  test('arithmetic_mismatch points at what was sent', () => {
    expect(findings(mismatch({ field: '/totals/total', expected: 1, received: 700 }))).toEqual([]);
    expect(findings(mismatch({ field: '/totals/total', expected: 1, received: '700' }))).toEqual([]);
    expect(findings(mismatch({ field: '/totals/total', expected: 1, received: 701 }))).toEqual([
      '/error/details/received: is 701, but 700 was sent',
    ]);
    expect(findings(mismatch({ field: '/nowhere', expected: 1, received: 700 }))).toEqual([
      '/error/details/field: /nowhere points at nothing that was sent',
    ]);
    expect(findings(mismatch({ field: 7, expected: 1, received: 700 }))).toEqual(['/error/details/field: is no text']);
  });

  test('another code may name anything, and so may one whose request was no object', () => {
    const details = { field: '/nowhere', expected: 1, received: 2 };
    expect(findings(errorOf(400, 'invalid_request', details))).toEqual([]);
    expect(findings({ ...mismatch(details), request: undefined })).toEqual([]);
  });
});
