import { parseJson } from '@loyalty/contract/basket/parse-json';
import { ERRORS, HTTP_OK } from '@loyalty/contract/errors';
import { RESPONSE_HEADERS } from '@loyalty/contract/headers';
import type { AttemptResult, ReceivedAnswer } from '../attempt.ts';
import type { SaleBackoff } from '../limits.ts';
import { describeRefusal, type RefusalFacts, readRefusal } from '../refusal.ts';
import type { SaleResult } from '../sale.ts';

/** What follows from one attempt to send a sale event (interface, section 4.12). */
export type SaleVerdict =
  | { readonly action: 'settle'; readonly result: SaleResult }
  | { readonly action: 'stop'; readonly detail: string; readonly facts: RefusalFacts }
  | {
      readonly action: 'retry';
      readonly retryAfterMs: number;
      /** True where the next event would fare no better. */
      readonly isOutage: boolean;
      readonly detail: string;
      readonly facts: RefusalFacts;
    };

const RESULTS: readonly string[] = ['recorded', 'duplicate', 'unknown_calculation'] satisfies SaleResult[];

/** The whole rule, without its timing. */
export function judgeSaleAttempt(attempt: AttemptResult): SaleVerdict {
  if (attempt.kind === 'failed') {
    const { failure, detail } = attempt;
    // An event that cannot even be written will never be sent.
    if (failure === 'not_sendable') return { action: 'stop', detail, facts: {} };
    // A network error says nothing about the event: it is sent again, with the same key.
    return { action: 'retry', retryAfterMs: 0, isOutage: true, detail, facts: {} };
  }
  const { status } = attempt;
  const result = status === HTTP_OK ? readResult(attempt.body) : undefined;
  // All three results are final.
  if (result) return { action: 'settle', result };
  const facts = readRefusal(attempt);
  const detail = status === HTTP_OK ? 'an answer without a result' : describeRefusal(facts);
  // The service asks for patience, for every event and not only for this one.
  const isOutage = status === ERRORS.rate_limited.status || status === ERRORS.unavailable.status;
  // Any other 4xx is a contract mismatch, which no retry mends.
  if (status >= 400 && status < 500 && !isOutage) return { action: 'stop', detail, facts };
  // Any 5xx is retried, and so is what no service of this interface answers: a proxy's page must not lose an event.
  return { action: 'retry', retryAfterMs: readRetryAfterMs(attempt), isOutage, detail, facts };
}

/** Past this the longest delay was reached long ago, and the power stays a safe integer. */
const MAX_DOUBLINGS = 30;

/**
 * Milliseconds until the next attempt. Exponential from the first delay to the longest; between half of it and all of it
 * by chance, so that tills that failed together do not come back together; never before `Retry-After`. `attempts` counts
 * those made, `random` is in [0, 1).
 */
export function retryDelayMs(
  attempts: number,
  retryAfterMs: number,
  { firstDelayMs, longestDelayMs }: SaleBackoff,
  random: number,
): number {
  const whole = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS));
  return Math.max(retryAfterMs, whole * (0.5 + random / 2));
}

function readResult(body: Uint8Array): SaleResult | undefined {
  const parsed = parseJson(body);
  const { result } = ((parsed.ok && parsed.value) || {}) as { readonly result?: unknown };
  return RESULTS.includes(result as string) ? (result as SaleResult) : undefined;
}

/** A service that asks for more patience than this has mistyped it; the events would be lost by waiting. */
const LONGEST_RETRY_AFTER_MS = 60 * 60_000;

/** Whole seconds, as the interface says; anything else counts as absent, and the backoff decides alone. */
function readRetryAfterMs({ headers }: ReceivedAnswer): number {
  const value = headers[RESPONSE_HEADERS.retryAfter.toLowerCase()];
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return 0;
  return Math.min(Number(value) * 1000, LONGEST_RETRY_AFTER_MS);
}
