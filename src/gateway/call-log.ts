import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Call, CallEnd } from './call.ts';
import type { CallRecord } from './lifecycle.ts';

const COUNT_INTERVAL_MS = 1000;

/**
 * Writes the one log line of a request (interface, section 8: request id, calculation id, venue, status, timings). A
 * record holds no loyalty ID, signature or part of a body, so the log holds none. Calls shed by admission, and calls
 * whose body never arrived, are counted in one line a second: logging each would cost more than refusing it.
 */
export class CallLog {
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #shed = 0;
  #unfinished = 0;

  constructor(log: Logger) {
    this.#log = log;
    this.#timer = setInterval(() => this.#writeCounts(), COUNT_INTERVAL_MS);
    this.#timer.unref();
  }

  readonly write = (record: CallRecord, call: Call, end: CallEnd): void => {
    if (record.isShed) this.#shed += 1;
    else if (record.isUnfinished) this.#unfinished += 1;
    else logCall(this.#log, record, call, end);
  };

  close(): void {
    clearInterval(this.#timer);
    this.#writeCounts();
  }

  #writeCounts(): void {
    if (this.#shed > 0) this.#log.warn({ code: 'unavailable', count: this.#shed }, 'requests shed');
    if (this.#unfinished > 0) this.#log.info({ count: this.#unfinished }, 'uploads lost');
    [this.#shed, this.#unfinished] = [0, 0];
  }
}

function logCall(log: Logger, record: CallRecord, call: Call, end: CallEnd): void {
  const {
    venueId,
    isReplayed,
    isLate,
    isShed: _shed,
    isUnfinished: _unfinished,
    isAuthentic: _known,
    isUnusual: _counted,
    ...facts
  } = record;
  const line = {
    requestId: call.requestId,
    ...facts,
    ...(venueId !== undefined && { venue: venueId }),
    ...(isReplayed && { replayed: true }),
    ...(isLate && { late: true }),
    ...(call.isAborted ? { aborted: true } : { httpStatus: end.status }),
    durationMs: end.durationMs,
    phases: call.stopwatch.phases,
  };
  const level = record.code === undefined ? 'info' : ERRORS[record.code as ErrorCode].level;
  log[level](line, 'request');
}
