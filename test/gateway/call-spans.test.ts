/** The spans of a call whose caller records its trace. */
import { describe, expect, test } from 'vitest';
import { spansOf } from '../../src/gateway/call-spans.ts';
import type { Exchange } from '../../src/gateway/exchange.ts';
import type { CallRecord } from '../../src/gateway/lifecycle.ts';
import { beginTrace } from '../../src/gateway/trace.ts';
import { type Phases, Stopwatch } from '../../src/telemetry/stopwatch.ts';

const [TRACE, PARENT] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const route = '/v1/pos/basket';
const known: CallRecord = { route, isAuthentic: true };

function spans(record: CallRecord, { status = 200, flags = '01', phases = {} as Phases, endMs = 1_000 } = {}) {
  const trace = flags === '' ? undefined : beginTrace(`00-${TRACE}-${PARENT}-${flags}`);
  const stopwatch = new Stopwatch();
  Object.assign(stopwatch.phases, phases);
  const call = { requestId: 'r', trace, stopwatch } as unknown as Exchange;
  return spansOf(record, call, { status, durationMs: 60 }, endMs);
}

describe('the span of a call', () => {
  test('is a step of its caller, and says what became of the call', () => {
    const [root, ...others] = spans(known);
    expect(others).toEqual([]);
    expect(root).toStrictEqual({
      ...{ traceId: TRACE, parentSpanId: PARENT, spanId: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ...{ name: `POST ${route}`, isServer: true, startMs: 940, endMs: 1_000, isFault: false },
      attributes: {
        ...{ 'http.request.method': 'POST', 'http.route': route, 'http.response.status_code': 200 },
        'loyalty.request_id': 'r',
      },
    });
  });

  test.each<[Partial<CallRecord>, object]>([
    [{ calculationId: 'c' }, { 'loyalty.calculation_id': 'c' }],
    [{ venueId: 'oslo-central' }, { 'loyalty.venue': 'oslo-central' }],
    [{ status: 'applied' }, { 'loyalty.status': 'applied' }],
    [{ code: 'unavailable' }, { 'loyalty.code': 'unavailable' }],
    [{ isReplayed: true }, { 'loyalty.replayed': 'true' }],
  ])('has what is known of the call: %j', (more, expected) => {
    const [plain] = spans(known);
    expect(spans({ ...known, ...more })[0]!.attributes).toEqual({ ...plain!.attributes, ...expected });
  });

  test.each([
    [499, false],
    [500, true],
    [503, true],
  ])('with %d is a fault of ours: %s', (status, isFault) => {
    expect(spans(known, { status })[0]).toMatchObject({
      isFault,
      attributes: { 'http.response.status_code': status },
    });
  });

  test('ends now', () => {
    const now = () => performance.timeOrigin + performance.now();
    const startMs = now();
    const call = { requestId: 'r', trace: beginTrace(`00-${TRACE}-${PARENT}-01`), stopwatch: new Stopwatch() };
    const [root] = spansOf(known, call as unknown as Exchange, { status: 200, durationMs: 5 });
    expect(root!.endMs).toBeGreaterThanOrEqual(startMs);
    expect(root!.endMs).toBeLessThanOrEqual(now());
    expect(root!.endMs - root!.startMs).toBeCloseTo(5, 3);
  });

  test.each([
    ['has no trace', known, ''],
    ['does not record its trace', known, '00'],
    ['is a stranger', { route }, '01'],
  ])('is not there when the caller %s', (_, record, flags) => {
    expect(spans(record, { flags })).toEqual([]);
  });
});

describe('the spans of the phases', () => {
  const phases = {
    ...{ reply: 2, parse: 5, member: 7, price: 11, commit: 13 },
    ...{ body: 500, signature: 3, replay: 6, worker: 10 },
  };

  test('follow each other from the last byte of the body', () => {
    const [root, ...steps] = spans(known, { phases });
    expect(steps.map(({ name, startMs, endMs }) => [name, startMs, endMs])).toEqual([
      ['signature', 940, 943],
      ['parse', 943, 948],
      ['member', 948, 955],
      ['replay', 955, 961],
      ['price', 961, 972],
      ['worker', 972, 982],
      ['commit', 982, 995],
      ['reply', 995, 997],
    ]);
    for (const { parentSpanId } of steps) expect(parentSpanId).toBe(root!.spanId);
    const own = { traceId: TRACE, isServer: false, isFault: false, attributes: {} };
    for (const step of steps) expect(step).toMatchObject(own);
    const ids = new Set([root!, ...steps].map(({ spanId }) => spanId));
    expect([ids.size, [...ids].every((id) => /^[0-9a-f]{16}$/.test(id))]).toEqual([9, true]);
  });

  test('leave out a phase that the call did not need', () => {
    const steps = spans(known, { phases: { signature: 3, reply: 2, lookup: 5 }, status: 429 }).slice(1);
    expect(steps.map(({ name, startMs }) => [name, startMs])).toEqual([
      ['signature', 940],
      ['lookup', 943],
      ['reply', 948],
    ]);
  });
});
