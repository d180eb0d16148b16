import { AMOUNT_FIELDS } from '@loyalty/engine/compile/amounts';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { formatAmount } from '@loyalty/engine/trace/wording';
import { BENEFIT_SCHEMAS } from '../benefit-schema.ts';
import { ProgrammeEntry, VenueEntry } from '../schema.ts';
import { notesOf } from './defaults.ts';
import { CURRENCY, showWindows, wordsOfAbsence } from './open.ts';

/** Fields of the configuration and their values, in the words of an operator. */

/** Of these the value alone says what it is. */
const UNNAMED = ['percent', 'amount', 'unitPrice', 'bundlePrice'];

/** Names of fields, as their schemas say them. A field that is not here is called as in the file. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ...[VenueEntry, ProgrammeEntry, ...BENEFIT_SCHEMAS.values()]
    .flatMap((schema) => [...notesOf(schema)])
    .flatMap(([path, { title }]) => (title === undefined ? [] : [[path, title] as const])),
  ...PRODUCT_NAMES.flatMap(({ included, excluded, label }) =>
    label === undefined
      ? []
      : [
          [`appliesTo.${included}`, label] as const,
          [`appliesTo.${excluded}`, `${label} left out`] as const,
          [`requires.appliesTo.${included}`, `required ${label}`] as const,
        ],
  ),
  ['appliesTo.excludeDiscounted', 'reduced goods left out'],
  ...UNNAMED.map((field) => [field, ''] as const),
]);

const MONEY = [...AMOUNT_FIELDS, 'limit.quantity', 'requires.spend'];
const TEXTS = ['text', 'memberLabel'];
const MAX_CHARACTERS = 120;
/** So much of what is the same stands before a difference that comes later. */
const CHARACTERS_BEFORE = 30;

/** A value on one side of a change. */
export interface Shown {
  readonly value: unknown;
  /** That of a bare amount, where it is one alone. */
  readonly currency?: string | undefined;
  /** What it means here that the value is absent; "none" if undefined. */
  readonly absent?: string | undefined;
}

/** `hours 14:00-16:00 → 15:00-16:00`, `20 % → 25 %`. */
export function wordsOfChange(path: string, before: Shown, after: Shown): string {
  const { field, of, language } = splitPath(path);
  const name = LABELS.get(field) ?? field;
  const label = language === undefined ? name : `${name} in ${language}`;
  const show = ({ value, currency, absent = 'none' }: Shown) =>
    wordsOfAbsence(field, value) ??
    wordsOf(field, value, of ?? (MONEY.includes(field) ? currency : undefined)) ??
    absent;
  const [was, is] = [show(before), show(after)];
  const from = beginOfDifference(was, is);
  const cutOf = ({ value }: Shown, words: string) => (isText(field, value) ? words : cut(words, from));
  const both = `${cutOf(before, was)} → ${cutOf(after, is)}`;
  return label === '' ? both : `${label} ${both}`;
}

/** `venues: oslo → every venue`: lists of names, or the words for one that restricts nothing. */
export function wordsOfOpening(path: string, before: readonly unknown[] | string, after: readonly unknown[] | string) {
  const show = (side: readonly unknown[] | string) => cut(typeof side === 'string' ? side : side.join(', '));
  return `${LABELS.get(path) ?? path}: ${show(before)} → ${show(after)}`;
}

/** What a list has more and less. */
export function wordsOfList(path: string, more: readonly unknown[], less: readonly unknown[]): string {
  const words = [...more.map((name) => `+ ${name}`), ...less.map((name) => `− ${name}`)];
  return cut(`${LABELS.get(path) ?? path} ${words.join(', ')}`);
}

/** `amount.NOK` is the amount in NOK, and `text.nb` the text in nb. */
function splitPath(path: string): {
  readonly field: string;
  readonly of?: string;
  readonly language?: string | undefined;
} {
  const parts = path.split('.');
  if (TEXTS.includes(parts[0]!)) return { field: parts[0]!, language: parts[1] };
  const last = parts.at(-1)!;
  return CURRENCY.test(last) ? { field: parts.slice(0, -1).join('.'), of: last } : { field: path };
}

/** Undefined for a value that is absent. `currency` is that of an amount; one that is mistyped is none. */
function wordsOf(field: string, value: unknown, currency: string | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && field.endsWith('percent')) return `${value} %`;
  if (typeof value === 'number' && currency !== undefined && CURRENCY.test(currency))
    return `${formatAmount(value, currency)} ${currency}`;
  if (isText(field, value)) return JSON.stringify(value);
  if (TEXTS.includes(field)) {
    const texts = Object.entries(value).map(([language, text]) => `${language} ${JSON.stringify(text)}`);
    return texts.join(', ');
  }
  if (typeof value === 'string') return value;
  return (field === 'when' ? showWindows(value) : JSON.stringify(value)).replaceAll('"', '');
}

/** A text of an operator, which is shown whole. */
function isText(field: string, value: unknown): boolean {
  return typeof value === 'string' && (field === 'note' || TEXTS.includes(field));
}

/** From where on two values are shown, so that both show their first difference. */
function beginOfDifference(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same < MAX_CHARACTERS ? 0 : same - CHARACTERS_BEFORE;
}

function cut(text: string, from = 0): string {
  const to = from + MAX_CHARACTERS;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${text.length > to ? '…' : ''}`;
}
