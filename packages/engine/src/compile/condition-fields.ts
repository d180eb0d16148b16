import { Identifier } from '@loyalty/contract/scalars';
import { type TSchema, Type } from '@loyalty/contract/schema-type';
import { CONDITIONS, type ConditionName } from '../conditions/register.ts';
import {
  AnyAmount,
  AppliesTo,
  closed,
  type Fields,
  MinorUnits,
  MomentText,
  Names,
  noted,
  optional,
  PercentValue,
  PositiveAmount,
  PositiveMinorUnits,
  SelectorEntry,
  Slug,
  Text,
  Texts,
  textUpTo,
  UnitCount,
  UnitsEntry,
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
  Object.entries(CONDITIONS).map(([name, { schema, label }]) => [name, optional(schema, { title: label })]),
) as unknown as Readonly<Record<ConditionName, TSchema>>;

const WhenEntry = Type.Object(
  {
    from: optional(MomentText, { title: 'first day' }),
    to: optional(MomentText, { title: 'last day' }),
    weekdays: optional(Type.Array(Type.Enum([...WEEKDAYS])), { title: 'days' }),
    hours: optional(Type.String({ format: 'hours', description: 'hours such as "14:00-16:00"' }), { title: 'hours' }),
    ...conditionSchemas,
  } satisfies Record<keyof WhenDefinition, TSchema>,
  closed,
);

const limitPeriod = Type.Enum(['lifetime', 'year', 'month', 'week', 'day', 'basket'], { title: 'limit per' });
const sharedLimit = optional(Slug, { title: 'shared limit' });
const limitOwner = optional(Type.Enum(['member', 'programme', 'venue']), { title: 'limit of', default: 'member' });

/** What a limit counts decides about the rest of it (programme/benefit-relations.ts): `money` has an amount as its quantity. */
function limitEntry(...counts: LimitCounts[]) {
  return Type.Object(
    {
      quantity: noted(counts.includes('money') ? PositiveAmount : whole(1, MAX_LIMIT_QUANTITY), { title: 'limit' }),
      period: limitPeriod,
      counts: Type.Enum(counts, { title: 'limit counts' }),
      limitId: sharedLimit,
      of: limitOwner,
    },
    closed,
  );
}

function limitField(entry: TSchema) {
  const several = { minItems: 1, maxItems: MAX_LIMITS, description: `a list of 1 to ${MAX_LIMITS} limits` };
  const forms = [entry, Type.Array(entry, several)];
  return Type.Optional(Type.Union(forms, { description: `a limit, or a list of 1 to ${MAX_LIMITS}` }));
}

const LineLimit = limitEntry('baskets', 'items', 'money');
// A product is given whole, so it has no limit in money.
const GiftLimit = limitEntry('baskets', 'items');
// A discount on the order has no items to count.
const OrderLimit = limitEntry('baskets', 'money');

const RequirementEntry = Type.Object(
  {
    appliesTo: AppliesTo,
    quantity: optional(UnitCount, { title: 'required units', default: 1 }),
    spend: optional(PositiveAmount, { title: 'required spend' }),
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
  minimumSpend: optional(AnyAmount, { title: 'minimum spend' }),
  minimumSpendOn: optional(Type.Enum(['eligible', 'basket']), { default: 'eligible' }),
  // Only discounts on the order may say net (programme/benefit-relations.ts).
  minimumSpendBasis: optional(Type.Enum(['incoming', 'net']), { default: 'incoming' }),
  minimumQuantity: optional(whole(1, MAX_LIMIT_QUANTITY), { title: 'minimum quantity' }),
  minimumQuantityOn: optional(Type.Enum(['eligible', 'basket']), { default: 'eligible' }),
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
  minimumSaving: optional(AnyAmount, { title: 'least saving' }),
  audience: optional(Type.Enum(['everyone', 'granted']), { title: 'for', default: 'everyone' }),
  group: Type.Optional(Slug),
  exclusive: optional(Type.Boolean(), { title: 'alone in a basket', default: false }),
  priority: optional(whole(-MAX_PRIORITY, MAX_PRIORITY), { default: 0 }),
  fundedBy: optional(textUpTo(MAX_FUNDER_CHARACTERS), { title: 'paid by' }),
} satisfies Record<Exclude<keyof BenefitConditions, 'maximumDiscount' | 'maximumUnits' | 'limit'>, TSchema>;

const maximumDiscount = optional(PositiveAmount, { title: 'most saved in a basket' });
const itemFields = {
  limit: limitField(LineLimit),
  maximumUnits: optional(whole(1, MAX_LIMIT_QUANTITY), { title: 'most units in a basket' }),
};

/** The fields that the kinds of a family share beside those of all kinds. */
export const LEVEL_FIELDS: Readonly<Record<Level, Fields>> = {
  line: {
    ...itemFields,
    maximumDiscount,
    appliesTo: AppliesTo,
    // `cheapest` needs a number of units (programme/benefit-relations.ts).
    pick: optional(Type.Enum(['best', 'cheapest']), { default: 'best' }),
  },
  buyGet: { ...itemFields, maximumDiscount },
  bundle: { ...itemFields, maximumDiscount },
  // A product is given whole, so it has no maximum in money.
  gift: { ...itemFields, limit: limitField(GiftLimit), appliesTo: AppliesTo },
  order: { maximumDiscount, limit: limitField(OrderLimit), appliesTo: AppliesTo },
};

/** Parts that many fields have, by the names under which the schema for editors defines them. */
export const SHARED_PARTS = {
  ...CONDITION_FIELDS,
  ...LEVEL_FIELDS.line,
  lineLimit: LineLimit,
  giftLimit: GiftLimit,
  orderLimit: OrderLimit,
  limitPeriod,
  sharedLimit,
  limitOwner,
  window: WhenEntry,
  requirement: RequirementEntry,
  selector: SelectorEntry,
  unitsOfProducts: UnitsEntry,
  eligibleOrBasket: CONDITION_FIELDS.minimumSpendOn,
  positiveAmount: PositiveAmount,
  amount: AnyAmount,
  positiveByCurrency: PositiveAmount.anyOf[1]!,
  byCurrency: AnyAmount.anyOf[1]!,
  positiveMinorUnits: PositiveMinorUnits,
  minorUnits: MinorUnits,
  percentage: PercentValue,
  unitCount: UnitCount,
  slug: Slug,
  identifier: Identifier,
  identifiers: Names,
  texts: Texts,
  byLanguage: Texts.anyOf[1],
  shortText: Text,
};
