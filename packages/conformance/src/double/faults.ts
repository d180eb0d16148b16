import { RULES } from './attempt-rule.ts';

/** What a caller did wrong, in the words of the verdict, and the place of the rule in the interface. */
export const FAULTS = {
  'no-retry': RULES.patience,
  'too-many-attempts': RULES.patience,
  'retry-too-late': RULES.patience,
  'sent-again-after-timeout': RULES.patience,
  'sent-again-after-loss': RULES.patience,
  'sent-again-after-answer': RULES.patience,
  'timeout-too-long': RULES.patience,
  'event-missing': RULES.events,
  'event-not-sent-again': RULES.events,
  'event-before-retry-after': RULES.events,
  'event-without-backoff': RULES.events,
  'event-after-final-answer': RULES.events,
  'event-after-refusal': RULES.events,
  'event-of-superseded': RULES.supersession,
  'event-contradicts': RULES.events,
  'wrong-outcome': RULES.status,
  'body-changed': RULES.events,
  'request-id-reused': RULES.requestIds,
  refused: RULES.errors,
  'certificate-accepted': RULES.transport,
} as const;
export type FaultName = keyof typeof FAULTS;

export interface Fault {
  readonly fault: FaultName;
  /** One sentence with the figures. */
  readonly sentence: string;
  /** The place of the rule in the interface. */
  readonly rule: string;
  readonly idempotencyKey?: string | undefined;
}

export function faultOf(fault: FaultName, sentence: string, more: Partial<Fault> = {}): Fault {
  return { fault, sentence, rule: FAULTS[fault], ...more };
}

export function countAttempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

/** Whole milliseconds, for sentences. */
export function inMs(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}
