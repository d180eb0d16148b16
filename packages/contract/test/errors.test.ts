/** Refusals as a caller reads them. That their address leads to a heading of docs/errors.md is tested with that page. */
import { expect, test } from 'vitest';
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
