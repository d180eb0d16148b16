/** W3C Trace Context: the header `traceparent`, by which a call is one step of its caller's trace. */

/** The caller's trace, and its own step of it. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly parentId: string;
  /** The caller records this trace. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Parses the header; undefined for anything else, which is ignored as the recommendation says. */
export function parseTraceParent(text: string): TraceParent | undefined {
  const match = TRACEPARENT.exec(text);
  if (!match) return undefined;
  // The first version has nothing behind its flags; a later one may.
  if (match[1] === '00' && match[5] !== undefined) return undefined;
  return { traceId: match[2]!, parentId: match[3]!, isSampled: (Number.parseInt(match[4]!, 16) & SAMPLED) !== 0 };
}

/** The header `traceresponse`: our own step of the trace, for the caller's records. */
export function renderTraceResponse({ traceId, isSampled }: TraceParent, spanId: string): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
