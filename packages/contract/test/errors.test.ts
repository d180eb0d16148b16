/** Refusals: what a caller reads, and the heading of docs/errors.md it is led to. */
import { expect, test } from 'vitest';
import { errorAnchor } from '../src/error-anchor.ts';
import { ERRORS, type ErrorCode, refuse, renderError } from '../src/errors.ts';

test('a refusal has the words of the catalogue unless it has its own, and nothing that was not given', () => {
  expect(refuse('internal_error')).toEqual({
    code: 'internal_error',
    status: 500,
    message: 'Unexpected error on the service side.',
  });
  const details = { field: '/lines', expected: 1, received: 2 };
  expect(refuse('invalid_request', { message: 'No.', details, status: 413 })).toEqual({
    code: 'invalid_request',
    status: 413,
    message: 'No.',
    details,
  });
});

test.each<[ErrorCode, number | undefined, number | undefined]>([
  ['unavailable', undefined, 1],
  ['rate_limited', undefined, 1],
  ['unavailable', 0, 1],
  ['rate_limited', 2, 2],
  ['rate_limited', 2.1, 3],
  ['invalid_signature', undefined, undefined],
  ['internal_error', 5, 5],
])('%s after %s s: retry after %s s', (code, retryAfterSeconds, expected) => {
  expect(refuse(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds }).retryAfterSeconds).toBe(expected);
});

test('the body of an error has details and an address only where there are any', () => {
  const render = (...rest: [string?]) => JSON.parse(renderError(refuse('stale_timestamp'), 'r-1', ...rest));
  const error = { code: 'stale_timestamp', message: ERRORS.stale_timestamp.message, requestId: 'r-1' };
  expect(render()).toEqual({ error });
  expect(render('https://docs/errors')).toEqual({ error: { ...error, docUrl: 'https://docs/errors' } });
});

test.each<[ErrorCode, string | undefined, string]>([
  ['invalid_request', undefined, 'invalid_request'],
  ['invalid_request', '', 'invalid_request-json'],
  ['invalid_request', 'Idempotency-Key', 'invalid_request-headers'],
  ['invalid_request', '/loyaltyId', 'invalid_request-fields'],
  ['invalid_request', '/', 'invalid_request-fields'],
  ['invalid_request', '/toString', 'invalid_request-fields'],
  ['invalid_request', '/context/venueId', 'invalid_request-context'],
  ['invalid_request', '/lines/0/name', 'invalid_request-lines'],
  ['invalid_request', '/orderDiscounts/0/amount', 'invalid_request-order-discounts'],
  ['invalid_request', '/totals', 'invalid_request-totals'],
  ['arithmetic_mismatch', '/totals/total', 'arithmetic_mismatch-totals'],
  ['arithmetic_mismatch', '/context', 'arithmetic_mismatch'],
  ['too_many_lines', '/lines', 'too_many_lines'],
])('%s at %s is described under #%s', (code, field, anchor) => {
  expect(errorAnchor({ code, details: field === undefined ? {} : { field } })).toBe(anchor);
  if (field === undefined) expect(errorAnchor({ code })).toBe(anchor);
});
