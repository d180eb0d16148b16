import { ERRORS, type ErrorCode, type Refusal } from '@loyalty/contract/errors';
import type { Logger } from '../telemetry/log.ts';
import { SIGNATURE_FORM } from './authenticate.ts';
import type { CallRecord } from './call-record.ts';

const COUNT_INTERVAL_MS = 1000;

/** Lines of strangers in one interval; a caller with a wrong secret is found by one of them, and a flood fills no disk. */
const STRANGERS_LOGGED = 5;

/**
 * Writes the one log line of a request (interface, section 8: request id, calculation id, venue, status, timings). A
 * line has the permitted fields of a record and no others, and none of them is a loyalty ID, a signature or part of a body. Calls shed by admission, calls whose
 * body never arrived, and requests of strangers beyond a few are counted in one line a second: logging each would cost
 * more than refusing it, and anybody could fill the disk.
 */
export class CallLog {
  readonly #log: Logger;
  /** Writes lines of calls, whose fields have the list below instead of that of the log. */
  readonly #calls: Logger;
  readonly #timer: NodeJS.Timeout;
  #shed = 0;
  /** By reason; those whose caller hung up have none. */
  #unfinished = new Map<string, number>();
  #strangers = 0;
  /** Those beyond the logged ones, by status, route and code. */
  #strangersBeyond = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
    this.#calls = log.child({}, { formatters: { log: (fields) => fields } });
    this.#timer = setInterval(() => this.#writeCounts(), COUNT_INTERVAL_MS);
    this.#timer.unref();
  }

  readonly write = (record: CallRecord): void => {
    const { stage, route, code, end } = record;
    if (stage === 'shed') this.#shed += 1;
    else if (stage === 'unfinished') this.#countUnfinished(record.reason ?? 'aborted');
    else if (stage === 'known' || this.#isLogged(`${end.status} ${route} ${code}`)) logCall(this.#calls, record);
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
    for (const [kind, count] of this.#strangersBeyond) {
      const [httpStatus, route, code] = kind.split(' ');
      this.#log.warn({ httpStatus: Number(httpStatus), route, code, count }, 'requests of strangers');
    }
    this.#shed = 0;
    this.#strangers = 0;
    this.#unfinished.clear();
    this.#strangersBeyond.clear();
  }

  /** True for the first requests of strangers in an interval; the others are counted. */
  #isLogged(kind: string): boolean {
    this.#strangers += 1;
    if (this.#strangers <= STRANGERS_LOGGED) return true;
    this.#strangersBeyond.set(kind, (this.#strangersBeyond.get(kind) ?? 0) + 1);
    return false;
  }

  #countUnfinished(reason: string): void {
    this.#unfinished.set(reason, (this.#unfinished.get(reason) ?? 0) + 1);
  }
}

function logCall(log: Logger, record: CallRecord): void {
  const level = record.code === undefined ? 'info' : ERRORS[record.code as ErrorCode].level;
  if (log.isLevelEnabled(level)) log[level](fieldsOf(record), 'request');
}

/**
 * What a line may say of a call, under the name that the record has for it. A field that is not listed never reaches the log,
 * whatever a step or a thread puts into a record. The others are told under another name or counted.
 */
const PERMITTED: ReadonlySet<string> = new Set<keyof CallRecord>([
  'route',
  'calculationId',
  'code',
  'remote',
  'terminal',
  'status',
  'reason',
  'cause',
  'server',
  'phase',
  'result',
  'overRedeemed',
  'clockOffsetSeconds',
  'clockOff',
  'clockMovedSeconds',
  'holdsMade',
  'holdsReleased',
  'holdsConsumed',
  'unreplayable',
  'ownDiscountsReturned',
  'gap',
  'unrecorded',
  'shortages',
]);

/** The fields of a line. One that is undefined is left out. */
function fieldsOf(record: CallRecord): Record<string, unknown> {
  const { requestId, trace, refusal, isAborted, status, durationMs, phases } = record.end;
  const fields: Record<string, unknown> = { requestId };
  if (trace) {
    fields['traceId'] = trace.traceId;
    fields['spanId'] = trace.spanId;
  }
  for (const name in record) {
    if (PERMITTED.has(name)) fields[name] = record[name as keyof CallRecord];
  }
  if (refusal?.details) addDetails(fields, refusal.details);
  fields['venue'] = record.venueId;
  if (record.isReplayed) fields['replayed'] = true;
  if (record.isLate) fields['late'] = true;
  if (isAborted) fields['aborted'] = true;
  else fields['httpStatus'] = status;
  fields['durationMs'] = durationMs;
  fields['phases'] = phases;
  return fields;
}

/**
 * The place of an error, what belongs there, and what was found in words: what the caller is told too. The form of a
 * signature is left out, so that a search for signatures in a log finds none.
 */
function addDetails(fields: Record<string, unknown>, details: NonNullable<Refusal['details']>): void {
  const { field, expected, received } = details;
  fields['field'] = field;
  if (expected !== SIGNATURE_FORM) fields['expected'] = expected;
  fields['received'] = received;
}
