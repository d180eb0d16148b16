import { ERRORS, type ErrorCode, type Refusal, type RefusalDetails } from '../contract/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { SIGNATURE_FORM } from './authenticate.ts';
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
  /** By reason; those whose caller hung up have none. */
  #unfinished = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
    this.#timer = setInterval(() => this.#writeCounts(), COUNT_INTERVAL_MS);
    this.#timer.unref();
  }

  readonly write = (record: CallRecord, call: Call, end: CallEnd): void => {
    if (record.isShed) this.#shed += 1;
    else if (record.isUnfinished) this.#countUnfinished(record.reason ?? 'aborted');
    else logCall(this.#log, record, call, end);
  };

  close(): void {
    clearInterval(this.#timer);
    this.#writeCounts();
  }

  #writeCounts(): void {
    if (this.#shed > 0) {
      this.#log.warn({ code: 'unavailable', reason: 'admission', count: this.#shed }, 'requests shed');
    }
    for (const [reason, count] of this.#unfinished) this.#log.info({ reason, count }, 'uploads lost');
    this.#shed = 0;
    this.#unfinished.clear();
  }

  #countUnfinished(reason: string): void {
    this.#unfinished.set(reason, (this.#unfinished.get(reason) ?? 0) + 1);
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
    ...(call.trace && { traceId: call.trace.traceId, spanId: call.trace.spanId }),
    ...facts,
    ...detailsOf(call.refusal),
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

/**
 * The place of a fault, what belongs there, and what was found in words: what the caller is told too. The form of a
 * signature is left out, so that a search for signatures in a log finds none.
 */
function detailsOf(refusal: Refusal | undefined): RefusalDetails | undefined {
  if (refusal?.details?.expected !== SIGNATURE_FORM) return refusal?.details;
  const { expected: _form, ...details } = refusal.details;
  return details;
}
