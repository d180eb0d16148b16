import type { Outcome } from '../calls/call.ts';
import type { CallFacts } from '../calls/call-facts.ts';
import { type CallMetrics, type CountedEvent, NO_CODE, NO_PHASE } from '../telemetry/call-metrics.ts';
import type { RecentRefusals } from '../telemetry/recent-refusals.ts';
import type { Phases } from '../telemetry/stopwatch.ts';
import type { CallRecord } from './call-record.ts';

const MS_PER_SECOND = 1000;

/**
 * Counts one ended call. A shed call is counted by its status alone, because it has no phases. A request whose body
 * never arrived is counted among the uploads.
 */
export function observeCall(metrics: CallMetrics, record: CallRecord): void {
  const { end, stage } = record;
  if (record.code === 'unavailable') metrics.addUnavailable(record.reason ?? 'redis', record.phase ?? NO_PHASE);
  if (stage === 'unfinished') return;
  const code = record.code ?? (end.isAborted ? 'aborted' : NO_CODE);
  const route = stage === 'shed' ? stage : record.route;
  const phases = stage === 'shed' ? {} : end.phases;
  const latencyOf = turnedAwayAs(record, phases) ?? route;
  metrics.observe({ route, latencyOf, status: end.status, code, durationMs: end.durationMs, phases });
  if (record.isReplayed) metrics.add('replayed');
  if (record.unreplayable) metrics.add('unreplayable');
}

/** The phases in which a call is worked on. */
const WORK: readonly string[] = ['replay', 'price', 'commit'];

/**
 * Calls that are turned away at the door take no time: among the others they would hide slow ones. A basket that finds Redis away
 * has been opened by then, and no more; at the deadline a call has waited, which is what slow means.
 */
function turnedAwayAs({ stage, code, reason }: CallRecord, phases: Phases): string | undefined {
  if (stage === 'shed' || code === undefined) return undefined;
  if (stage === 'stranger') return stage;
  if (code === 'rate_limited') return code;
  const isWorkedOn = reason === 'deadline' || (reason !== 'threads' && WORK.some((phase) => phase in phases));
  return code === 'unavailable' && !isWorkedOn ? code : undefined;
}

/** Counts the effects of a call on its calculation, even when the caller has hung up in the meantime. */
export function observeOutcome(metrics: CallMetrics, { kind }: Outcome, facts: CallFacts): void {
  metrics.add('shortage', facts.shortages ?? 0);
  if (facts.unrecorded) metrics.add('record_dropped');
  if (facts.clockOffsetSeconds !== undefined) metrics.observeClock(facts.clockOffsetSeconds * MS_PER_SECOND);
  if (facts.clockOff) metrics.add('clock_off');
  // A refused call has facts too, such as the status in a conflicting sale event, but it had no effect; a replay had its own before.
  if (kind === 'refusal' || facts.isReplayed) return;
  if (facts.result) metrics.add(`sale_${facts.result}` as CountedEvent);
  else if (facts.status) metrics.add(`answer_${facts.status}` as CountedEvent);
  if (facts.ownDiscountsReturned) metrics.add('own_discount_returned');
  if (facts.gapOfTotal !== undefined) metrics.observeGap(facts.gapOfTotal);
  if (facts.isLate) metrics.add('sale_late');
  metrics.add('over_redeemed_units', facts.overRedeemed ?? 0);
  metrics.add('hold_made', facts.holdsMade ?? 0);
  metrics.add('hold_released', facts.holdsReleased ?? 0);
  metrics.add('hold_consumed', facts.holdsConsumed ?? 0);
}

/**
 * Keeps the refusal of an ended call for the live page. Shed calls and cut uploads are only counted, because they are
 * all alike.
 */
export function rememberRefusal(refusals: RecentRefusals, record: CallRecord): void {
  const { refusal, requestId } = record.end;
  const { stage, route, venueId, calculationId } = record;
  if (!refusal || stage === 'shed' || stage === 'unfinished') return;
  const isStranger = stage === 'stranger';
  refusals.add(refusal, { atMs: Date.now(), route, requestId, venueId, calculationId, isStranger });
}
