import { Identifier } from '@loyalty/contract/scalars';
import { type TSchema, Type } from '@loyalty/contract/schema-type';
import { WEEKDAYS, type WhenDefinition } from '@loyalty/engine/compile/window';
import {
  type BenefitConditions,
  type LimitCounts,
  MAX_LIMITS,
  MAX_REQUIREMENTS,
  type RequirementDefinition,
} from '@loyalty/engine/compile/words';
import type { BenefitKind } from '@loyalty/engine/definition';
import { SHARE_PARTS } from '@loyalty/engine/offers/shares';
import { MAX_LIMIT_QUANTITY } from './limit-faults.ts';
import { closed, MinorUnits, MomentText, SelectorEntry, Slug, Texts, textUpTo, whole } from './schema.ts';

/** One schema per kind of benefit: the common conditions and the kind's own fields. */

const ShareEntry = Type.Object(
  {
    from: whole(0, SHARE_PARTS - 1),
    below: whole(1, SHARE_PARTS),
    salt: Slug,
  },
  closed,
);

const WhenEntry = Type.Object(
  {
    from: Type.Optional(MomentText),
    to: Type.Optional(MomentText),
    weekdays: Type.Optional(Type.Array(Type.Enum([...WEEKDAYS]))),
    hours: Type.Optional(Type.String({ format: 'hours', description: 'hours such as "14:00-16:00"' })),
    channels: Type.Optional(Type.Array(Type.Enum(['pos', 'mpos']))),
    venueIds: Type.Optional(Type.Array(Identifier)),
    tiers: Type.Optional(Type.Array(Identifier)),
    share: Type.Optional(ShareEntry),
  } satisfies Record<keyof WhenDefinition, TSchema>,
  closed,
);

const CURRENCY = '^[A-Z]{3}$';
const MAX_GROUP_QUANTITY = 1_000;
const MAX_PRIORITY = 1_000_000;
const MAX_FUNDER_CHARACTERS = 64;

const PositiveMinorUnits = whole(1, Number.MAX_SAFE_INTEGER, 'a whole number of minor units, 1 or more');

/** Minor units, or a map by currency. */
function amountOf(minorUnits: TSchema & { readonly description?: string }) {
  const byCurrency = Type.Object(
    {},
    {
      ...closed,
      patternProperties: { [CURRENCY]: minorUnits },
      minProperties: 1,
      description: 'amounts by currency such as { NOK: 5000, SEK: 5500 }',
    },
  );
  return Type.Union([minorUnits, byCurrency], {
    description: `${minorUnits.description}, or amounts by currency such as { NOK: 5000, SEK: 5500 }`,
  });
}

const PositiveAmount = amountOf(PositiveMinorUnits);
const AnyAmount = amountOf(MinorUnits);

/** What a limit counts decides about the rest of it (benefit-relations.ts): `money` has an amount as its quantity. */
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

const PercentValue = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  hundredths: true,
  description: 'a percentage above 0 and at most 100 with at most two decimals',
});

const AppliesTo = Type.Optional(SelectorEntry);
const units = { appliesTo: AppliesTo, quantity: whole(1, MAX_GROUP_QUANTITY) };
const UnitsEntry = Type.Object(units, closed);
const BoughtEntry = Type.Object({ ...units, combinable: Type.Optional(Type.Boolean()) }, closed);
/** `complete` needs several units to be given (benefit-relations.ts). */
const GivenEntry = Type.Object(
  { ...units, percent: Type.Optional(PercentValue), complete: Type.Optional(Type.Boolean()) },
  closed,
);

const RequirementEntry = Type.Object(
  {
    appliesTo: AppliesTo,
    quantity: Type.Optional(whole(1, MAX_GROUP_QUANTITY)),
    spend: Type.Optional(PositiveAmount),
  } satisfies Record<keyof RequirementDefinition, TSchema>,
  { ...closed, minProperties: 1, description: 'one or more of appliesTo, quantity and spend' },
);

/** The fields common to all kinds; the three that depend on the kind are below. */
const conditions = {
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
  // Only discounts on the order may say net (benefit-relations.ts).
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
/** An order-level benefit has no items to count, so its limit counts baskets or money. */
const orderLevel = {
  maximumDiscount,
  limit: Type.Optional(limitBy('baskets', 'money')),
  appliesTo: AppliesTo,
};
const itemLevel = {
  limit: Type.Optional(limitBy('baskets', 'items', 'money')),
  maximumUnits: Type.Optional(whole(1, MAX_LIMIT_QUANTITY)),
};

/** `cheapest` needs a number of units (benefit-relations.ts). */
const lineLevel = {
  ...itemLevel,
  maximumDiscount,
  appliesTo: AppliesTo,
  pick: Type.Optional(Type.Enum(['best', 'cheapest'])),
};

const FIELDS: Readonly<Record<BenefitKind, Record<string, TSchema>>> = {
  line_percent: { ...lineLevel, percent: PercentValue },
  line_amount: {
    ...lineLevel,
    amount: PositiveAmount,
    per: Type.Enum(['unit', 'line']),
  },
  unit_price: { ...lineLevel, unitPrice: AnyAmount },
  buy_x_get_y: {
    ...itemLevel,
    maximumDiscount,
    buy: BoughtEntry,
    get: GivenEntry,
    pick: Type.Optional(Type.Enum(['per_set', 'cheapest'])),
    spread: Type.Optional(Type.Boolean()),
  },
  free_product: {
    ...itemLevel,
    // A product is given whole, so it has no cap and no limit in money.
    limit: Type.Optional(limitBy('baskets', 'items')),
    appliesTo: AppliesTo,
    productId: Identifier,
    quantity: Type.Optional(whole(1, MAX_GROUP_QUANTITY)),
    inBasketFirst: Type.Optional(Type.Boolean()),
  },
  bundle_price: {
    ...itemLevel,
    maximumDiscount,
    items: Type.Array(UnitsEntry, { minItems: 1, maxItems: 10, description: 'a list of 1 to 10 items' }),
    // One of these three (benefit-relations.ts).
    bundlePrice: Type.Optional(AnyAmount),
    percent: Type.Optional(PercentValue),
    amount: Type.Optional(PositiveAmount),
  },
  order_percent: { ...orderLevel, percent: PercentValue },
  order_amount: { ...orderLevel, amount: PositiveAmount, perSpend: Type.Optional(PositiveAmount) },
};

export const BENEFIT_SCHEMAS: ReadonlyMap<BenefitKind, TSchema> = new Map(
  (Object.keys(FIELDS) as BenefitKind[]).map((kind) => [
    kind,
    Type.Object({ kind: Type.Literal(kind), ...conditions, ...FIELDS[kind] }, closed),
  ]),
);
