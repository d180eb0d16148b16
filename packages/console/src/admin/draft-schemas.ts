import { type Static, Type } from '@loyalty/contract/schema-type';
import { count, described, flag, list, object, optional, text } from './schema-words.ts';

/** The bodies and answers of calls about drafts of the configuration, for the OpenAPI document. */

const place = { file: text, line: optional(count), column: optional(count), path: text };
/** An error of a draft. */
export const DraftFault = object({ ...place, found: text, allowed: text, nearest: optional(text) });

export const DraftWarning = object({ ...place, text });

const draft = {
  text: described(text, 'YAML.'),
  file: optional(
    described(text, 'The file whose place it takes, one of `files`; without it the text is the whole configuration.'),
  ),
};
const amount = {
  description: 'Minor units, or minor units by currency.',
  anyOf: [
    { ...count, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'object', patternProperties: { '^[A-Z]{3}$': count }, additionalProperties: false, minProperties: 1 },
  ],
};
const name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });
const price = {
  programmeId: name,
  benefitId: name,
  productIds: list(Type.String({ minLength: 1 })),
  unitPrice: amount,
};
const MOST_ROWS = 20_000;
const MOST_NOTE_CHARACTERS = 500;

export const ConfigurationFiles = object({
  version: text,
  isWritable: flag,
  isRecorded: flag,
  files: list(object({ name: text, text })),
});
export const Draft = object(draft);
export type Draft = Static<typeof Draft>;
export const DraftInForce = object({
  ...draft,
  note: Type.String({
    minLength: 1,
    maxLength: MOST_NOTE_CHARACTERS,
    pattern: '\\S',
    description: `What changed and why, in up to ${MOST_NOTE_CHARACTERS} characters.`,
  }),
});
export type DraftInForce = Static<typeof DraftInForce>;
export const DraftReview = object({
  faults: list(DraftFault),
  warnings: list(DraftWarning),
  differences: list(object({ path: text, text: described(text, '`Happy coffee: 20 % → 25 %`') })),
  restartedLimits: described(list(text), 'Limits that would begin anew, a sentence each.'),
});
export const PriceEdit = object({
  ...draft,
  rows: optional(
    list(
      object({
        ...price,
        productIds: optional(price.productIds),
        unitPrice: optional(price.unitPrice),
        remove: optional(flag),
      }),
      { maxItems: MOST_ROWS },
    ),
  ),
});
export const Prices = object({ prices: list(object(price)), text: described(text, 'The text with these prices.') });
export const BacktestReport = object({ report: described(text, 'The report of `npm run backtest`, as text.') });
