/** What is counted of an ended call, of its result, and which refusals the live page shows. */

import { type Refusal, refuse } from '@loyalty/contract/errors';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/calls/call.ts';
import type { CallFacts } from '../../src/calls/call-facts.ts';
import { observeCall, observeOutcome, rememberRefusal } from '../../src/gateway/call-observer.ts';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { CallMetrics } from '../../src/telemetry/call-metrics.ts';
import { RecentRefusals } from '../../src/telemetry/recent-refusals.ts';
import type { Phases } from '../../src/telemetry/stopwatch.ts';
import { endOf } from './support/ended.ts';

const route = '/v1/pos/basket';

interface Ended {
  readonly record?: Partial<CallRecord>;
  readonly status?: number;
  readonly phases?: Phases;
  readonly isAborted?: boolean;
  readonly refusal?: Refusal;
}

function callOf({ record, phases = { body: 1, worker: 2 }, ...more }: Ended): CallRecord {
  return { route, stage: 'stranger', ...record, end: endOf({ phases, ...more }) };
}

const above0 = (counts: ReadonlyMap<string, number>) =>
  Object.fromEntries([...counts].filter(([, count]) => count > 0));

describe('an ended call is counted', () => {
  /** What has moved: the call, an event, the reason of a 503, and among whose durations its own count. */
  const counted = ({ record, ...call }: Ended) => {
    const metrics = new CallMetrics();
    observeCall(metrics, callOf({ record: { stage: 'known', ...record }, ...call }));
    const moved = [metrics.calls, metrics.events, metrics.unavailable].flatMap((counts) => Object.keys(above0(counts)));
    const [total, ...phases] = metrics.figures;
    return [...moved, ...(total ? [[total.route, ...phases.map(({ phase }) => phase)].join(' ')] : [])];
  };
  const code = 'unavailable';
  const timed = `${route} body worker`;

  test.each<[string, Ended, string[]]>([
    ['that was answered', {}, [`${route} 200 none`, timed]],
    ['that was replayed', { record: { isReplayed: true } }, [`${route} 200 none`, 'replayed', timed]],
    [
      'whose stored answer is damaged',
      { record: { unreplayable: true, code: 'internal_error' }, status: 500 },
      [`${route} 500 internal_error`, 'unreplayable', timed],
    ],
    ['whose caller hung up', { status: 0, isAborted: true }, [`${route} 0 aborted`, timed]],
    [
      'whose caller did not read its refusal',
      { record: { code: 'unknown_currency', reason: 'threads' }, status: 422, isAborted: true },
      [`${route} 422 unknown_currency`, timed],
    ],
    [
      'at its deadline, with the phase',
      { record: { code, reason: 'deadline', phase: 'commit' }, status: 503 },
      [`${route} 503 unavailable`, 'deadline commit', timed],
    ],
    [
      'for want of Redis, where nothing else is said, before any work: its time is not the route’s',
      { record: { code }, status: 503 },
      [`${route} 503 unavailable`, 'redis none', 'unavailable body worker'],
    ],
    [
      'for want of threads, before any work',
      { record: { code, reason: 'threads' }, status: 503, phases: { lookup: 1 } },
      [`${route} 503 unavailable`, 'threads none', 'unavailable lookup'],
    ],
    [
      'whose Redis went away when it was priced',
      { record: { code, reason: 'breaker' }, status: 503, phases: { member: 1, price: 1 } },
      [`${route} 503 unavailable`, 'breaker none', `${route} member price`],
    ],
    [
      'that was shed, by its status alone',
      { record: { code, reason: 'admission', stage: 'shed' }, status: 503 },
      ['shed 503 unavailable', 'admission none', 'shed'],
    ],
    [
      'of a stranger, whose time is not the route’s',
      { record: { code: 'invalid_signature', stage: 'stranger' }, status: 401 },
      [`${route} 401 invalid_signature`, 'stranger body worker'],
    ],
    [
      'beyond the rate of its venue, whose time is not the route’s either',
      { record: { code: 'rate_limited' }, status: 429 },
      [`${route} 429 rate_limited`, 'rate_limited body worker'],
    ],
    ['for a public page', { record: { route: '/docs', stage: 'stranger' } }, ['/docs 200 none', '/docs body worker']],
    [
      'whose body never arrived, among the uploads',
      { record: { code, reason: 'upload', stage: 'unfinished' }, status: 503 },
      ['upload none'],
    ],
  ])('%s', (_, ended, expected) => {
    expect(counted(ended)).toEqual(expected);
  });
});

