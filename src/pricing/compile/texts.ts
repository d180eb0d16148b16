/** Texts that guests read: one for all venues, or one for each language. */

/** A text, or texts by language: `{ nb: Bursdagskake, sv: Födelsedagstårta }`. */
export type Texts = string | Readonly<Record<string, string>>;

/**
 * The text in a language: that of exactly this language (`en-GB`), or that of the language without its region (`en`), or
 * the first in the file. A venue without a language gets the first.
 */
export function textIn(texts: Texts | undefined, language: string | undefined): string | undefined {
  if (texts === undefined || typeof texts === 'string') return texts;
  return texts[languageOfText(texts, language) ?? Object.keys(texts)[0]!];
}

/** The language of a map that a language finds; undefined where the first text has to stand in. */
export function languageOfText(
  texts: Readonly<Record<string, string>>,
  language: string | undefined,
): string | undefined {
  return [language, language?.split('-')[0]].find((name) => name !== undefined && Object.hasOwn(texts, name));
}
