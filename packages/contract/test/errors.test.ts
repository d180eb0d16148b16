/** Refusals: what the catalogue says of each, what a caller reads, and the heading of docs/errors.md it is led to. */
import { expect, test } from 'vitest';
import { anchorOf, errorAnchor } from '../src/error-anchor.ts';
import { ERRORS, type ErrorCode, OPERATIONS_STATUS, refuse, renderError, TRANSPORT_STATUS } from '../src/errors.ts';

test('every error has its status and its level of the log', () => {
  const table = Object.entries(ERRORS).map(([code, { status, level }]) => `${code} ${status} ${level}`);
  expect(table).toEqual([
    'invalid_request 400 info',
    'invalid_signature 401 warn',
    'stale_timestamp 401 warn',
    'idempotency_conflict 409 warn',
    'arithmetic_mismatch 422 warn',
    'unknown_currency 422 warn',
    'venue_not_configured 422 warn',
    'too_many_lines 422 warn',
    'rate_limited 429 warn',
    'internal_error 500 error',
    'unavailable 503 warn',
  ]);
});

test('the operations port and the transport answer with the statuses that HTTP has for it', () => {
  const list = (table: Readonly<Record<string, number>>) =>
    Object.entries(table).map(([word, status]) => `${word} ${status}`);
  expect(list(TRANSPORT_STATUS)).toEqual(['notFound 404', 'methodNotAllowed 405', 'bodyTooLarge 413']);
  expect(list(OPERATIONS_STATUS)).toEqual([
    'invalid 400',
    'unauthorized 401',
    'forbidden 403',
    'notFound 404',
    'methodNotAllowed 405',
    'conflict 409',
    'preconditionFailed 412',
    'bodyTooLarge 413',
    'misdirected 421',
    'refused 422',
    'fault 500',
    'unavailable 503',
  ]);
});

test('a refusal has the words of the catalogue unless it has its own, and nothing that was not given', () => {
  expect(refuse('internal_error')).toEqual({
    ...{ code: 'internal_error', status: 500, message: 'Unexpected error on the service side.' },
  });
  const details = { field: '/lines', expected: 1, received: 2 };
  expect(refuse('invalid_request', { message: 'No.', details, status: 413 })).toEqual({
    ...{ code: 'invalid_request', status: 413, message: 'No.', details },
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

test('an anchor is a code, and its family behind it', () => {
  expect([anchorOf('invalid_request'), anchorOf('invalid_request', 'order discounts')]).toEqual([
    ...['invalid_request', 'invalid_request-order-discounts'],
  ]);
});
