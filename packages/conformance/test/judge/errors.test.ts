/** Errors: every code of the contract passes under its status, and each wrong error gets one finding. */

import { ERRORS } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import { judgeExchange } from '../../../../test/support/judge.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { errorOf as bareErrorOf, exchangeOf, REQUEST_ID, unchanged } from './plants.ts';

const MISMATCH = { field: '/totals/total', expected: 1, received: 2 };

/** An error with the header that its status asks for. */
function errorOf(status: number, code: string, details?: object): Exchange {
  return bareErrorOf(status, code, details, [429, 503].includes(status) ? { 'Retry-After': '1' } : {});
}

test('every code passes under its status, and invalid_request under those of the transport', () => {
  for (const [code, { status }] of Object.entries(ERRORS))
    expect(judgeExchange(errorOf(status, code, MISMATCH))).toEqual([]);
  // An oversized body may be 422 (interface, section 7).
  for (const status of [404, 405, 413, 422]) expect(judgeExchange(errorOf(status, 'invalid_request'))).toEqual([]);
});

test.each([
  ['oops', 400, 'oops is not a code of the interface'],
  ['constructor', 400, 'constructor is not a code of the interface'],
  ['unavailable', 500, 'unavailable does not belong to status 500'],
  ['rate_limited', 422, 'rate_limited does not belong to status 422'],
])('the code %s under %d', (code, status, finding) => {
  expect(judgeExchange(errorOf(status, code))).toEqual([`/error/code: ${finding}`]);
});

describe('what an error must not tell', () => {
  const MADE_OF = 'body: tells what the service is made of';

  test.each([
    ['a stack without known files', 'Error: no\n    at price (unknown)'],
    ['a stack with tabs', 'java.lang.Error\n\tat com.example.Price.of(Unknown Source)'],
    ['a stack of Python', 'Traceback (most recent call last)'],
    ['a thread', 'Exception in thread "main"'],
    ['a package', 'cannot load node_modules/x'],
    ['a line of a source file', 'failed at price.php:12'],
    ['an address behind the service', 'no answer from redis://10.0.0.1'],
  ])('%s', (_, message) => {
    expect(judgeExchange(errorOf(500, 'internal_error', { causes: [{ message }] }))).toEqual([MADE_OF]);
  });

  test('ordinary sentences and values pass', () => {
    const details = { received: 'Sold at 12:30.\nat the till', at: 12, of: null, more: [true, 'js: 3'] };
    expect(judgeExchange(errorOf(400, 'invalid_request', details))).toEqual([]);
  });

  const errorTo = (loyaltyId: unknown, text: string, spelled = text): string[] => {
    const request = { ...basketOf(), loyaltyId };
    const body = JSON.stringify({
      error: { code: 'invalid_request', message: `No ${text}.`, requestId: REQUEST_ID },
    });
    return judgeExchange(exchangeOf(body.replace(text, spelled), 400, {}, { request }));
  };
  const REPEATED = ['body: repeats the loyalty ID'];

  test('the loyalty ID, from the length at which it can be recognised', () => {
    expect(errorTo('M-123456', 'M-123456')).toEqual(REPEATED);
    expect(errorTo('M-12345', 'M-12345')).toEqual([]);
    expect(errorTo('M-123456', 'M-123457')).toEqual([]);
  });

  test('the loyalty ID with a letter that JSON may escape', () => {
    expect(errorTo('Bjørn-123', 'Bjørn-123', 'Bj\\u00f8rn-123')).toEqual(REPEATED);
  });

  test('a request without a loyalty ID has none to repeat, and another answer may show what the member is called', () => {
    expect(judgeExchange({ ...errorOf(400, 'invalid_request'), request: undefined })).toEqual([]);
    expect(judgeExchange(unchanged({ reason: 'member_inactive', memberLabel: 'member-twenty' }))).toEqual([]);
  });
});

describe('arithmetic_mismatch', () => {
  test.each([
    [{ field: undefined }, '/error/details/field: is missing'],
    [{ expected: undefined }, '/error/details/expected: is missing'],
    [{ received: undefined }, '/error/details/received: is missing'],
    [{ expected: '2' }, '/error/details: expected and received are the same'],
  ])('with %j', (change, finding) => {
    expect(judgeExchange(errorOf(422, 'arithmetic_mismatch', { ...MISMATCH, ...change }))).toEqual([finding]);
  });

  test('without details it names nothing, and another code may say as much as it likes', () => {
    expect(judgeExchange(errorOf(422, 'arithmetic_mismatch'))).toHaveLength(3);
    expect(judgeExchange(errorOf(400, 'invalid_request', { expected: 2, received: 2 }))).toEqual([]);
  });
});
