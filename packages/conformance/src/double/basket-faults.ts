import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { RULES } from './attempt-rule.ts';
import type { Calculation } from './calculation.ts';
import { countAttempts, type Fault, type FaultName, faultOf, inMs } from './faults.ts';
import type { BasketMisbehaviour, Delivery, RightOutcome } from './misbehaviour.ts';

/** What a caller did wrong with a basket call that was sent (interface, sections 3 and 4.8). */

/** A machine may stand still, so a patience is called too long only from here beyond its limit. */
const SLACK_MS = 500;

const TIMEOUTS: readonly Delivery[] = ['late', 'hang', 'hang-after-head', 'slow-bytes'];
const LOSSES: readonly Delivery[] = ['cut', 'cut-without-length', 'close', 'reset', 'garbage'];

/** The faults of one calculation. `row` is undefined where the double answered honestly. */
export function basketFaultsOf(calculation: Calculation, row: BasketMisbehaviour | undefined): Fault[] {
  const faults = [
    ...repetitionFaults(calculation, row),
    ...bodyFaults(calculation),
    ...missingFaults(calculation),
    ...outcomeFaults(calculation, row),
  ];
  return faults.map((fault) => ({ ...fault, idempotencyKey: calculation.key }));
}

/** A request that arrived is never sent again. */
function repetitionFaults({ baskets }: Calculation, row: BasketMisbehaviour | undefined): Fault[] {
  if (baskets.length < 2) return [];
  const { fault, because } = repetitionAfter(row);
  const gapMs = baskets[1]!.atMs - baskets[0]!.atMs;
  const sentence = `${countAttempts(baskets.length)} arrived, the second ${inMs(gapMs)} after the first: ${because}.`;
  const again = faultOf(fault, sentence);
  const longestMs = Math.max(...baskets.slice(0, -1).map(({ openMs = 0 }) => openMs));
  const isPatient = fault === 'sent-again-after-timeout' && longestMs > CALLER_TIMEOUT_MS + SLACK_MS;
  return isPatient ? [again, tooLong(`An attempt was given up after ${inMs(longestMs)}`)] : [again];
}

function tooLong(seen: string): Fault {
  return faultOf('timeout-too-long', `${seen}; the limit of an attempt is ${CALLER_TIMEOUT_MS} ms.`);
}

/** Which kind of repetition it is, by what the double did with the first attempt. */
function repetitionAfter(row: BasketMisbehaviour | undefined): { fault: FaultName; because: string } {
  const act = row?.act;
  if (act?.kind === 'connection') {
    return { fault: 'too-many-attempts', because: 'one retry is permitted, and it had arrived' };
  }
  if (act?.kind === 'delivery' && TIMEOUTS.includes(act.how)) {
    return { fault: 'sent-again-after-timeout', because: 'after a time-out there is no retry' };
  }
  if (act?.kind === 'delivery' && LOSSES.includes(act.how)) {
    const because = 'the connection was lost after the request was sent, and then there is no retry';
    return { fault: 'sent-again-after-loss', because };
  }
  return { fault: 'sent-again-after-answer', because: 'an answer, whatever it is, is not followed by a retry' };
}

/** A retry is the same request. */
function bodyFaults({ baskets }: Calculation): Fault[] {
  const bodies = new Set(baskets.map(({ bodySha256 }) => bodySha256)).size;
  if (bodies < 2) return [];
  const sentence = `${countAttempts(baskets.length)} with one key had ${bodies} different bodies.`;
  return [faultOf('body-changed', sentence, { rule: RULES.patience })];
}

/** Every calculation that no other took the place of has one event, `cancelled` if nobody paid. */
function missingFaults({ events, supersededAtMs }: Calculation): Fault[] {
  if (events.length > 0 || supersededAtMs !== undefined) return [];
  return [faultOf('event-missing', 'No sale event that keeps the contract has come so far; exactly one is due.')];
}

/** False where nobody can see what the caller made of the answer: nobody paid, or a later calculation took the place. */
export function showsOutcome({ events, supersededAtMs }: Calculation): boolean {
  if (events.length === 0) return supersededAtMs === undefined;
  return events.some(({ event }) => event?.status !== 'cancelled');
}

/** The sale event reports how the order stands, so it shows whether the caller took the answer for what it is. */
function outcomeFaults({ events }: Calculation, row: BasketMisbehaviour | undefined): Fault[] {
  const event = events[0]?.event;
  if (!event || !row || event.status === 'cancelled') return [];
  const isRight = row.right.some((right) => isSame(right, event)) || isFailedSwap(row.right, event);
  if (isRight) return [];
  const right = row.right.map(describe).join(', or ');
  const wrong = faultOf('wrong-outcome', `The sale event reports ${describe(event)}; right is ${right}.`);
  const isLate = row.act.kind === 'delivery' && TIMEOUTS.includes(row.act.how) && event.status !== 'failed';
  return isLate ? [wrong, tooLong('A late answer was used')] : [wrong];
}

export type Outcome = { readonly status: string; readonly failureReason?: string | undefined };

export function isSame(right: RightOutcome, { status, failureReason }: Outcome): boolean {
  return right.status === status && ('failureReason' in right ? right.failureReason : undefined) === failureReason;
}

/** A till may fail while it swaps the baskets, after a right answer. */
function isFailedSwap(right: readonly RightOutcome[], { failureReason }: Outcome): boolean {
  return failureReason === 'pos_error' && right.some(({ status }) => status === 'applied');
}

function describe({ status, failureReason }: Outcome): string {
  return failureReason === undefined ? status : `${status}, ${failureReason}`;
}
