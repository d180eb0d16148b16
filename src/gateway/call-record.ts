import { type CallFacts, factsOf } from '../calls/call-facts.ts';
import type { CallEnd } from './exchange.ts';

/**
 * How far a call came:
 *
 *     unfinished   it ended before its last byte had arrived
 *     shed         admission refused it, before anything was done
 *     stranger     its caller is not known: refused by its head or its signature, or a page that everybody may read
 *     known        its caller is authenticated
 */
export type Stage = 'unfinished' | 'shed' | 'stranger' | 'known';

/** What the gateway notes of a call, as it becomes known. How it ended is not among it: its exchange says that. */
export interface CallNotes {
  readonly route: string;
  calculationId?: string;
  /** The address of a caller who failed to authenticate; behind a proxy it is the proxy's. */
  remote?: string;
  stage: Stage;
  /** What its steps have noted. */
  readonly facts: CallFacts[];
}

/** An ended call, for the log, the figures, the live page and traces: all that any of them knows of it. */
export interface CallRecord extends Readonly<Omit<CallNotes, 'facts'>>, CallFacts {
  /** The code of its refusal. */
  readonly code?: string;
  readonly end: CallEnd;
}

export function notesOf(route: string): CallNotes {
  return { route, stage: 'stranger', facts: [] };
}

/** Puts together what is known of a call when it ends, in the order in which the log tells it. */
export function recordOf({ facts, ...notes }: CallNotes, end: CallEnd): CallRecord {
  return Object.assign(notes, end.refusal && { code: end.refusal.code }, factsOf(facts), { end });
}
