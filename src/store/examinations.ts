import { eventStream, preferring } from './keys.ts';
import { noteExaminationScript } from './scripts/calculations.ts';
import { writeToAny } from './spare-key.ts';
import type { Store } from './store.ts';

/** When calculations are looked at for expiry (expiry.ts). The commit notes it; on a cluster `noteExamination` does just before it. */

/** A call that has just begun is over after this time: it commits, if at all, within CALLER_TIMEOUT_MS. */
const CALL_OVER_MS = 5000;

/**
 * When a calculation that is about to be committed is looked at first, in milliseconds from now. `isSoon`: as soon as its call is over, because
 * steps of it may be left in other slots.
 */
export function firstLookMs({ periods }: Store, isSoon: boolean): number {
  return isSoon ? Math.min(CALL_OVER_MS, periods.holdMs) : periods.holdMs;
}

/** Notes a calculation that is about to be changed. Throws `StoreUnavailable`. */
export function noteExamination(store: Store, calculationId: string, isSoon: boolean): Promise<void> {
  const [lookMs, callOverMs] = [firstLookMs(store, isSoon), firstLookMs(store, true)];
  // Any list serves, since each is looked at: one whose master is away must not stop a call.
  return writeToAny(store, preferring(eventStream(calculationId), store.keys.examinations), (key) =>
    noteExaminationScript(
      store.connection,
      { examinations: key },
      { lookMs, callOverMs, calculationIds: [calculationId] },
    ),
  );
}
