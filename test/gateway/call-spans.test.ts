/** The spans of a call whose caller records its trace. A real service sends them in `test/e2e/logs.test.ts`. */
import { expect, test } from 'vitest';
import type { CallRecord } from '../../src/gateway/call-record.ts';
import { spansOf } from '../../src/gateway/call-spans.ts';
import { beginTrace } from '../../src/gateway/trace.ts';
import { endOf } from './support/ended.ts';

const [TRACE, PARENT] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
type Noted = Omit<CallRecord, 'end'>;
const route = '/v1/pos/basket';
const known: Noted = { route, stage: 'known' };

function spans(record: Noted, { status = 200, flags = '01', phases = {} } = {}) {
  const trace = flags === '' ? undefined : beginTrace(`00-${TRACE}-${PARENT}-${flags}`);
  return spansOf({ ...record, end: endOf({ trace, status, durationMs: 60, phases }) }, 1_000);
}

test('the span of a call is a step of its caller, and says what became of the call', () => {
  const found: Noted = {
    ...known,
    calculationId: 'c',
    venueId: 'oslo-central',
    status: 'applied',
    code: 'unavailable',
    isReplayed: true,
  };
  const attributes = {
    'http.request.method': 'POST',
    'http.route': route,
    'http.response.status_code': 200,
    'loyalty.request_id': 'r',
  };
  const root = {
    traceId: TRACE,
    parentSpanId: PARENT,
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: `POST ${route}`,
    isServer: true,
    startMs: 940,
    endMs: 1_000,
    isFault: false,
    attributes,
  };
  expect(spans(known)).toStrictEqual([root]);
  const more = {
    'loyalty.calculation_id': 'c',
    'loyalty.venue': 'oslo-central',
    'loyalty.status': 'applied',
    'loyalty.code': 'unavailable',
    'loyalty.replayed': 'true',
  };
  expect(spans(found)).toStrictEqual([{ ...root, attributes: { ...attributes, ...more } }]);
  expect([499, 500, 503].map((status) => spans(known, { status })[0]!.isFault)).toEqual([false, true, true]);
});

test.each<[string, Noted, string]>([
  ['has no trace', known, ''],
  ['does not record its trace', known, '00'],
  ['is a stranger', { route, stage: 'stranger' }, '01'],
])('there are no spans where the caller %s', (_, record, flags) => {
  expect(spans(record, { flags })).toEqual([]);
});

test('the phases follow each other from the last byte of the body, without those that the call did not need', () => {
  const [root, ...steps] = spans(known, { phases: { reply: 2, parse: 5, commit: 13, body: 500, signature: 3 } });
  expect(steps.map(({ name, startMs, endMs }) => [name, startMs, endMs])).toEqual([
    ['signature', 940, 943],
    ['parse', 943, 948],
    ['commit', 948, 961],
    ['reply', 961, 963],
  ]);
  const own = { traceId: TRACE, parentSpanId: root!.spanId, isServer: false, isFault: false, attributes: {} };
  for (const step of steps) expect(step).toMatchObject(own);
  expect(new Set([root!, ...steps].map(({ spanId }) => spanId)).size).toBe(5);
});
