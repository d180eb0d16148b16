import { attemptRuleOf, retryAfterSecondsOf } from './attempt-rule.ts';
import type { Calculation } from './calculation.ts';
import { countAttempts, type Fault, faultOf, inMs } from './faults.ts';
import type { SaleMisbehaviour } from './misbehaviour.ts';
import type { SeenRequest } from './run.ts';

/** What a caller did wrong with the sale event of a calculation (interface, section 4.12). */

/** A timer may be early by this much. */
const TIMER_SLACK_MS = 10;
/** The interface gives no figure for the delay. Events that follow one another faster than this have none. */
const NO_DELAY_MS = 25;
/** A refused event that comes again later than this was sent by support, once the cause was fixed. */
const SUPPORT_MS = 60_000;
const CONFLICT_STATUS = 409;

/** The faults of one calculation. `row` is undefined where its events met no misbehaviour. */
export function saleFaultsOf(calculation: Calculation, row: SaleMisbehaviour | undefined): Fault[] {
  if (calculation.events.length === 0) return [];
  const faults = [
    ...countFaults(calculation, row),
    ...delayFaults(calculation, row),
    ...bodyFaults(calculation),
    ...supersededFaults(calculation),
  ];
  return faults.map((fault) => ({ ...fault, idempotencyKey: calculation.key }));
}

/** Sent again until it is settled, and not once more. */
function countFaults({ events }: Calculation, row: SaleMisbehaviour | undefined): Fault[] {
  if (!row) return events.length > 1 ? [tooMany(events.length, 1)] : [];
  if (row.right === 'stopped') {
    const gapMs = events.length < 2 ? SUPPORT_MS : events[1]!.atMs - events[0]!.atMs;
    if (gapMs >= SUPPORT_MS) return [];
    const sentence = `The refusal was final, and the event came again after ${inMs(gapMs)}.`;
    return [faultOf('event-after-refusal', sentence)];
  }
  const due = attemptRuleOf(row).right.fewest;
  if (events.length > due) return [tooMany(events.length, due)];
  if (events.length === due) return [];
  const sentence = `${countAttempts(events.length)} of ${due} came so far, and the event is not settled.`;
  return [faultOf('event-not-sent-again', sentence)];
}

function tooMany(count: number, due: number): Fault {
  return faultOf('event-after-final-answer', `${countAttempts(count)} came, and answer ${due} was final.`);
}

/** Each attempt waits for Retry-After, or for a delay of the caller's. */
function delayFaults({ events }: Calculation, row: SaleMisbehaviour | undefined): Fault[] {
  if (!row || row.right === 'stopped') return [];
  const retryAfterSeconds = retryAfterSecondsOf(row.act);
  const gapsMs = events.slice(1, attemptRuleOf(row).right.most).map((event, index) => event.atMs - events[index]!.atMs);
  const shortestMs = Math.min(...gapsMs);
  if (retryAfterSeconds !== undefined && shortestMs < retryAfterSeconds * 1000 - TIMER_SLACK_MS) {
    const sentence = `An attempt came ${inMs(shortestMs)} after an answer with Retry-After: ${retryAfterSeconds}.`;
    return [faultOf('event-before-retry-after', sentence)];
  }
  if (retryAfterSeconds !== undefined || shortestMs >= NO_DELAY_MS) return [];
  const sentence = `An attempt came ${inMs(shortestMs)} after the one before; a delay that grows is due.`;
  return [faultOf('event-without-backoff', sentence)];
}

/** The same event, or another outcome under the same key. */
function bodyFaults({ events }: Calculation): Fault[] {
  const outcomes = new Set(events.map(({ event }) => JSON.stringify(event))).size;
  const isConflict = events.some(({ status, code }) => status === CONFLICT_STATUS && code === undefined);
  if (outcomes > 1 || isConflict) {
    const sentence = 'A second event reported another outcome; the first one decides.';
    return [faultOf('event-contradicts', sentence)];
  }
  const bodies = new Set(events.map(({ bodySha256 }: SeenRequest) => bodySha256)).size;
  if (bodies < 2) return [];
  const sentence = `${countAttempts(events.length)} had ${bodies} different bodies; each attempt sends the same one.`;
  return [faultOf('body-changed', sentence)];
}

/** No event is expected for a calculation that another took the place of, but `cancelled` if that one never arrived. */
function supersededFaults({ events, supersededAtMs }: Calculation): Fault[] {
  const isSent = events.some(
    ({ atMs, event }) => supersededAtMs !== undefined && atMs > supersededAtMs && event?.status !== 'cancelled',
  );
  if (!isSent) return [];
  const sentence = 'A later calculation had taken the place of this one, and then its event is not sent.';
  return [faultOf('event-of-superseded', sentence)];
}
