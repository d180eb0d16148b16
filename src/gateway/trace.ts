import { randomBytes } from 'node:crypto';
import { parseTraceParent, renderTraceResponse, type TraceParent } from '@loyalty/contract/trace-context';

const SPAN_ID_BYTES = 8;

/** Our step of the caller's trace. */
export interface CallTrace extends TraceParent {
  readonly spanId: string;
  /** The header `traceresponse`. */
  readonly response: string;
}

/** Begins our step of a trace; undefined for a caller who has none. */
export function beginTrace(traceparent: string | undefined): CallTrace | undefined {
  const parent = traceparent === undefined ? undefined : parseTraceParent(traceparent);
  if (!parent) return undefined;
  const spanId = randomBytes(SPAN_ID_BYTES).toString('hex');
  return { ...parent, spanId, response: renderTraceResponse(parent, spanId) };
}
