import { CALLER_TIMEOUT_MS, MAX_NAME_CHARACTERS, MIN_DEADLINE_MS } from '@loyalty/contract/limits';
import { Currency, Ean, Identifier, LoyaltyId } from '@loyalty/contract/scalars';
import { type Static, Type } from '@loyalty/contract/schema-type';
import {
  closed,
  LANGUAGE,
  MinorUnits,
  noted,
  optional,
  SelectorEntry,
  SLUG,
  Slug,
  Text,
  Texts,
  textUpTo,
  whole,
} from '@loyalty/engine/compile/fields';
import { DEFAULT_MAXIMUM_STEPS } from '@loyalty/engine/work';
import { ENVIRONMENT_NAME } from './environment-name.ts';

/**
 * The schema of the configuration file. Unknown names are faults, because a mistyped option must not be silently
 * ignored. The error line shows a `description` as the allowed value.
 */

const MAX_RATE_PER_SECOND = 1_000_000;
const MAX_HOLD_MINUTES = 7 * 24 * 60;
const MAX_IDEMPOTENCY_HOURS = 31 * 24;
const MAX_RETENTION_DAYS = 366;
const MAX_PAST_HOURS = MAX_RETENTION_DAYS * 24;
const MAX_AHEAD_MINUTES = 24 * 60;

const RateLimit = Type.Object(
  {
    sustained: Type.Optional(whole(1, MAX_RATE_PER_SECOND, 'requests per second, a whole number from 1')),
    burst: Type.Optional(whole(1, MAX_RATE_PER_SECOND, 'requests, a whole number from 1')),
  },
  closed,
);

function duration(unit: string, maximum: number) {
  return Type.Number({ exclusiveMinimum: 0, maximum, description: `${unit}, above 0 and at most ${maximum}` });
}

const Calculation = Type.Object(
  {
    holdMinutes: Type.Optional(duration('minutes', MAX_HOLD_MINUTES)),
    idempotencyHours: Type.Optional(duration('hours', MAX_IDEMPOTENCY_HOURS)),
    retentionDays: Type.Optional(duration('days', MAX_RETENTION_DAYS)),
  },
  closed,
);

/** How long a sold basket is kept so that goods of it can be returned. */
const Returns = Type.Object({ days: Type.Optional(duration('days', MAX_RETENTION_DAYS)) }, closed);

/** The distance of `requestedAt` from Redis' clock within which it decides limits and time windows. */
const RequestedAt = Type.Object(
  { pastHours: duration('hours', MAX_PAST_HOURS), aheadMinutes: duration('minutes', MAX_AHEAD_MINUTES) },
  closed,
);

/** What events carry beside the sale itself. */
const Events = Type.Object({ lines: Type.Optional(Type.Boolean()) }, closed);

const LatencyBudget = Type.Object(
  {
    p95: Type.Optional(whole(1, CALLER_TIMEOUT_MS, 'milliseconds, a whole number from 1')),
    p99: Type.Optional(whole(1, CALLER_TIMEOUT_MS, 'milliseconds, a whole number from 1')),
    deadline: Type.Optional(
      whole(MIN_DEADLINE_MS, CALLER_TIMEOUT_MS - 1, `milliseconds from ${MIN_DEADLINE_MS} to ${CALLER_TIMEOUT_MS - 1}`),
    ),
  },
  closed,
);

/** Bounded like the name of a line, because an answer may contain it. */
const ProductName = textUpTo(MAX_NAME_CHARACTERS);

const ProductEntry = Type.Object(
  {
    productId: Identifier,
    productMasterId: Type.Optional(Identifier),
    productGroupId: Type.Optional(Identifier),
    ean: Type.Optional(Ean),
    name: ProductName,
    unitPrice: MinorUnits,
    noDiscount: Type.Boolean(),
    noPercentageDiscount: Type.Boolean(),
  },
  closed,
);

export const VenueEntry = Type.Object(
  {
    venueId: Identifier,
    terminalSetups: Type.Array(Identifier, {
      title: 'terminal setups',
      minItems: 1,
      description: 'a list with at least one terminal-setup number',
    }),
    currencies: Type.Array(Currency, { minItems: 1, description: 'a list with at least one currency such as "NOK"' }),
    timeZone: Type.String({ title: 'time zone' }),
    language: Type.Optional(Type.String({ pattern: LANGUAGE, description: 'a language such as nb, sv or en-GB' })),
    programmeId: noted(Slug, { title: 'programme' }),
    products: Type.Optional(Type.Array(ProductEntry)),
  },
  closed,
);

const MAX_APPLIED_OF_GROUP = 1_000;
const Groups = Type.Object(
  {},
  {
    ...closed,
    patternProperties: {
      [SLUG]: Type.Object(
        {
          atMost: whole(1, MAX_APPLIED_OF_GROUP, 'a whole number from 1'),
          take: Type.Optional(Type.Enum(['saving', 'priority'])),
        },
        closed,
      ),
    },
    description: 'names of 1 to 64 of A-Z a-z 0-9 . _ -, each with { atMost: 1 } or more',
  },
);

