import { count, described, list, object, text } from './schema-words.ts';

/** The bodies and answers of calls about drafts of the configuration, for the OpenAPI document. */

const place = { file: text, line: count, column: count, path: text };
/** An error of a draft. */
export const draftFault = object({ ...place, found: text, allowed: text, nearest: text }, [
  'line',
  'column',
  'nearest',
]);

const draft = {
  text: described(text, 'YAML.'),
  file: described(
    text,
    'The file whose place it takes, one of `files`; without it the text is the whole configuration.',
  ),
};
const amount = {
  description: 'Minor units, or minor units by currency.',
  anyOf: [count, { type: 'object', additionalProperties: count }],
};
const price = { programmeId: text, benefitId: text, productIds: list(text), unitPrice: amount };

export const ConfigurationFiles = object({
  version: text,
  isWritable: { type: 'boolean' },
  isRecorded: { type: 'boolean' },
  files: list(object({ name: text, text })),
});
export const Draft = object(draft, ['file']);
export const DraftInForce = object(
  { ...draft, note: described(text, 'What changed and why, in up to 500 characters.') },
  ['file'],
);
export const DraftReview = object({
  faults: list(draftFault),
  warnings: list(object({ ...place, text }, ['line', 'column'])),
  differences: list(object({ path: text, text: described(text, '`Happy coffee: 20 % → 25 %`') })),
  restartedLimits: described(list(text), 'Limits that would begin anew, a sentence each.'),
});
export const PriceEdit = object(
  { ...draft, rows: list(object({ ...price, remove: { type: 'boolean' } }, ['productIds', 'unitPrice', 'remove'])) },
  ['file', 'rows'],
);
export const Prices = object({ prices: list(object(price)), text: described(text, 'The text with these prices.') });
export const BacktestReport = object({ report: described(text, 'The report of `npm run backtest`, as text.') });
