/** What a caller did wrong, in the words of the verdict. */

export const FAULT_NAMES = [
  'no-retry',
  'too-many-attempts',
  'retry-too-late',
  'sent-again-after-timeout',
  'sent-again-after-loss',
  'sent-again-after-answer',
  'timeout-too-long',
  'event-missing',
  'event-not-sent-again',
  'event-before-retry-after',
  'event-without-backoff',
  'event-after-final-answer',
  'event-after-refusal',
  'event-of-superseded',
  'event-contradicts',
  'wrong-outcome',
  'body-changed',
  'request-id-reused',
  'refused',
  'certificate-accepted',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

export interface Fault {
  readonly fault: FaultName;
  /** One sentence with the figures. */
  readonly sentence: string;
  /** The place of the rule in the interface. */
  readonly rule: string;
  readonly idempotencyKey?: string | undefined;
}

export function countAttempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

/** Whole milliseconds, for sentences. */
export function inMs(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}
