import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';

/** The caller's own limits (interface, sections 4.8 and 8), with their relations asserted. All times in milliseconds. */
export interface CallLimits {
  /** Patience for one attempt of the basket call, from the first connection step to the answer's last byte. */
  readonly attemptTimeoutMs: number;
  /** From the first attempt to the decision, whatever happens in between. */
  readonly hardCapMs: number;
  /** Before the one retry: what refused a connection just now is given a moment to come back. */
  readonly retryPauseMs: number;
  /** Patience for one attempt of a sale event. No till waits for it. */
  readonly saleTimeoutMs: number;
}

export const CALL_LIMITS: CallLimits = {
  attemptTimeoutMs: CALLER_TIMEOUT_MS,
  hardCapMs: 3_000,
  retryPauseMs: 100,
  saleTimeoutMs: 5_000,
};

/** One attempt, and the one retry that the interface allows. */
export const MAX_ATTEMPTS = 2;

/**
 * An idle connection is closed by the caller before the service closes it (10 s): a request that is written just as the
 * other side hangs up is lost after it was sent, and such a request may not be sent again.
 */
export const KEEP_ALIVE_MS = 4_000;

/** Retries of a sale event (interface, section 4.12): exponential, with jitter, for 24 hours. */
export interface SaleBackoff {
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Counted from the moment the event was reported, over restarts. */
  readonly horizonMs: number;
}

export const SALE_BACKOFF: SaleBackoff = {
  firstDelayMs: 500,
  longestDelayMs: 5 * 60_000,
  horizonMs: 24 * 60 * 60_000,
};

/** Settled and superseded calculations that the outbox still knows, so that nothing is reported twice. */
export const MAX_REMEMBERED = 50_000;

/** A longer timer overflows, and then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Throws when a limit is not a time, or limits contradict each other; a client with such limits is never built. */
export function assertLimits(limits: CallLimits, backoff: SaleBackoff): void {
  assertTimes('limits', limits, CALL_LIMITS, LONGEST_TIMER_MS);
  assertTimes('saleBackoff', backoff, SALE_BACKOFF, Number.POSITIVE_INFINITY);
  if (limits.hardCapMs < limits.attemptTimeoutMs + limits.retryPauseMs)
    throw new RangeError('limits: hardCapMs leaves no room for attemptTimeoutMs and retryPauseMs');
  if (backoff.firstDelayMs > backoff.longestDelayMs)
    throw new RangeError('saleBackoff: firstDelayMs is longer than longestDelayMs');
}

/** Only a pause may be 0. */
function assertTimes(option: string, times: object, known: object, mostMs: number): void {
  for (const [name, value] of Object.entries(times)) {
    if (!Object.hasOwn(known, name))
      throw new RangeError(`${option}: found ${name}, allowed: ${Object.keys(known).join(', ')}`);
    const isTime = typeof value === 'number' && (value > 0 || (value === 0 && name === 'retryPauseMs'));
    if (!isTime || value > mostMs)
      throw new RangeError(`${option}.${name}: found ${value}, allowed: milliseconds above 0, at most ${mostMs}`);
  }
}
