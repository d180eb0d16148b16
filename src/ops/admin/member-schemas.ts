import type { Json } from '../../openapi/schemas.ts';
import { GrantFields, MemberEntry } from '../../programme/schema.ts';
import { count, described, instant, list, object, period, text, token } from './schema-words.ts';

/** The schemas of members and their grants. */

const { programmeId, loyaltyId, ...ownWords } = MemberEntry.properties;

export const MemberBody: Json = {
  ...object({ ...ownWords }, ['tier', 'memberLabel', 'grants']),
  additionalProperties: false,
};

export const GrantBody: Json = {
  ...object({ benefitId: text, ...GrantFields }, ['quantity', 'from', 'to']),
  additionalProperties: false,
};

export const MemberState = object(
  {
    programmeId,
    loyaltyId,
    ...ownWords,
    member: token,
    source: { enum: ['configuration', 'administration'], description: '`configuration`: the file names it.' },
    limits: list(
      object(
        {
          benefitId: described(text, 'Of a limit that several benefits share: one of them.'),
          limitId: text,
          period,
          counts: { enum: ['baskets', 'items', 'money'] },
          currency: described(text, 'Of `money`, whose units are minor units.'),
          limit: count,
          consumed: count,
          held: described(count, 'By open calculations.'),
          overRedeemed: described(count, 'Of what is consumed: past the limit, by sales that came late.'),
          left: count,
          venues: described(list(text), 'Where this period is running now.'),
        },
        ['limitId', 'currency'],
      ),
    ),
    granted: described(
      list(
        object({
          benefitId: text,
          grantId: text,
          quantity: count,
          consumed: count,
          held: count,
          overRedeemed: count,
          left: count,
        }),
      ),
      'The grants with a quantity, which counts baskets.',
    ),
    endedBenefits: described(
      list(text),
      'Of the grants: the benefits that the configuration no longer has. Such a grant is kept and opens nothing.',
    ),
    warnings: described(list(text), 'Of the grants that were given by this call: why one can give nothing now.'),
    holds: list(
      object({ calculationId: text, until: instant, units: { type: 'object', additionalProperties: count } }),
    ),
  },
  ['tier', 'memberLabel', 'warnings'],
);
