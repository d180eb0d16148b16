/** The two retry rules, branch by branch; imported from the sources, because the package exports no rule. */
import { describe, expect, test } from 'vitest';
import type { AttemptFailure, AttemptResult } from '../src/attempt.ts';
import { isRetryDue } from '../src/basket-call.ts';
import { CALL_LIMITS, SALE_BACKOFF } from '../src/limits.ts';
import { judgeSaleAttempt, retryDelayMs } from '../src/outbox/sale-retry.ts';

function failedBy(failure: AttemptFailure): AttemptResult {
  return { kind: 'failed', failure, detail: failure };
}

function answered(status: number, body: unknown = {}, headers: Record<string, string> = {}): AttemptResult {
  return { kind: 'answered', status, headers, body: Buffer.from(JSON.stringify(body)) };
}

test('a basket call is tried again once, when nothing was sent, and when the hard cap leaves room', () => {
  const isDue = (result: AttemptResult, attempts = 1, elapsedMs = 3) =>
    isRetryDue(result, attempts, elapsedMs, CALL_LIMITS);
  const nothingSent = failedBy('not_connected');
  expect([isDue(nothingSent), isDue(nothingSent, 2)]).toEqual([true, false]);
  expect([isDue(nothingSent, 1, 2_899), isDue(nothingSent, 1, 2_900)]).toEqual([true, false]);
  const others = (['timeout', 'tls', 'lost', 'unreadable', 'not_sendable'] as const).map(failedBy);
  const statuses = [200, 400, 401, 409, 422, 429, 500, 503].map((status) => answered(status));
  expect([...others, ...statuses].filter((result) => isDue(result))).toEqual([]);
});

describe('a sale event', () => {
  test('ends with a result, stops at a refusal that no repetition mends, and goes on after everything else', () => {
    const actionsOf = (results: readonly AttemptResult[]) =>
      new Set(results.map((result) => judgeSaleAttempt(result).action));
    const withStatus = (...statuses: number[]) => statuses.map((status) => answered(status));
    const failures = (['timeout', 'not_connected', 'tls', 'lost', 'unreadable'] as const).map(failedBy);
    for (const result of ['recorded', 'duplicate', 'unknown_calculation']) {
      expect(judgeSaleAttempt(answered(200, { result }))).toEqual({ action: 'settle', result });
    }
    expect(actionsOf([...withStatus(400, 401, 403, 404, 409, 413, 422), failedBy('not_sendable')])).toEqual(
      new Set(['stop']),
    );
    const bodies = [null, 5, 'recorded', [], { result: 'new' }].map((body) => answered(200, body));
    expect(actionsOf([...bodies, ...withStatus(200, 204, 302, 429, 500, 502, 503, 504), ...failures])).toEqual(
      new Set(['retry']),
    );
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

  test('waits twice as long each time, up to the longest delay, by half at random, and never less than Retry-After', () => {
    const delay = (attempts: number, random: number, retryAfterMs = 0) =>
      retryDelayMs(attempts, retryAfterMs, SALE_BACKOFF, random);
    expect([1, 2, 3, 4].map((attempts) => delay(attempts, 0))).toEqual([250, 500, 1_000, 2_000]);
    expect([1, 2, 3, 4].map((attempts) => delay(attempts, 0.999_999_999))).toEqual(
      [500, 1_000, 2_000, 4_000].map((limit) => expect.closeTo(limit, 3)),
    );
    expect([delay(1_000_000, 0), delay(1, 0.5, 7_000)]).toEqual([150_000, 7_000]);
  });
});
