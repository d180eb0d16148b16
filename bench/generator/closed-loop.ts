import autocannon from 'autocannon';
import type { Tape } from './tape.ts';

/** A load at saturation: each connection sends its next request when the last one is answered. */
export interface ClosedLoad {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Ends after this many requests instead of a time. */
  readonly amount?: number;
}

export interface ClosedResult {
  readonly seconds: number;
  readonly requests: number;
  /** Answers with 200, and with 503. */
  readonly accepted: number;
  readonly refused: number;
  /** Connection errors, timeouts and wrong answers. */
  readonly faults: number;
  /** Milliseconds as autocannon measures: from the actual send, so under saturation mostly queueing. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Measures saturation: autocannon takes each request from the tape. With a fixed list its connections would all begin
 * with the same request, so that one answer would be computed and the others replayed. There is no pipelining, because
 * a till's connection has one call at a time.
 */
export async function runClosedLoop(load: ClosedLoad, tape: Tape): Promise<ClosedResult> {
  const setupRequest = (request: object) => ({ ...request, ...tape.take() });
  const { duration, requests, statusCodeStats, errors, mismatches, latency } = await autocannon({
    url: load.url,
    connections: load.connections,
    ...(load.amount === undefined ? { duration: load.seconds } : { amount: load.amount }),
    method: 'POST',
    sampleInt: 100,
    requests: [{ setupRequest }],
  });
  return {
    seconds: duration,
    requests: requests.total,
    accepted: statusCodeStats['200']?.count ?? 0,
    refused: statusCodeStats['503']?.count ?? 0,
    faults: errors + mismatches,
    p50Ms: latency.p50,
    p99Ms: latency.p99,
  };
}
