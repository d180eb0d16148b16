import { count, described, instant, list, object, text } from './schema-words.ts';

/** The answer about limits over all members, for the OpenAPI document. */
export const CommonLimits = object({
  limits: list(
    object(
      {
        programmeId: text,
        benefitId: described(text, 'Of a limit that several benefits share, one of them.'),
        limitId: text,
        of: { enum: ['programme', 'venue'] },
        venueId: text,
        period: described(text, '`2026-11-21`, `2026-W47`, `2026-11`, `2026`, or `*` for a lifetime.'),
        counts: { enum: ['baskets', 'items', 'money'] },
        currency: text,
        ...{ quantity: count, consumed: count, held: count, overRedeemed: count, left: count },
        since: described(instant, 'When the first unit of the period was consumed.'),
        runsOutOn: { type: 'string', format: 'date' },
      },
      ['limitId', 'venueId', 'currency', 'since', 'runsOutOn'],
    ),
  ),
});
