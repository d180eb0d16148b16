import { type Static, Type } from '@loyalty/contract/schema-type';
import { GrantFields, MemberEntry } from '../../../../src/programme/schema.ts';
import {
  closed,
  count,
  counts,
  described,
  flag,
  instant,
  list,
  object,
  optional,
  period,
  text,
  token,
} from './schema-words.ts';

/** The schemas of members and their grants. */

const { programmeId, loyaltyId, ...ownWords } = MemberEntry.properties;

export const MemberBody = closed({ ...ownWords });

export const GrantBody = closed({ benefitId: text, ...GrantFields });

const used = { consumed: count, held: count, overRedeemed: count, left: count };

const Limit = object({
  benefitId: described(text, 'Of a limit that several benefits share: one of them.'),
  limitId: optional(text),
  period,
  counts,
  currency: optional(described(text, 'Of `money`, whose units are minor units.')),
  limit: count,
  ...used,
  held: described(count, 'By open calculations.'),
  overRedeemed: described(count, 'Of what is consumed: past the limit, by sales that came late.'),
  venues: described(list(text), 'Where this period is running now.'),
});
/** One limited benefit of a member in the current period. */
export type LimitState = Static<typeof Limit>;

const Granted = object({
  benefitId: text,
  grantId: text,
  quantity: optional(count),
  ...used,
  isRevoked: optional(
    described(flag, 'The member used it and does not have it any more; `quantity` is not known then.'),
  ),
});
/** A grant with a quantity, whatever its dates. Units are baskets. */
export type GrantState = Static<typeof Granted>;

export const MemberState = object({
  programmeId,
  loyaltyId,
  ...ownWords,
  // They are in every answer.
  grants: { ...ownWords.grants },
  member: token,
  source: { enum: ['configuration', 'administration'], description: '`configuration`: the file names it.' },
  limits: list(Limit),
  granted: described(
    list(Granted),
    'The grants with a quantity, which counts baskets, and those that were used and then revoked.',
  ),
  endedBenefits: described(
    list(text),
    'Of the grants: the benefits that the configuration no longer has. Such a grant is kept and opens nothing.',
  ),
  warnings: optional(
    described(list(text), 'Of the grants that were given by this call: why one can give nothing now.'),
  ),
  holds: list(object({ calculationId: text, until: instant, units: { type: 'object', additionalProperties: count } })),
});

export const MergeBody = closed({
  into: Type.String({ minLength: 1, description: 'The loyalty ID of the member that stays.' }),
});

export const Merge = object({
  into: text,
  grants: described(count, 'That the other member got.'),
  counters: described(count, 'That were added to those of the other member.'),
  calculations: described(count, 'That moved, sold or open.'),
  holds: described(count, 'Of open calculations among them.'),
  isRepeated: described(flag, 'The members had been merged before; only what was left moved.'),
});

/** So that a slip of the keyboard is refused. */
const MOST_GIVEN_BACK = 1_000_000;

export const GiveBackBody = object({
  units: Type.Integer({
    minimum: 1,
    maximum: MOST_GIVEN_BACK,
    description: 'Baskets, items or minor units, as the limit counts.',
  }),
  reason: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
});
export type GiveBackBody = Static<typeof GiveBackBody>;

export const GivenBack = object({
  counter: text,
  givenBack: count,
  consumed: described(count, 'What stays consumed.'),
});

const anything = { type: 'object', additionalProperties: true };

export const MemberCopy = object({
  copiedAt: instant,
  programmeId,
  loyaltyId,
  mergedLoyaltyIds: described(list(text), 'The loyalty IDs that were merged into this one.'),
  pseudonym: token,
  member: described({ type: ['object', 'null'] }, 'As it is stored.'),
  used: described({ type: 'object', additionalProperties: count }, 'What is consumed, by counter.'),
  open: described(list(anything), 'What open calculations hold.'),
  calculations: described(list(anything), 'What is kept of each: its answer, lines, sale and returns.'),
});

export const Erased = object({
  erased: object({ member: flag, calculations: count }),
  certificate: optional(
    described(
      anything,
      'With `certificate=yes`: who erased what and when, by a digest of the loyalty ID; what was looked for afterwards, and what stays.',
    ),
  ),
});
