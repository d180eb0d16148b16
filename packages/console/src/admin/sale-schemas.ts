import { type Static, Type } from '@loyalty/contract/schema-type';
import { BookedReturn } from './return-schemas.ts';
import { count, described, flag, instant, list, money, object, optional, period, text, token } from './schema-words.ts';

/** The schemas of sales and their calculations. */

/** The name of a counter, taken apart. */
const counter = {
  benefitId: optional(text),
  limitId: optional(text),
  grantId: optional(text),
  currency: optional(text),
  of: optional(Type.Enum(['programme', 'venue'])),
  period,
};
const Counter = object(counter);
/**
 * The name of a counter, taken apart: the limitId stands in the place of the benefitId where several benefits share the limit,
 * `currency` is there where it counts money, and `of` where it counts for all members of the programme, or of the venue.
 */
export type Counter = Static<typeof Counter>;
const Use = object({ ...counter, units: count, limit: count });
/** Units of one counter: baskets, items, or minor units of a currency. */
export type Use = Static<typeof Use>;

const outcome = { status: text, transactionId: optional(text), failureReason: optional(text) };
const Outcome = object(outcome);

/** The most characters of a reason that a person gives. */
const MOST_REASON = 200;

export const ResolveBody = object({
  outcome: described(Type.Enum(['first', 'second']), 'The outcome that stands from now on.'),
  reason: Type.String({ minLength: 1, maxLength: MOST_REASON, pattern: '\\S' }),
});
export type ResolveBody = Static<typeof ResolveBody>;

const Decision = described(
  object({
    outcome: Type.Enum(['first', 'second']),
    who: optional(described(text, 'The name of the token.')),
    reason: text,
    at: instant,
    first: Outcome,
  }),
  'Which of the two outcomes a person has decided for, and the one that stood first.',
);

/** What a conflict waits for. */
export const CONFLICT_STATES = ['open', 'decided', 'unbooked'] as const;

/** A calculation as support sees it. */
export const Calculation = object({
  calculationId: text,
  state: { enum: ['open', 'superseded', 'sold', 'expired', 'unknown'] },
  member: optional(token),
  venueId: optional(text),
  answered: optional(object({ status: text, at: instant, total: optional(money) })),
  held: optional(object({ until: instant, uses: list(Use) })),
  supersededBy: optional(text),
  sale: optional(
    object({
      ...outcome,
      at: optional(instant),
      isLate: flag,
      overRedeemed: count,
    }),
  ),
  returns: optional(described(list(BookedReturn), 'Goods that came back; absent where none did.')),
  conflicts: described(count, 'Sale events refused because they reported another outcome than the one that stood.'),
  second: optional(described(Outcome, 'The first other outcome that was reported.')),
  decision: optional(
    described(Decision, 'Which of the two a person has decided for; `sale` has the outcome that stands.'),
  ),
  story: described(list(text), 'What happened, in sentences, in order of time, in the time zone of the venue.'),
});

/** The answer of a search. */
export const Sales = object({
  sales: list(
    object({
      at: described(instant, 'When the event was settled.'),
      calculationId: text,
      status: described(
        text,
        'Of the sale event; `expired`, `returned`, `conflict` or `unknown_calculation` otherwise.',
      ),
      transactionId: optional(text),
      failureReason: optional(text),
      answered: optional(text),
      reason: optional(described(text, 'Why the answer left the basket unchanged.')),
      venueId: optional(text),
      programmeId: optional(text),
      member: optional(token),
      currency: optional(text),
      benefits: list(object({ benefitId: text, units: count, saved: money })),
      isLate: flag,
      returnId: optional(described(text, 'Of a return: each return of a sale is a row.')),
      refund: optional(described(money, 'Of a return.')),
      conflict: optional(
        described(
          Type.Enum(CONFLICT_STATES),
          'Of a conflict. `unbooked`: nothing was booked of either outcome, so that there is nothing to decide.',
        ),
      ),
      decision: optional(Decision),
    }),
  ),
  next: optional(described(instant, 'There may be more: the `to` of the search that goes on.')),
});

/** What a past price depended on, as the look-up tells it. */
export const PastCircumstances = described(
  object({
    configuration: text,
    requestedAt: described(instant, 'The basket’s own time, by the clock of its till.'),
    answeredAt: optional(instant),
    offsetSeconds: optional(described({ type: 'integer' }, 'Above 0: the till’s clock was ahead.')),
    timeZone: described(text, 'Of the venue.'),
    member: optional(object({ status: text, tier: optional(text), grants: list({}) })),
    left: described(
      list(
        object({
          ...counter,
          limit: count,
          before: described(count, 'Left before this basket.'),
          after: described(count, 'Left after it.'),
        }),
      ),
      'Limits and grants with a quantity.',
    ),
  }),
  'Both clocks, member, configuration, and what was left before and after.',
);
