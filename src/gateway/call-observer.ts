import type { CallMetrics } from '../telemetry/call-metrics.ts';
import type { Call, CallEnd } from './call.ts';
import type { CallRecord } from './lifecycle.ts';

/** Counts one ended call. A shed one is counted by its status alone: it had no phases worth a place in the figures. */
export function observeCall(metrics: CallMetrics, record: CallRecord, call: Call, end: CallEnd): void {
  const code = record.code ?? (call.isAborted ? 'aborted' : 'none');
  const route = record.isShed ? 'shed' : record.route;
  const phases = record.isShed ? {} : call.stopwatch.phases;
  metrics.observe({ route, status: end.status, code, durationMs: end.durationMs, phases });
  if (record.isReplayed) metrics.add('replayed');
  if (record.shortages) metrics.add('shortage', record.shortages);
  if (record.result) metrics.add(`sale_${record.result}`);
  else if (record.status) metrics.add(`answer_${record.status}`);
  if (record.isLate) metrics.add('sale_late');
  if (record.overRedeemed) metrics.add('over_redeemed_units', record.overRedeemed);
}
