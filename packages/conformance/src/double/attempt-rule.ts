import { refuse } from '@loyalty/contract/errors';
import type { BasketMisbehaviour, Misbehaviour, SaleMisbehaviour } from './misbehaviour.ts';

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

export const RULES = {
  patience: 'interface, section 4.8',
  events: 'interface, section 4.12',
  requestIds: 'interface, section 4',
  status: 'interface, section 3',
  supersession: 'interface, section 4.11',
  transport: 'interface, section 5',
  errors: 'interface, section 7',
} as const;

const ONE_RETRY = 'Two attempts. Nothing was sent, so one retry with the same key is due within 3 s, and no more.';

/** The rule of a row, which follows from what the double does. */
export function attemptRuleOf(row: Misbehaviour): AttemptRule {
  return row.endpoint === 'sale' ? eventRuleOf(row) : basketRuleOf(row);
}

function basketRuleOf({ act }: BasketMisbehaviour): AttemptRule {
  const rule = (fewest: number, most: number, when: string) => ({
    right: { fewest, most },
    when,
    rule: RULES.patience,
  });
  if (act.kind !== 'connection') return rule(1, 1, 'One attempt. The request was sent, so it is never sent again.');
  switch (act.how) {
    case 'cut-handshake':
      return rule(2, 2, ONE_RETRY);
    case 'untrusted':
      return rule(
        1,
        2,
        'One attempt, or two: nothing was sent, but no retry fixes a certificate. Nothing may ever be sent.',
      );
    case 'reset':
      return rule(1, 2, 'Two attempts if the reset came before the request was sent, else one.');
    case 'refuse':
      return rule(2, 2, `${ONE_RETRY} The double does not see attempts in the ${act.forMs} ms in which it refuses.`);
  }
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four'];

function eventRuleOf(row: SaleMisbehaviour): AttemptRule {
  const rule = (count: number, when: string) => ({ right: { fewest: count, most: count }, when, rule: RULES.events });
  if (row.right === 'stopped') return rule(1, 'One attempt. The refusal is final until support has fixed the cause.');
  const isFinal = row.act.kind === 'result' && row.right === row.act.result;
  if (isFinal) return rule(1, 'One attempt. The answer is final.');
  const retryAfterSeconds = retryAfterSecondsOf(row.act);
  const when =
    retryAfterSeconds === undefined
      ? 'with the same key and body, after a delay that grows'
      : `with the same key and body, each at least ${retryAfterSeconds} s (Retry-After) after the answer before`;
  const count = row.times + 1;
  return rule(count, `${NUMBERS[count] ?? count} attempts, ${when}. Then the answer is final.`);
}

/** Whole seconds of Retry-After in the answers of an act, undefined where they have none. */
export function retryAfterSecondsOf(act: Misbehaviour['act']): number | undefined {
  return act.kind === 'refusal' ? refuse(act.code).retryAfterSeconds : undefined;
}
