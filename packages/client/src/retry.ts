import type { AttemptFailure, AttemptResult } from './attempt.ts';
import { type CallLimits, MAX_ATTEMPTS } from './limits.ts';

/** Where a call stands after an attempt. `elapsedMs` counts from the start of the first attempt. */
export interface CallProgress {
  readonly result: AttemptResult;
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** The whole rule of the basket call (interface, section 4.8): is one more attempt due? */
export function isRetryDue({ result, attempts, elapsedMs }: CallProgress, limits: CallLimits): boolean {
  // An answer decides the call, whatever its status: any 4xx or 5xx means keep the basket, without a retry.
  if (result.kind === 'answered') return false;
  // A request that was sent may have been carried out, and one that took its time has used up the guest's patience.
  if (!wasNeverSent(result.failure)) return false;
  // There is one retry, not more.
  if (attempts >= MAX_ATTEMPTS) return false;
  // The till is never held past the hard cap, so a retry must be able to start before it.
  if (elapsedMs + limits.retryPauseMs >= limits.hardCapMs) return false;
  // The connection failed before the request was sent: the same request goes out once more, with the same key.
  return true;
}

/** A TLS fault is not among them: certificates and protocol versions do not mend themselves in a tenth of a second. */
function wasNeverSent(failure: AttemptFailure): boolean {
  return failure === 'not_connected';
}

/** How long an attempt may take that starts now: its own limit, or what the hard cap leaves. */
export function attemptTimeMs(elapsedMs: number, limits: CallLimits): number {
  return Math.max(1, Math.min(limits.attemptTimeoutMs, limits.hardCapMs - elapsedMs));
}
