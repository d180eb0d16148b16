import { describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';

/** Settings of the environment's file that are right one by one, and not together. */

interface Words {
  readonly environment?: string;
  readonly testMembers?: readonly string[];
  readonly rateLimit?: object;
  readonly calculation?: object;
  readonly latencyBudget?: object;
  readonly requestedAt?: object;
}

/** What the start says of the file; undefined when it starts. */
function faultOf(words: Words): string | undefined {
  try {
    loadEnvironment(JSON.stringify({ environment: 'staging', venues: [], programmes: [], ...words }), 'x.yaml');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('two settings that contradict each other are both named', () => {
  it.each<[title: string, words: Words, fault: string]>([
    [
      'a calculation is forgotten before its hold ends',
      { calculation: { holdMinutes: 60, idempotencyHours: 0.9, retentionDays: 0.04 } },
      'calculation.retentionDays: found 0.04, allowed: at least 0.0417, since calculation.holdMinutes is 60',
    ],
    [
      'a calculation is forgotten before both',
      { calculation: { retentionDays: 0.01 } },
      'calculation.retentionDays: found 0.01, allowed: at least 1, since calculation.holdMinutes is 30 and calculation.idempotencyHours is 24',
    ],
    [
      'a calculation is forgotten before its answer',
      { calculation: { retentionDays: 0.5 } },
      'calculation.retentionDays: found 0.5, allowed: at least 1, since calculation.idempotencyHours is 24',
    ],
    [
      'the retention alone is given, and is below the window that nobody gave',
      { calculation: { retentionDays: 0.99 } },
      'calculation.retentionDays: found 0.99, allowed: at least 1, since calculation.idempotencyHours is 24',
    ],
    [
      'an answer is forgotten while its hold lives',
      { calculation: { holdMinutes: 61, idempotencyHours: 1 } },
      'calculation.holdMinutes: found 61, allowed: at most 60, since calculation.idempotencyHours is 1',
    ],
    [
      'the window alone is given, and is below the hold that nobody gave',
      { calculation: { idempotencyHours: 0.25 } },
      'calculation.holdMinutes: found 30, allowed: at most 15, since calculation.idempotencyHours is 0.25',
    ],
    [
      'a budget for most calls is above the one for nearly all',
      { latencyBudget: { p95: 260 } },
      'latencyBudget.p95: found 260, allowed: at most p99 (250)',
    ],
    [
      'a budget is above the deadline',
      { latencyBudget: { p99: 401 } },
      'latencyBudget.p99: found 401, allowed: at most deadline (400)',
    ],
    [
      'the deadline alone is given, and is below the budget that nobody gave',
      { latencyBudget: { deadline: 200 } },
      'latencyBudget.p99: found 250, allowed: at most deadline (200)',
    ],
    [
      'the deadline is no earlier than the moment at which the caller gives up',
      { latencyBudget: { deadline: 500 } },
      'latencyBudget.deadline: found 500, allowed: milliseconds from 100 to 499',
    ],
    [
      'the deadline leaves no time for anything but its own margin',
      { latencyBudget: { p95: 50, p99: 50, deadline: 99 } },
      'latencyBudget.deadline: found 99, allowed: milliseconds from 100 to 499',
    ],
    [
      'a time is believed whose period may be forgotten',
      { requestedAt: { pastHours: 169, aheadMinutes: 5 } },
      'requestedAt.pastHours: found 169, allowed: at most 168, since calculation.retentionDays is 7',
    ],
  ])('%s', (_, words, fault) => {
    expect(faultOf(words)).toBe(`x.yaml: ${fault}`);
  });

  it.each<[title: string, words: Words]>([
    ['nothing is given', {}],
    [
      'hold, window and retention are the same',
      { calculation: { holdMinutes: 1440, idempotencyHours: 24, retentionDays: 1 } },
    ],
    ['all three are seconds', { calculation: { holdMinutes: 0.02, idempotencyHours: 0.001, retentionDays: 0.0001 } }],
    ['budgets and deadline are the same', { latencyBudget: { p95: 400, p99: 400, deadline: 400 } }],
    ['a burst below the rate paces the callers', { rateLimit: { sustained: 50, burst: 1 } }],
    ['the sustained rate alone is given', { rateLimit: { sustained: 5000 } }],
    ['the past that is believed is all that is kept', { requestedAt: { pastHours: 168, aheadMinutes: 5 } }],
  ])('it starts when %s', (_, words) => {
    expect(faultOf(words)).toBeUndefined();
  });
});

it('equal periods are equal, whatever a fraction of an hour or a day loses', () => {
  for (let ms = 1; ms < 100_000_000; ms = Math.ceil(ms * 1.1) + 7) {
    const periods = [ms / 60_000, ms / 3_600_000, ms / 86_400_000] as const;
    const [holdMinutes, idempotencyHours, retentionDays] = periods;
    expect(faultOf({ calculation: { holdMinutes, idempotencyHours, retentionDays } }), `${ms} ms`).toBeUndefined();
  }
});

describe('requestedAt', () => {
  it.each([
    [{}, 'requestedAt.pastHours: found nothing, allowed: hours, above 0'],
    [{ pastHours: 2 }, 'requestedAt.aheadMinutes: found nothing, allowed: minutes, above 0'],
    [{ pastHours: 0, aheadMinutes: 1 }, 'requestedAt.pastHours: found 0, allowed: hours, above 0'],
    [{ pastHours: 2, aheadMinutes: -1 }, 'requestedAt.aheadMinutes: found -1, allowed: minutes, above 0'],
    [
      { pastHours: 2, aheadHours: 1 },
      'requestedAt: found the unknown field "aheadHours", allowed: pastHours, aheadMinutes',
    ],
  ])('%j is refused', (requestedAt, fault) => {
    expect(faultOf({ requestedAt })).toContain(fault);
  });
});

describe('test members', () => {
  it('are named in staging', () => {
    expect(faultOf({ testMembers: ['test-member-20'] })).toBeUndefined();
  });

  it('are refused in production', () => {
    expect(faultOf({ environment: 'production', testMembers: ['test-member-20'] })).toContain(
      'testMembers: found ["test-member-20"], allowed: no test members in production, because no clock can be moved there',
    );
  });
});
