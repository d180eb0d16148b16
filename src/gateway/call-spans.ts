import { randomBytes } from 'node:crypto';
import type { Span } from '../telemetry/span-export.ts';
import { ALL_PHASES, type Phases } from '../telemetry/stopwatch.ts';
import type { CallRecord } from './call-record.ts';

const SPAN_ID_BYTES = 8;
const FIRST_FAULT = 500;

/**
 * The spans of an ended call whose caller records its trace: the call and its phases, which follow each other, so that their
 * lengths tell when each began. Empty for any other call, and
 * for a stranger's, who could otherwise fill the operator's tracing system.
 */
export function spansOf(record: CallRecord, endMs: number = preciseNow()): Span[] {
  const { requestId, trace, phases, durationMs, status: httpStatus } = record.end;
  if (!trace?.isSampled || record.stage !== 'known') return [];
  const { traceId, spanId, parentId } = trace;
  const { calculationId, venueId, code, route, status, isReplayed } = record;
  const startMs = endMs - durationMs;
  const root: Span = {
    traceId,
    spanId,
    parentSpanId: parentId,
    name: `POST ${route}`,
    isServer: true,
    startMs,
    endMs,
    isFault: httpStatus >= FIRST_FAULT,
    attributes: {
      'http.request.method': 'POST',
      'http.route': route,
      'http.response.status_code': httpStatus,
      'loyalty.request_id': requestId,
      ...(calculationId !== undefined && { 'loyalty.calculation_id': calculationId }),
      ...(venueId !== undefined && { 'loyalty.venue': venueId }),
      ...(status !== undefined && { 'loyalty.status': status }),
      ...(code !== undefined && { 'loyalty.code': code }),
      ...(isReplayed && { 'loyalty.replayed': 'true' }),
    },
  };
  // A call's time begins with its last byte.
  return [root, ...follow(root, phases, ALL_PHASES.slice(1))];
}

/** One span for each of these phases, one after the other from the beginning of `parent` on. */
function follow(parent: Span, phases: Phases, names: (typeof ALL_PHASES)[number][]): Span[] {
  let atMs = parent.startMs;
  return names.flatMap((name) => {
    const durationMs = phases[name];
    if (durationMs === undefined) return [];
    const startMs = atMs;
    atMs += durationMs;
    const spanId = randomBytes(SPAN_ID_BYTES).toString('hex');
    const { traceId } = parent;
    const places = { traceId, spanId, parentSpanId: parent.spanId, name, startMs, endMs: atMs };
    return { ...places, isServer: false, isFault: false, attributes: {} };
  });
}

function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
