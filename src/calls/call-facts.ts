import type { UnavailableReason } from '@loyalty/contract/unavailable';
import type { RedisCause } from '../redis/cause.ts';

/**
 * The log's facts about a call beside its route and times. Each step that finds some returns them as one record, and `factsOf` puts those of a
 * call together. They contain neither a loyalty ID nor a part of the body.
 */
export type CallFacts = { readonly [Name in NameIn<StepFacts>]?: FactIn<StepFacts, Name> | undefined };

type StepFacts = BasketFacts | CircumstanceFacts | AnswerFacts | ReplayFacts | SaleFacts | RefusalFacts | SenderFacts;
type NameIn<Step> = Step extends unknown ? keyof Step : never;
type FactIn<Step, Name> = Step extends unknown ? (Name extends keyof Step ? Step[Name] : never) : never;

/** Of a valid basket: its venue. Of one that lost races for a limit: how often it was priced again. */
interface BasketFacts {
  readonly venueId: string;
  readonly shortages: number;
}

/** By what a basket is priced (circumstances.ts). */
export interface CircumstanceFacts {
  /** Lines whose existing discount is what the superseded calculation gave there. Undefined where there are none. */
  readonly ownDiscountsReturned: number | undefined;
  /** Offset of the basket's time from Redis' clock, above 0 when the basket was ahead. */
  readonly clockOffsetSeconds: number;
  /** Set when the offset is outside the configured window, which closed the benefits that depend on the time. */
  readonly clockOff: true | undefined;
  /** How far the clock of a test member was ahead; undefined for everybody else. */
  readonly clockMovedSeconds: number | undefined;
}

/** A committed answer. Counts are undefined when they are 0. */
export interface AnswerFacts {
  readonly status: string;
  /** Why nothing applied. */
  readonly reason: string | undefined;
  /** An estimate of the most that another choice of benefits could save, in minor units. */
  readonly gap: number | undefined;
  /** The same as a part of what the guest pays. */
  readonly gapOfTotal: number;
  /** With the order discounts of our own that came back and were taken off. */
  readonly ownDiscountsReturned: number | undefined;
  /** Holds of limited benefits that the commit made and released. */
  readonly holdsMade: number | undefined;
  readonly holdsReleased: number | undefined;
  /** Set when the call was in the sample of the recording and could not be written there. */
  readonly unrecorded: true | undefined;
}

/** An answer that was given before, to the same request. */
export interface ReplayFacts {
  readonly isReplayed: true;
  readonly venueId: string | undefined;
  readonly status: string | undefined;
}

/** A sale event, of which the status is known before its result. */
export interface SaleFacts {
  readonly result: string;
  readonly isLate: boolean | undefined;
  readonly overRedeemed: number | undefined;
  readonly holdsConsumed: number | undefined;
  readonly holdsReleased: number | undefined;
}

/** Why a call is `unavailable` (packages/contract/src/unavailable.ts), or failed. */
export interface RefusalFacts {
  readonly reason: UnavailableReason;
  /** Why Redis refused the call (src/redis/cause.ts), and the master of a cluster that did. */
  readonly cause: RedisCause | undefined;
  readonly server: string | undefined;
  /** The phase in which the call's time ran out. */
  readonly phase: string;
  /** Set when the stored answer could not be replayed, which is a fault of ours. */
  readonly unreplayable: true;
}

/** Who sent a refused basket, as it was sent. */
export interface SenderFacts {
  readonly venueId: string | undefined;
  /** The terminal setup (`baxId`). */
  readonly terminal: string | undefined;
}

export const NO_FACTS: CallFacts = {};

/** The facts of several steps together: of one that several know, the last. */
export function factsOf(steps: readonly CallFacts[]): CallFacts {
  const facts: Record<string, unknown> = {};
  for (const step of steps) {
    for (const name in step) {
      const fact = step[name as keyof CallFacts];
      if (fact !== undefined) facts[name] = fact;
    }
  }
  return facts;
}
