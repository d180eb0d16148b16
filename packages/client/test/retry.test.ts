/** The two retry rules, branch by branch; imported from the sources, because the package exports no rule. */
import { describe, expect, test } from 'vitest';
import type { AttemptFailure, AttemptResult } from '../src/attempt.ts';
import { CALL_LIMITS, SALE_BACKOFF } from '../src/limits.ts';
import { judgeSaleAttempt, nextDelayMs } from '../src/outbox/sale-retry.ts';
import { attemptTimeMs, isRetryDue } from '../src/retry.ts';

function failedBy(failure: AttemptFailure): AttemptResult {
  return { kind: 'failed', failure, detail: failure };
}

function answered(status: number, body: unknown = {}, headers: Record<string, string> = {}): AttemptResult {
  return { kind: 'answered', status, headers, body: Buffer.from(JSON.stringify(body)) };
}

describe('the basket call', () => {
  const first = { attempts: 1, elapsedMs: 3 };

  test('is tried again once when the connection failed before the request was sent', () => {
    expect(isRetryDue({ result: failedBy('not_connected'), ...first }, CALL_LIMITS)).toBe(true);
    expect(isRetryDue({ result: failedBy('not_connected'), attempts: 2, elapsedMs: 3 }, CALL_LIMITS)).toBe(false);
  });

  test.each(['timeout', 'tls', 'lost', 'unreadable', 'not_sendable'] as const)(
    'is not tried again after %s',
    (failure) => {
      expect(isRetryDue({ result: failedBy(failure), ...first }, CALL_LIMITS)).toBe(false);
    },
  );

  test.each([200, 400, 401, 409, 422, 429, 500, 503])('is not tried again after %i', (status) => {
    expect(isRetryDue({ result: answered(status), ...first }, CALL_LIMITS)).toBe(false);
  });

  test('is not tried again when the hard cap leaves no room', () => {
    const result = failedBy('not_connected');
    expect(isRetryDue({ result, attempts: 1, elapsedMs: 2_899 }, CALL_LIMITS)).toBe(true);
    expect(isRetryDue({ result, attempts: 1, elapsedMs: 2_900 }, CALL_LIMITS)).toBe(false);
  });

  test('gives an attempt 500 ms, or what the hard cap leaves', () => {
    expect(attemptTimeMs(0, CALL_LIMITS)).toBe(500);
    expect(attemptTimeMs(2_700, CALL_LIMITS)).toBe(300);
    expect(attemptTimeMs(5_000, CALL_LIMITS)).toBe(1);
  });
});

describe('a sale event', () => {
  test.each(['recorded', 'duplicate', 'unknown_calculation'])('ends with %s', (result) => {
    expect(judgeSaleAttempt(answered(200, { result }))).toEqual({ action: 'settle', result });
  });

  test.each([400, 401, 403, 404, 409, 413, 422])('stops at %i', (status) => {
    expect(judgeSaleAttempt(answered(status)).action).toBe('stop');
  });

  test.each([200, 204, 302, 429, 500, 502, 503, 504])('goes on after %i without a result', (status) => {
    expect(judgeSaleAttempt(answered(status)).action).toBe('retry');
  });

  test.each(['timeout', 'not_connected', 'tls', 'lost', 'unreadable'] as const)('goes on after %s', (failure) => {
    expect(judgeSaleAttempt(failedBy(failure)).action).toBe('retry');
  });

  test('that cannot be written stops', () => {
    expect(judgeSaleAttempt(failedBy('not_sendable')).action).toBe('stop');
  });

  test.each([
    ['1', 1_000],
    ['120', 120_000],
    ['999999999999', 3_600_000],
    ['soon', 0],
    ['-5', 0],
    ['1.5', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ])('reads Retry-After: %s as %i ms', (value, retryAfterMs) => {
    expect(judgeSaleAttempt(answered(503, {}, { 'retry-after': value }))).toMatchObject({
      retryAfterMs,
      isOutage: true,
    });
  });

  test('waits twice as long each time, up to the longest delay, by half at random', () => {
    const delay = (attempts: number, random: number) =>
      nextDelayMs({ attempts, ageMs: 0, retryAfterMs: 0 }, SALE_BACKOFF, random);
    expect([1, 2, 3, 4].map((attempts) => delay(attempts, 0))).toEqual([250, 500, 1_000, 2_000]);
    expect([1, 2, 3, 4].map((attempts) => delay(attempts, 0.999_999_999)!)).toEqual(
      [500, 1_000, 2_000, 4_000].map((limit) => expect.closeTo(limit, 3)),
    );
    expect(delay(1_000_000, 0)).toBe(150_000);
  });

  test('never comes back before Retry-After', () => {
    expect(nextDelayMs({ attempts: 1, ageMs: 0, retryAfterMs: 7_000 }, SALE_BACKOFF, 0.5)).toBe(7_000);
  });

  test('is given up when the next attempt would come after 24 hours', () => {
    const facts = { attempts: 40, retryAfterMs: 0 };
    const day = 24 * 60 * 60_000;
    expect(nextDelayMs({ ...facts, ageMs: day - 150_000 }, SALE_BACKOFF, 0)).toBe(150_000);
    expect(nextDelayMs({ ...facts, ageMs: day - 149_999 }, SALE_BACKOFF, 0)).toBeUndefined();
  });
});
