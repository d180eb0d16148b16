import { count, described, instant, list, money, object, period, text, token } from './schema-words.ts';

/** The answer of a search, for the OpenAPI document. */
export const Sales = object(
  {
    sales: list(
      object(
        {
          at: described(instant, 'When the event was settled.'),
          calculationId: text,
          status: described(
            text,
            'Of the sale event; `expired`, `returned`, `conflict` or `unknown_calculation` otherwise.',
          ),
          transactionId: text,
          failureReason: text,
          answered: text,
          reason: described(text, 'Why the answer left the basket unchanged.'),
          venueId: text,
          programmeId: text,
          member: token,
          currency: text,
          benefits: list(object({ benefitId: text, units: count, saved: money })),
          isLate: { type: 'boolean' },
        },
        ['transactionId', 'failureReason', 'answered', 'reason', 'venueId', 'programmeId', 'member', 'currency'],
      ),
    ),
    next: described(instant, 'There may be more: the `to` of the search that goes on.'),
  },
  ['next'],
);

/** What a past price depended on, as the look-up tells it. */
export const PastCircumstances = described(
  object(
    {
      configuration: text,
      requestedAt: described(instant, 'The basket’s own time, by the clock of its till.'),
      answeredAt: instant,
      offsetSeconds: described({ type: 'integer' }, 'Above 0: the till’s clock was ahead.'),
      member: object({ status: text, tier: text, grants: list({}) }, ['tier']),
      left: described(
        list(
          object(
            {
              ...{ benefitId: text, limitId: text, grantId: text, currency: text, of: text, period, limit: count },
              before: described(count, 'Left before this basket.'),
              after: described(count, 'Left after it.'),
            },
            ['benefitId', 'limitId', 'grantId', 'currency', 'of'],
          ),
        ),
        'Limits and grants with a quantity.',
      ),
    },
    ['answeredAt', 'offsetSeconds', 'member'],
  ),
  'Both clocks, member, configuration, and what was left before and after.',
);
