import { MAX_TEXT_CHARACTERS } from '@loyalty/contract/limits';
import { Identifier } from '@loyalty/contract/scalars';
import { type TSchema, Type } from '@loyalty/contract/schema-type';

/** Schemas of what the words of the configuration hold. The error line shows a `description` as the allowed value. */

/** The schemas of some fields, by name. */
export type Fields = Readonly<Record<string, TSchema>>;

/** What a field is called in a comparison of two files, and what it means where it is absent; editors show both. */
export interface FieldNotes {
  readonly title?: string;
  readonly default?: unknown;
}

export function noted<Own extends TSchema>(schema: Own, notes: FieldNotes): Own {
  return Object.assign(Object.create(Object.prototype, Object.getOwnPropertyDescriptors(schema)), notes);
}

/** A field that may be absent. */
export function optional<Own extends TSchema>(schema: Own, notes: FieldNotes = {}) {
  return Type.Optional(noted(schema, notes));
}

export const closed = { additionalProperties: false };
export const SLUG = '^[A-Za-z0-9._-]{1,64}$';
export const Slug = Type.String({ pattern: SLUG, description: '1 to 64 of A-Z a-z 0-9 . _ -' });

export function textUpTo(maxLength: number, description = `a text of 1 to ${maxLength} characters`) {
  return Type.String({ minLength: 1, maxLength, description });
}

export function whole(minimum: number, maximum: number, description = `a whole number from ${minimum} to ${maximum}`) {
  return Type.Integer({ minimum, maximum, description });
}

export const Text = textUpTo(MAX_TEXT_CHARACTERS);
export const LANGUAGE = '^[a-z]{2,3}(-[A-Z]{2})?$';
/** A text that guests read, or one for each language. */
const TEXTS = `a text of 1 to ${MAX_TEXT_CHARACTERS} characters, or texts by language such as { nb: Kaffe, sv: Kaffe }`;
const TextByLanguage = Type.Object(
  {},
  { ...closed, patternProperties: { [LANGUAGE]: Text }, minProperties: 1, description: TEXTS },
);
export const Texts = Type.Union([Text, TextByLanguage], { description: TEXTS });
export const MinorUnits = whole(0, Number.MAX_SAFE_INTEGER, 'a whole number of minor units, 0 or more');

/** A date, or a date with a time of the venue's clock. */
export const MomentText = Type.String({
  format: 'moment',
  description: 'a date such as 2026-01-31, or with a time 2026-01-31T06:00',
});
export const Names = Type.Array(Identifier, { minItems: 1, description: 'a list with at least one entry' });

export const SelectorEntry = Type.Object(
  {
    productIds: Type.Optional(Names),
    productMasterIds: Type.Optional(Names),
    productGroupIds: Type.Optional(Names),
    eans: Type.Optional(Names),
    excludeProductIds: Type.Optional(Names),
    excludeProductMasterIds: Type.Optional(Names),
    excludeProductGroupIds: Type.Optional(Names),
    excludeEans: Type.Optional(Names),
    excludeDiscounted: optional(Type.Boolean(), { default: false }),
  },
  closed,
);

const CURRENCY = '^[A-Z]{3}$';
export const PositiveMinorUnits = whole(1, Number.MAX_SAFE_INTEGER, 'a whole number of minor units, 1 or more');

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

export const PositiveAmount = amountOf(PositiveMinorUnits);
export const AnyAmount = amountOf(MinorUnits);

/** True for the schema of an amount, also where the field may be absent. */
export function isAmount(schema: TSchema): boolean {
  const { anyOf } = schema as Partial<typeof AnyAmount>;
  return anyOf !== undefined && [PositiveAmount.anyOf, AnyAmount.anyOf].includes(anyOf);
}

export const PercentValue = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  hundredths: true,
  description: 'a percentage above 0 and at most 100 with at most two decimals',
});

const MAX_UNITS = 1_000;
/** A number of units that belong together. */
export const UnitCount = whole(1, MAX_UNITS);

export const AppliesTo = Type.Optional(SelectorEntry);
/** A number of units of some products. */
export const UNITS = { appliesTo: AppliesTo, quantity: UnitCount };
export const UnitsEntry = Type.Object(UNITS, closed);
