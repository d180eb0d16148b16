import { type Static, Type } from '@loyalty/contract/schema-type';
import { count, described, flag, list, money, object, optional, text } from './schema-words.ts';

/** The answer about costs, for the OpenAPI document. */

const day = Type.String({ format: 'date' });
const sums = { soldBaskets: count, units: count, saved: money, turnover: money };
const Sums = object(sums);
/** Sold baskets in which a benefit applied, its units, savings in minor units, and what the guests paid. */
export type Sums = Static<typeof Sums>;
const range = object({ from: day, to: day });

export const Costs = object({
  from: day,
  to: day,
  before: optional(
    described(range, 'The days of `before` in rows, as many as asked for. Missing where not all of them are kept.'),
  ),
  rows: list(
    object({
      day: optional(day),
      venueId: optional(text),
      programmeId: optional(text),
      benefitId: optional(described(text, 'Empty for the refunds and conflicts of baskets without a benefit.')),
      fundedBy: optional(described(text, 'Who pays for the benefit; empty where nobody is named.')),
      tier: optional(described(text, 'Empty for members without one.')),
      share: optional(described(text, 'The share of members that they are in; empty for the others.')),
      currency: text,
      ...sums,
      allBaskets: described(count, 'Sold baskets with or without a benefit.'),
      allTurnover: described(money, 'What was paid in those, in minor units.'),
      allUndoneTurnover: described(money, 'What returns and decisions took back of all of those.'),
      undoneBaskets: described(count, 'Of the sold baskets, those of which a return or a decision left nothing.'),
      undoneSaved: money,
      undoneTurnover: described(money, 'What guests got back of the baskets in which the benefit was lost.'),
      undoneUnits: described(count, 'The discounted units that were lost.'),
      refunded: described(
        money,
        'What returns refunded, in minor units: of all baskets; of those of the benefit or its funder where these are told apart.',
      ),
      conflicts: described(count, 'Sales of which a second outcome was reported, of the same baskets.'),
      before: optional(described(Sums, 'The same in the range before, where rows are not told apart by day.')),
    }),
  ),
  hasAllZeros: described(
    flag,
    'False: there would be too many rows of zero, and some are left out. By the day of booking there are none.',
  ),
  isMerged: described(flag, 'True: a day had more than 10,000 rows; some name no venue, tier or share.'),
});
export type CostReport = Static<typeof Costs>;
