import Type, { type TSchema } from 'typebox';
import { Identifier } from '../contract/scalars.ts';
import type { BenefitKind } from '../pricing/programme.ts';
import { WEEKDAYS } from '../pricing/window.ts';
import { closed, MinorUnits, Slug, Text } from './schema.ts';

/** One schema per kind of benefit: the conditions that all share and the fields of the kind. */

const Names = Type.Array(Identifier, { minItems: 1, description: 'a list with at least one entry' });

const SelectorEntry = Type.Object(
  {
    productIds: Type.Optional(Names),
    productMasterIds: Type.Optional(Names),
    productGroupIds: Type.Optional(Names),
    eans: Type.Optional(Names),
    excludeProductIds: Type.Optional(Names),
  },
  closed,
);

const DateText = Type.String({ format: 'date', description: 'a date such as 2026-01-31' });

const WhenEntry = Type.Object(
  {
    from: Type.Optional(DateText),
    to: Type.Optional(DateText),
    weekdays: Type.Optional(Type.Array(Type.Enum([...WEEKDAYS]))),
    hours: Type.Optional(Type.String({ format: 'hours', description: 'hours such as "14:00-16:00"' })),
    channels: Type.Optional(Type.Array(Type.Enum(['pos', 'mpos']))),
    venueIds: Type.Optional(Type.Array(Identifier)),
    tiers: Type.Optional(Type.Array(Identifier)),
  },
  closed,
);

const LimitEntry = Type.Object(
  {
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'a whole number from 1' }),
    period: Type.Enum(['lifetime', 'year', 'month', 'week', 'day']),
    counts: Type.Enum(['baskets']),
  },
  closed,
);

const conditions = {
  benefitId: Slug,
  text: Type.Optional(Text),
  when: Type.Optional(WhenEntry),
  minimumSpend: Type.Optional(MinorUnits),
  limit: Type.Optional(LimitEntry),
  audience: Type.Optional(Type.Enum(['everyone', 'granted'])),
  priority: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, description: 'a whole number' })),
};

const PercentValue = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  hundredths: true,
  description: 'a percentage above 0 and at most 100 with at most two decimals',
});

function kind(name: BenefitKind, fields: Record<string, TSchema>) {
  return Type.Object({ kind: Type.Literal(name), ...conditions, ...fields }, closed);
}

export const BENEFIT_SCHEMAS: Readonly<Record<BenefitKind, TSchema>> = {
  line_percent: kind('line_percent', { percent: PercentValue, appliesTo: Type.Optional(SelectorEntry) }),
};
