import { count, described, list, money, object, text } from './schema-words.ts';

/** The answer about costs, for the OpenAPI document. */

const day = { type: 'string', format: 'date' };
const sums = { soldBaskets: count, units: count, saved: money, turnover: money };
const range = object({ from: day, to: day });

export const Costs = object(
  {
    from: day,
    to: day,
    before: described(range, 'The days of `before` in rows: as many as asked for, as far as they are kept.'),
    rows: list(
      object(
        {
          day,
          venueId: text,
          programmeId: text,
          benefitId: text,
          tier: described(text, 'Empty for members without one.'),
          share: described(text, 'The share of members that they are in; empty for the others.'),
          currency: text,
          ...sums,
          allBaskets: described(count, 'Sold baskets with or without a benefit.'),
          allTurnover: described(money, 'What was paid in those, in minor units.'),
          undoneBaskets: described(count, 'Of the sold baskets, those that a later event or a return took back.'),
          undoneSaved: money,
          undoneTurnover: described(money, 'What guests got back, in minor units.'),
          before: object(sums),
        },
        ['day', 'venueId', 'programmeId', 'benefitId', 'tier', 'share', 'before'],
      ),
    ),
    hasAllZeros: described({ type: 'boolean' }, 'False: there would be too many rows of zero, and some are left out.'),
    isMerged: described(
      { type: 'boolean' },
      'True: a day had more than 10,000 rows; some name no venue, tier or share.',
    ),
  },
  ['before'],
);
