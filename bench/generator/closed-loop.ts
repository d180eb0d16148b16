import { JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import autocannon from 'autocannon';
import type { Tape } from '../load/tape.ts';
import type { ClosedLoad, ClosedResult } from './protocol.ts';

/**
 * Measures saturation: autocannon takes each request from the tape. With a fixed list its connections would all begin
 * with the same request, so that one answer would be computed and the others replayed. There is no pipelining, because
 * a till's connection has one call at a time.
 */
export async function runClosedLoop(
  load: ClosedLoad,
  tape: Tape,
  from: number,
): Promise<ClosedResult & { played: number }> {
  const lateBefore = tape.preparedLate;
  let next = from;
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    ...(load.amount === undefined ? { duration: load.seconds } : { amount: load.amount }),
    method: 'POST',
    sampleInt: 100,
    requests: [
      {
        setupRequest: (request) => {
          const { path, filling, body } = tape.readRequest(next);
          next += 1;
          const headers = {
            'Content-Type': JSON_CONTENT_TYPE,
            'POS-Signature': `t=${filling.timestamp},v1=${filling.signature}`,
            'Idempotency-Key': filling.calculationId,
            'X-Request-Id': filling.calculationId,
          };
          return { ...request, path, headers, body };
        },
      },
    ],
  });
  return {
    seconds: result.duration,
    requests: result.requests.total,
    statuses: Object.fromEntries(Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count])),
    faults: result.errors + result.mismatches,
    bytesIn: result.throughput.total,
    latencyMs: { p50: result.latency.p50, p99: result.latency.p99 },
    preparedLate: tape.preparedLate - lateBefore,
    played: next - from,
  };
}
