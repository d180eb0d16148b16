import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { UNRESTRICTED } from '../unrestricted.ts';

/**
 * Restrictions: fields that open something to all where they are absent or empty. "venues − oslo" of the last venue, or "none", would
 * say that the benefit ends there.
 */

const OPEN_WORDS: ReadonlyMap<string, string> = new Map<string, string>([
  ...Object.entries(UNRESTRICTED).map(([name, words]) => [`when.${name}`, words] as const),
  ['when', 'always'],
  ['requestedAt', 'any time'],
]);

/** Mappings that are a restriction as a whole: what one of their fields says means nothing while the others are absent. */
const WHOLE: readonly string[] = ['when.share', 'requestedAt'];

/** A mapping on one side of a comparison, undefined where it is absent. */
export type Side = Readonly<Record<string, unknown>> | undefined;

export const CURRENCY = /^[A-Z]{3}$/;

/** True where a restriction comes or falls away that no single one of its fields is. */
export function isOpenAsWhole(path: string, one: unknown, other: unknown): boolean {
  return WHOLE.includes(path) && (one === undefined || other === undefined);
}

/** The words for a field that is absent or empty and therefore restricts nothing; undefined for any other. */
export function wordsOfAbsence(path: string, value: unknown): string | undefined {
  return isNothing(value) ? OPEN_WORDS.get(path) : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

/** The same for a list of names in its mapping, of which the lists of a selector together say which products it takes. */
export function openWords(path: string, mapping: Side, names: readonly unknown[]): string | undefined {
  const parts = path.split('.');
  if (!PRODUCT_NAMES.some(({ included }) => included === parts.at(-1))) return wordsOfAbsence(path, names);
  // A programme without `exclude` leaves out nothing.
  if (mapping === undefined && parts.at(-2) !== 'appliesTo') return undefined;
  const selector: SelectorDefinition = mapping ?? {};
  return PRODUCT_NAMES.some(({ included }) => selector[included]?.length) ? undefined : 'every product';
}

/** A list of windows as it is written, with words where one restricts nothing. */
export function showWindows(windows: unknown): string {
  const inWords = (name: string, value: unknown) =>
    isNothing(value) ? (OPEN_WORDS.get(`when.${name}`) ?? 'always') : value;
  return JSON.stringify(windows, inWords);
}
