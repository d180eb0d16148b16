import type { Fault } from '../../../../src/programme/configuration-error.ts';

/** What spreadsheets do to IDs and lists: each is reported with what to do about it. */

/** A long number as a spreadsheet shows and saves it: 1.23457E+11, with a comma in many countries. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+E\+?|E\+)\d+$/i;

/** A long number as a table that calculates with it saves it: 123456789.0. */
const CALCULATED = /^(\d+)[.,]0+$/;

/** Blanks of all sorts, a spreadsheet's no-break space among them. */
const BLANKS_AROUND = /^\s|\s$/;

/** A formula, by which an export keeps leading zeros: ="00124". */
const FORMULA = /^=["“”]?(.*?)["“”]?$/s;

/** Quotes around an ID, or one before it, which makes a spreadsheet take it as text. */
const QUOTES = /^["'‘’‚“”„«»‹›]+|["'‘’“”«»‹›]+$/g;

/** What is seen as nothing or as a blank and is neither. The joiners are left out: they are letters of words and of emoji. */
const INVISIBLE = /(?!\u200c|\u200d| )[\p{Cf}\p{Z}]/gu;

const AS_TEXT = 'format the column as text in the original, and save it again';

/** Finds a cell of an ID or a name that a spreadsheet has spoiled. */
export function findSpoiledCell(column: string, cell: string): Fault | undefined {
  if (column === 'memberLabel' || cell.trim() === '') return undefined;
  const number = column === 'loyaltyId' ? spoiledNumber(cell) : undefined;
  if (number) return { path: column, found: JSON.stringify(cell), allowed: number };
  const without = spoiledBy(cell);
  if (without === undefined) return undefined;
  const found = `${showLetters(cell)}${without === 'them' ? ', with blanks around it' : ''}`;
  return { path: column, found, allowed: `${JSON.stringify(meantBy(cell))}, without ${without}` };
}

function spoiledNumber(cell: string): string | undefined {
  if (SHORTENED.test(cell)) return `the whole ID: a spreadsheet has shortened it, so ${AS_TEXT}`;
  const [, digits] = CALCULATED.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  return `${JSON.stringify(digits)}, or with the zeros that it began with: a spreadsheet has made a number of it, so ${AS_TEXT}`;
}

/** What a cell has that was not typed. */
function spoiledBy(cell: string): string | undefined {
  if (BLANKS_AROUND.test(cell)) return 'them';
  if (FORMULA.test(cell)) return 'the formula';
  if (cell.search(QUOTES) >= 0) return 'the quotes';
  return cell.search(INVISIBLE) < 0 ? undefined : 'invisible letters';
}

/** The cell as it was probably typed. */
function meantBy(cell: string): string {
  const seen = cell.replaceAll(INVISIBLE, (letter) => (/\p{Z}/u.test(letter) ? ' ' : '')).trim();
  return seen.replace(FORMULA, '$1').replaceAll(QUOTES, '');
}

/** The cell with invisible letters as escapes: 00\u200b123. */
function showLetters(cell: string): string {
  const escaped = (letter: string) => `\\u${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`;
  return JSON.stringify(cell).replaceAll(INVISIBLE, escaped);
}

/** The separators that spreadsheets of many countries write, by their names. */
const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/** Words for a header whose cells are separated by something else than commas; undefined for any other header. */
export function findSeparator(header: readonly string[], columns: readonly string[]): string | undefined {
  const [only = ''] = header;
  for (const [separator, name] of Object.entries(SEPARATORS)) {
    const isHeader = only.split(separator).some((cell) => columns.includes(cell.trim().replaceAll('"', '')));
    if (header.length === 1 && only.includes(separator) && isHeader) {
      return `line 1 separates its columns by ${name}, found ${JSON.stringify(only)}, allowed: commas; save the file as "CSV UTF-8 (comma delimited)", or replace the ${name} by commas`;
    }
  }
  return undefined;
}
