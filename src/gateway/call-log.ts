import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Call, CallEnd } from './call.ts';
import type { CallRecord } from './lifecycle.ts';

/**
 * Writes the one log line of a request (specification, section 8: request id, calculation id, venue, status, timings).
 * No loyalty ID, signature or part of a body ever reaches a record, so none can be logged.
 */
export function logCall(log: Logger, record: CallRecord, call: Call, end: CallEnd): void {
  const { phases: workerPhases, venueId, isReplayed, isLate, ...facts } = record;
  const line = {
    requestId: call.requestId,
    ...facts,
    ...(venueId !== undefined && { venue: venueId }),
    ...(isReplayed && { replayed: true }),
    ...(isLate && { late: true }),
    ...(call.isAborted ? { aborted: true } : { httpStatus: end.status }),
    durationMs: end.durationMs,
    phases: { ...call.stopwatch.phases, ...workerPhases },
  };
  const level = record.code === undefined ? 'info' : ERRORS[record.code as ErrorCode].level;
  log[level](line, 'request');
}