/** The work of one choice, in steps of about a microsecond and a half (packages/engine/src/work.ts): 1.5 ms to 1.5 s. */
const LEAST_MAXIMUM_STEPS = 1_000;
const MOST_MAXIMUM_STEPS = 1_000_000;

export const ProgrammeEntry = Type.Object(
  {
    programmeId: Slug,
    memberLabel: optional(Texts, { title: 'label' }),
    discountCode: Type.Optional(Text),
    exclude: Type.Optional(SelectorEntry),
    groups: Type.Optional(Groups),
    modifiers: optional(Type.Enum(['apart', 'together']), { default: 'apart' }),
    weighed: Type.Optional(SelectorEntry),
    existingLineDiscounts: optional(Type.Enum(['replace_if_larger', 'keep', 'stack']), {
      default: 'replace_if_larger',
    }),
    existingOrderDiscounts: optional(Type.Enum(['keep', 'replace_if_larger']), { default: 'keep' }),
    existingDiscountScope: optional(Type.Enum(['line', 'basket']), { default: 'line' }),
    returns: optional(Type.Enum(['as_paid', 'repriced']), { default: 'as_paid' }),
    maximumSteps: optional(Type.Integer({ minimum: LEAST_MAXIMUM_STEPS, maximum: MOST_MAXIMUM_STEPS }), {
      default: DEFAULT_MAXIMUM_STEPS,
    }),
    // Each benefit is checked against the schema of its own kind (benefit-schema.ts), which reports faults more
    // exactly.
    benefits: Type.Optional(Type.Array(Type.Object({}))),
  },
  closed,
);

const DateText = Type.String({ format: 'date', description: 'a date such as 2026-01-31' });
const MAX_GRANT_QUANTITY = 1_000_000;
const GRANT_FORM =
  'a benefitId, or { benefitId, grantId, quantity, from, to }, of which the last three may be left out';

/** A voucher beside its names. */
export const GrantFields = {
  quantity: Type.Optional(whole(1, MAX_GRANT_QUANTITY, `baskets, a whole number from 1 to ${MAX_GRANT_QUANTITY}`)),
  from: Type.Optional(DateText),
  to: Type.Optional(DateText),
};
const GrantEntry = Type.Union([Slug, Type.Object({ benefitId: Slug, grantId: Slug, ...GrantFields }, closed)], {
  description: GRANT_FORM,
});

export const MemberEntry = Type.Object(
  {
    programmeId: Slug,
    loyaltyId: LoyaltyId,
    status: Type.Enum(['active', 'paused', 'expired', 'blocked']),
    tier: Type.Optional(Identifier),
    memberLabel: Type.Optional(Text),
    grants: Type.Optional(Type.Array(GrantEntry)),
  },
  closed,
);

const ENVIRONMENT_WORDS =
  'a name such as production, staging or staging-team-b: 1 to 40 lower-case letters, digits and hyphens; only names that begin with staging have test members and generate secrets';
const MAX_NOTE_CHARACTERS = 500;
const NOTE = `what changed and why, a text of 1 to ${MAX_NOTE_CHARACTERS} characters for the list of changes`;
const MAX_TEST_MEMBERS = 100;
const TEST_MEMBERS = `a list of up to ${MAX_TEST_MEMBERS} loyalty IDs whose clock a test may move; in staging alone`;

export const EnvironmentFile = Type.Object(
  {
    environment: Type.String({ pattern: ENVIRONMENT_NAME, description: ENVIRONMENT_WORDS }),
    note: Type.Optional(textUpTo(MAX_NOTE_CHARACTERS, NOTE)),
    rateLimit: Type.Optional(RateLimit),
    calculation: Type.Optional(Calculation),
    returns: Type.Optional(Returns),
    latencyBudget: Type.Optional(LatencyBudget),
    requestedAt: Type.Optional(RequestedAt),
    events: Type.Optional(Events),
    venues: Type.Array(VenueEntry),
    programmes: Type.Array(ProgrammeEntry),
    members: Type.Optional(Type.Array(MemberEntry)),
    testMembers: Type.Optional(Type.Array(LoyaltyId, { maxItems: MAX_TEST_MEMBERS, description: TEST_MEMBERS })),
  },
  // Names that begin with `x-` hold pieces that anchors and merge keys use elsewhere in the file.
  { ...closed, patternProperties: { '^x-': {} } },
);

export type EnvironmentFile = Static<typeof EnvironmentFile>;
export type VenueEntry = Static<typeof VenueEntry>;
export type MemberEntry = Static<typeof MemberEntry>;
