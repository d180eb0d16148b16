import type { Fault } from '../../programme/configuration-error.ts';
import { findEncodingError } from '../../programme/text-encoding.ts';
import { readRecord } from './csv-record.ts';

/** What spreadsheets do to IDs and lists: each is reported with what to do about it. */

/** A long number as a spreadsheet shows and saves it: 1.23457E+11, with a comma in many countries. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+E\+?|E\+)\d+$/i;

/** Blanks of all sorts, a spreadsheet's no-break space among them. */
const BLANKS_AROUND = /^\s|\s$/;

/** Finds a cell of an ID or a name that a spreadsheet has spoiled. */
export function findSpoiledCell(column: string, cell: string): Fault | undefined {
  const found = JSON.stringify(cell);
  if (column === 'loyaltyId' && SHORTENED.test(cell)) {
    const allowed =
      'the whole ID: a spreadsheet has shortened it, so format the column as text in the original, and save it again';
    return { path: column, found, allowed };
  }
  if (column === 'memberLabel' || cell.trim() === '' || !BLANKS_AROUND.test(cell)) return undefined;
  return {
    path: column,
    found: `${found}, with blanks around it`,
    allowed: `${JSON.stringify(cell.trim())}, without them`,
  };
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

const utf8 = new TextDecoder();

/** Describes a line that is not UTF-8, with the column of the first such letter. `header` is empty before it is known. */
export function describeBytes(bytes: Uint8Array, header: readonly string[]): Fault {
  const error = findEncodingError(bytes);
  const before = utf8.decode(bytes).slice(0, (error?.column ?? 1) - 1);
  const path = header[cellsIn(before) - 1] ?? '';
  return { path, found: error?.found ?? 'bytes that are not UTF-8', allowed: error?.allowed ?? 'UTF-8' };
}

/** The number of cells that the beginning of a line has begun; 0 where it is not CSV. */
function cellsIn(beginning: string): number {
  // A beginning may end within a quoted cell.
  for (const text of [beginning, `${beginning}"`]) {
    const outcome = readRecord(text, false);
    if (outcome !== 'open' && !('fault' in outcome)) return outcome.length;
  }
  return 0;
}
