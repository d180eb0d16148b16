import { type TSchema, Type } from '@loyalty/contract/schema-type';
import { CONDITIONS, type ConditionName } from '../conditions/register.ts';
import {
  AnyAmount,
  AppliesTo,
  closed,
  type Fields,
  MomentText,
  PositiveAmount,
  Slug,
  Texts,
  textUpTo,
  UnitCount,
  whole,
} from './fields.ts';
import type { Level } from './rule.ts';
import { WEEKDAYS, type WhenDefinition } from './window.ts';
import {
  type BenefitConditions,
  type LimitCounts,
  MAX_LIMIT_QUANTITY,
  MAX_LIMITS,
  MAX_REQUIREMENTS,
  type RequirementDefinition,
} from './words.ts';

/** The schemas of the fields that all kinds share, and of those that the kinds of a family share. */

const MAX_PRIORITY = 1_000_000;
const MAX_FUNDER_CHARACTERS = 64;

const conditionSchemas = Object.fromEntries(
  Object.entries(CONDITIONS).map(([name, { schema }]) => [name, Type.Optional(schema)]),
) as unknown as Readonly<Record<ConditionName, TSchema>>;

const WhenEntry = Type.Object(
  {
    from: Type.Optional(MomentText),
    to: Type.Optional(MomentText),
    weekdays: Type.Optional(Type.Array(Type.Enum([...WEEKDAYS]))),
    hours: Type.Optional(Type.String({ format: 'hours', description: 'hours such as "14:00-16:00"' })),
    ...conditionSchemas,
  } satisfies Record<keyof WhenDefinition, TSchema>,
  closed,
);

/** What a limit counts decides about the rest of it (programme/benefit-relations.ts): `money` has an amount as its quantity. */
function limitBy(...counts: LimitCounts[]) {
  const one = Type.Object(
    {
      quantity: counts.includes('money') ? PositiveAmount : whole(1, MAX_LIMIT_QUANTITY),
      period: Type.Enum(['lifetime', 'year', 'month', 'week', 'day', 'basket']),
      counts: Type.Enum(counts),
      limitId: Type.Optional(Slug),
      of: Type.Optional(Type.Enum(['member', 'programme', 'venue'])),
    },
    closed,
  );
  const several = { minItems: 1, maxItems: MAX_LIMITS, description: `a list of 1 to ${MAX_LIMITS} limits` };
  return Type.Union([one, Type.Array(one, several)], { description: `a limit, or a list of 1 to ${MAX_LIMITS}` });
}

const RequirementEntry = Type.Object(
  {
    appliesTo: AppliesTo,
    quantity: Type.Optional(UnitCount),
    spend: Type.Optional(PositiveAmount),
  } satisfies Record<keyof RequirementDefinition, TSchema>,
  { ...closed, minProperties: 1, description: 'one or more of appliesTo, quantity and spend' },
);

/** The fields common to all kinds; the three that depend on the kind are below. */
export const CONDITION_FIELDS = {
  benefitId: Slug,
  enabled: Type.Optional(Type.Boolean()),
  text: Type.Optional(Texts),
  when: Type.Optional(
    Type.Union([WhenEntry, Type.Array(WhenEntry, { minItems: 1, description: 'a list with at least one window' })], {
      description: 'a window, or a list with at least one',
    }),
  ),
  minimumSpend: Type.Optional(AnyAmount),
  minimumSpendOn: Type.Optional(Type.Enum(['eligible', 'basket'])),
  // Only discounts on the order may say net (programme/benefit-relations.ts).
  minimumSpendBasis: Type.Optional(Type.Enum(['incoming', 'net'])),
  minimumQuantity: Type.Optional(whole(1, MAX_LIMIT_QUANTITY)),
  minimumQuantityOn: Type.Optional(Type.Enum(['eligible', 'basket'])),
  requires: Type.Optional(
    Type.Union(
      [
        RequirementEntry,
        Type.Array(RequirementEntry, {
          minItems: 1,
          maxItems: MAX_REQUIREMENTS,
          description: `a list of 1 to ${MAX_REQUIREMENTS} requirements`,
        }),
      ],
      { description: `{ appliesTo, quantity, spend }, or a list of 1 to ${MAX_REQUIREMENTS}` },
    ),
  ),
  minimumSaving: Type.Optional(AnyAmount),
  audience: Type.Optional(Type.Enum(['everyone', 'granted'])),
  group: Type.Optional(Slug),
  exclusive: Type.Optional(Type.Boolean()),
  priority: Type.Optional(whole(-MAX_PRIORITY, MAX_PRIORITY)),
  fundedBy: Type.Optional(textUpTo(MAX_FUNDER_CHARACTERS)),
} satisfies Record<Exclude<keyof BenefitConditions, 'maximumDiscount' | 'maximumUnits' | 'limit'>, TSchema>;

const maximumDiscount = Type.Optional(PositiveAmount);
const itemFields = {
  limit: Type.Optional(limitBy('baskets', 'items', 'money')),
  maximumUnits: Type.Optional(whole(1, MAX_LIMIT_QUANTITY)),
};

/** The fields that the kinds of a family share beside those of all kinds. */
export const LEVEL_FIELDS: Readonly<Record<Level, Fields>> = {
  line: {
    ...itemFields,
    maximumDiscount,
    appliesTo: AppliesTo,
    // `cheapest` needs a number of units (programme/benefit-relations.ts).
    pick: Type.Optional(Type.Enum(['best', 'cheapest'])),
  },
  buyGet: { ...itemFields, maximumDiscount },
  bundle: { ...itemFields, maximumDiscount },
  // A product is given whole, so it has no cap and no limit in money.
  gift: { ...itemFields, limit: Type.Optional(limitBy('baskets', 'items')), appliesTo: AppliesTo },
  // It has no items to count, so its limit counts baskets or money.
  order: { maximumDiscount, limit: Type.Optional(limitBy('baskets', 'money')), appliesTo: AppliesTo },
};
