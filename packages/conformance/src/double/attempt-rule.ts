import { refuse } from '@loyalty/contract/errors';
import type { Misbehaviour } from './misbehaviour.ts';

/** How many attempts of a call are right under each row, and when (interface, sections 4.8 and 4.12). */
export interface AttemptRule {
  /** The numbers of attempts that are right. */
  readonly right: { readonly fewest: number; readonly most: number };
  /** A sentence for people: when each attempt is due, or why none is. */
  readonly when: string;
  /** The place of the rule in the interface. */
  readonly rule: string;
}

/** The caller's time from the first attempt of a basket call to its decision, in milliseconds (interface, section 4.8). */
export const HARD_CAP_MS = 3_000;
/** The caller's patience for one attempt of a basket call, in milliseconds (interface, section 4.8). */
export const ATTEMPT_LIMIT_MS = 500;

export const RULES = {
  patience: 'interface, section 4.8',
  events: 'interface, section 4.12',
  requestIds: 'interface, section 4',
  status: 'interface, section 3',
  supersession: 'interface, section 4.11',
  transport: 'interface, section 5',
  errors: 'interface, section 7',
} as const;

const SENT_ONCE = 'One attempt. The request was sent, so it is never sent again.';
const FINAL_EVENT = 'One attempt. The answer is final.';
const STOPPED_EVENT = 'One attempt. The refusal is final until support has fixed the cause.';

/** The rule of a row, which follows from what the double does. */
export function attemptRuleOf(row: Misbehaviour): AttemptRule {
  return row.endpoint === 'sale' ? eventRuleOf(row) : basketRuleOf(row);
}

function basketRuleOf({ act }: Extract<Misbehaviour, { endpoint: 'basket' }>): AttemptRule {
  if (act.kind !== 'connection') return exactly(1, SENT_ONCE, RULES.patience);
  switch (act.how) {
    case 'cut-handshake':
      return exactly(
        2,
        'Two attempts. Nothing was sent, so one retry with the same key is due within 3 s, and no more.',
        RULES.patience,
      );
    case 'untrusted':
      return between(
        1,
        2,
        'One attempt, or two: nothing was sent, but no retry fixes a certificate. Nothing may ever be sent.',
        RULES.patience,
      );
    case 'reset':
      return between(1, 2, 'Two attempts if the reset came before the request was sent, else one.', RULES.patience);
    case 'refuse':
      return exactly(
        2,
        `Two attempts. Nothing was sent, so one retry with the same key is due within 3 s, and no more. The double does not see attempts in the ${act.forMs} ms in which it refuses.`,
        RULES.patience,
      );
  }
}

function eventRuleOf(row: Extract<Misbehaviour, { endpoint: 'sale' }>): AttemptRule {
  if (row.right === 'stopped') return exactly(1, STOPPED_EVENT, RULES.events);
  const isFinal = row.act.kind === 'result' && row.right === row.act.result;
  if (isFinal) return exactly(1, FINAL_EVENT, RULES.events);
  const retryAfterSeconds = retryAfterSecondsOf(row.act);
  const when =
    retryAfterSeconds === undefined
      ? 'with the same key and body, after a delay that grows'
      : `with the same key and body, each at least ${retryAfterSeconds} s (Retry-After) after the answer before`;
  return exactly(row.times + 1, `${countOf(row.times + 1)} attempts, ${when}. Then the answer is final.`, RULES.events);
}

/** Whole seconds of Retry-After in the answers of an act, undefined where they have none. */
export function retryAfterSecondsOf(act: Misbehaviour['act']): number | undefined {
  return act.kind === 'refusal' ? refuse(act.code).retryAfterSeconds : undefined;
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four'];

function countOf(count: number): string {
  return NUMBERS[count] ?? String(count);
}

function exactly(attempts: number, when: string, rule: string): AttemptRule {
  return between(attempts, attempts, when, rule);
}

function between(fewest: number, most: number, when: string, rule: string): AttemptRule {
  return { right: { fewest, most }, when, rule };
}