describe('the result of a call', () => {
  const counted = (facts: CallFacts, kind: 'answer' | 'refusal' = 'answer') => {
    const metrics = new CallMetrics();
    const outcome: Outcome =
      kind === 'answer'
        ? { kind, body: Buffer.of(), isReplayed: false, facts }
        : { kind, refusal: refuse('unavailable'), facts };
    observeOutcome(metrics, outcome, facts);
    const { ahead, behind } = metrics.clockOffsets;
    const clock = [ahead, behind].flatMap(({ counts, sumMs }) => [
      counts.reduce((sum, count) => sum + count, 0),
      sumMs,
    ]);
    return { events: above0(metrics.events), clock };
  };
  const still = [0, 0, 0, 0];

  test.each<[CallFacts, object]>([
    [{}, {}],
    [{ status: 'unchanged', shortages: 0 }, { answer_unchanged: 1 }],
    // What is given again was counted when it was given first.
    [{ status: 'applied', isReplayed: true, ownDiscountsReturned: 1 }, {}],
    [{ ownDiscountsReturned: 3 }, { own_discount_returned: 1 }],
    // A sale event tells the status of its calculation too, which was counted with its basket.
    [
      { result: 'recorded', status: 'applied', isLate: true },
      { sale_recorded: 1, sale_late: 1 },
    ],
    [
      { result: 'duplicate', overRedeemed: 4 },
      { sale_duplicate: 1, over_redeemed_units: 4 },
    ],
    [
      { holdsMade: 2, holdsReleased: 3, holdsConsumed: 5 },
      { hold_made: 2, hold_released: 3, hold_consumed: 5 },
    ],
  ])('is counted by its effects: %j', (facts, events) => {
    expect(counted(facts)).toEqual({ events, clock: still });
    expect(counted(facts, 'refusal')).toEqual({ events: {}, clock: still });
  });

  test.each<[CallFacts, object, readonly number[]]>([
    [{ shortages: 2 }, { shortage: 2 }, still],
    [{ unrecorded: true }, { record_dropped: 1 }, still],
    [{ clockOffsetSeconds: 90, clockOff: true }, { clock_off: 1 }, [1, 90_000, 0, 0]],
    [{ clockOffsetSeconds: -90 }, {}, [0, 0, 1, 90_000]],
    [{ clockOffsetSeconds: 0 }, {}, [0, 0, 1, 0]],
  ])('is counted by what was met, whether it was refused or not: %j', (facts, events, clock) => {
    expect([counted(facts), counted(facts, 'refusal')]).toEqual([
      { events, clock },
      { events, clock },
    ]);
  });
});

describe('a refusal', () => {
  const noted = (...all: readonly Ended[]) => {
    const refusals = new RecentRefusals();
    for (const ended of all) rememberRefusal(refusals, callOf(ended));
    return refusals;
  };
  const refusal = refuse('too_many_lines');

  test('is shown with its call', () => {
    const startMs = Date.now();
    const { list } = noted({ refusal, record: { stage: 'known', venueId: 'oslo-central', calculationId: 'c' } });
    expect(list).toEqual([
      {
        ...{ code: 'too_many_lines', status: refusal.status, message: refusal.message, atMs: expect.any(Number) },
        ...{ route, requestId: 'r', venueId: 'oslo-central', calculationId: 'c', count: 1 },
      },
    ]);
    expect(list[0]!.atMs).toBeGreaterThanOrEqual(startMs);
  });

  test.each<[string, Ended]>([
    ['there was none', {}],
    ['its call was shed', { refusal, record: { stage: 'shed' } }],
    ['its body never arrived', { refusal, record: { stage: 'unfinished' } }],
  ])('is not shown where %s', (_, ended) => {
    expect(noted(ended).list).toEqual([]);
  });

  test('of a stranger takes no place of a caller, and strangers share a note', () => {
    const known: Ended = { refusal, record: { stage: 'known' } };
    expect(noted(known, known).list.map(({ count }) => count)).toEqual([1, 1]);
    expect(noted({ refusal }, { refusal }).list.map(({ count }) => count)).toEqual([2]);
    expect(noted(known, { refusal: refuse('invalid_signature') }).find('r')?.code).toBe('too_many_lines');
  });
});
