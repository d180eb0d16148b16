import { lineAt } from './source.ts';
import type { Text } from './texts.ts';

/**
 * Citations of the interface have one form, `(interface, section 5)` or `(interface, sections 4.6 and 7)`, and every number
 * is that of a heading of the page. A vector or a check of the conformance kit cites in a field: `section: '2, 4.5'`.
 */
export const INTERFACE_PAGE = 'docs/interface.md';

const HEADING = /^#{2,4} (\d+(?:\.\d+)?)[. ]/gm;
const NUMBER = /\d+(?:\.\d+)?/g;
const SECTION = /\bsections?(?=\s)/gi;
const NUMBERS = /^ \d+(?:\.\d+)?(?:(?:,| and) \d+(?:\.\d+)?)*/;
const FIELD = /\bsection: '([^'\n]*)'/g;

/** Longer than any citation, the break between two lines of a comment included. */
const REACH = 80;
const BREAK = /\s+(?:(?:\*|\/\/|--)\s+)?/g;

/** The numbers of a page's headings. */
export function sectionsOf(page: string): Set<string> {
  return new Set([...page.matchAll(HEADING)].map(([, number]) => number!));
}

/** One line per citation that leads nowhere, or that does not say what it cites. */
export function findWrongCitations(texts: readonly Text[], sections: ReadonlySet<string>): string[] {
  return texts.flatMap((text) => [
    ...[...text.text.matchAll(SECTION)].flatMap((match) => judgeCitation(text, match, sections)),
    ...[...text.text.matchAll(FIELD)].flatMap(({ index, 1: field }) => judgeNumbers(text, index, field!, sections)),
  ]);
}

function judgeCitation(text: Text, { 0: word, index }: RegExpExecArray, sections: ReadonlySet<string>): string[] {
  const end = index + word.length;
  const before = text.text.slice(Math.max(0, index - REACH), index).replace(BREAK, ' ');
  const numbers = NUMBERS.exec(text.text.slice(end, end + REACH).replace(BREAK, ' '))?.[0];
  if (numbers === undefined || /\bRFC \d+, $/.test(before)) return [];
  const isOwn = text.path === INTERFACE_PAGE || /\binterface, $/i.test(before);
  if (!isOwn) return [`${placeOf(text, index)}: say (interface, ${word.toLowerCase()}${numbers})`];
  return judgeNumbers(text, index, numbers, sections);
}

function judgeNumbers(text: Text, index: number, numbers: string, sections: ReadonlySet<string>): string[] {
  const unknown = (numbers.match(NUMBER) ?? []).filter((number) => !sections.has(number));
  return unknown.map((number) => `${placeOf(text, index)}: the interface has no section ${number}`);
}

function placeOf({ path, text }: Text, index: number): string {
  return `${path}:${lineAt(text, index)}`;
}
