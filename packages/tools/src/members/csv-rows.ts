import { nearestName } from '../../../../src/programme/nearest-name.ts';
import { findEncodingError } from '../../../../src/programme/text-encoding.ts';
import { decodeLine, type Line, MAX_LINE_BYTES, readLines } from '../ndjson/read-lines.ts';
import { type MemberRow, unreadable } from './rows.ts';
import { findSeparator, findSpoiledCell } from './spreadsheet.ts';

/** What a header may name. */
export interface CsvLayout {
  readonly columns: readonly string[];
  /** A list of members may have other columns, which are not read, or no header and IDs alone. */
  readonly isList?: true;
}

const MEMBER_LAYOUT: CsvLayout = {
  columns: ['programmeId', 'loyaltyId', 'status', 'tier', 'memberLabel', 'grants', 'addGrants', 'removeGrants'],
};

/** A list of members, such as those that are to get a voucher. */
export const LIST_LAYOUT: CsvLayout = { columns: ['programmeId', 'loyaltyId'], isList: true };

/** `grants`, `addGrants` and `removeGrants` hold benefit IDs separated by blanks or semicolons; a grant with a quantity or dates needs NDJSON. */
const LISTS: readonly string[] = ['grants', 'addGrants', 'removeGrants'];
/** The name of a column that is not read. */
const NOT_READ = '';

/** Why lines are no record of RFC 4180, with what is allowed instead. */
const ALLOWED = {
  'a quote inside a cell': 'cells quoted as in RFC 4180',
  'text after a closing quote': 'cells quoted as in RFC 4180',
  'a quoted cell that is never closed': 'a quote at its end, before a comma or the end of the line',
  'a line that is too long': `at most ${MAX_LINE_BYTES} bytes`,
  'bytes that are not UTF-8': 'UTF-8',
} as const;
type CsvFault = keyof typeof ALLOWED;

const NEVER_CLOSED: CsvFault = 'a quoted cell that is never closed';

/** The cells of a record with its lines, or the fault of its only line. */
interface CsvRecord {
  readonly firstLine: Line;
  readonly lastLine: Line;
  readonly read: readonly string[] | { readonly fault: CsvFault };
}

/**
 * Reads members as CSV (RFC 4180). The header has the names of the layout in any order; an empty cell removes the value, and a
 * missing column leaves it. Rows within the first `done` bytes are skipped. Throws on any other header.
 *
 * A quoted cell may go on over several lines. When it is never closed, or closed in the middle of a cell, only the line
 * on which it began is unreadable, and the lines behind it are rows again: one missing quote costs one row.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  done = 0,
  layout: CsvLayout = MEMBER_LAYOUT,
): AsyncGenerator<MemberRow[]> {
  const records = new Records();
  let columns: readonly string[] | undefined;
  const toRows = (found: readonly CsvRecord[]): MemberRow[] =>
    found.flatMap((record) => {
      if (columns === undefined) {
        const header = readHeader(record, layout);
        columns = header ?? ['loyaltyId'];
        if (header) return [];
      }
      return record.lastLine.endOffset > done ? [toRow(columns, record)] : [];
    });
  for await (const lines of readLines(chunks)) yield toRows(records.take(lines));
  yield toRows(records.finish());
  if (columns === undefined) {
    throw new Error(`the file is empty, allowed: a header such as loyaltyId,status and a row for each member`);
  }
}

/** Puts lines together to records. It holds the lines of one open record, at most `MAX_LINE_BYTES` of them. */
class Records {
  #held: Line[] = [];
  /** The text of the held lines, with their breaks, which belong to the cell that is open. */
  #text = '';
  #endOffset = 0;

  take(lines: readonly Line[]): CsvRecord[] {
    return lines.flatMap((line) => this.#takeLine(line));
  }

  /** Ends the input: a record that is still open never closes. */
  finish(): CsvRecord[] {
    let found: CsvRecord[] = [];
    while (this.#held.length > 0) found = found.concat(this.#giveUp(NEVER_CLOSED));
    return found;
  }

  #takeLine(line: Line): CsvRecord[] {
    const isFirst = this.#held.length === 0;
    if (isFirst && line.bytes?.length === 0) return [];
    this.#held.push(line);
    const text = line.bytes && decodeLine(line.bytes);
    if (text === undefined) {
      if (!isFirst) return this.#giveUp(NEVER_CLOSED);
      return this.#giveUp(line.bytes === undefined ? 'a line that is too long' : 'bytes that are not UTF-8');
    }
    const record = this.#text + text;
    // An even number of quotes leaves the cell open that a line before has opened.
    const outcome = isFirst || hasOddQuotes(text) ? readRecord(record, !isFirst) : 'open';
    // The break behind the line is content of a cell that goes on behind it.
    const breakBytes = line.endOffset - this.#endOffset - (line.bytes?.length ?? 0);
    this.#text = record + (breakBytes === 2 ? '\r\n' : '\n');
    this.#endOffset = line.endOffset;
    const firstLine = this.#held[0]!;
    if (outcome === 'open') {
      return line.endOffset - firstLine.endOffset > MAX_LINE_BYTES ? this.#giveUp(NEVER_CLOSED) : [];
    }
    if ('fault' in outcome) return this.#giveUp(outcome.fault);
    [this.#held, this.#text] = [[], ''];
    return [{ firstLine, lastLine: line, read: outcome }];
  }

  /** Names the first of the held lines, and reads the others again as records of their own. */
  #giveUp(fault: CsvFault): CsvRecord[] {
    const [first, ...others] = this.#held as [Line, ...Line[]];
    [this.#held, this.#text, this.#endOffset] = [[], '', first.endOffset];
    return [{ firstLine: first, lastLine: first, read: { fault } }, ...this.take(others)];
  }
}

function hasOddQuotes(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

const QUOTE = '"';
/** A cell, quoted or not, and what ends it: a comma, the end of the record, or text that must not be there. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?!")|([^",]*))(,|$|)/y;

/**
 * Reads the text of one record; `isContinued` is true when it has several lines. It is `open` while its last cell is quoted
 * and goes on in the next line.
 */
function readRecord(text: string, isContinued: boolean): readonly string[] | 'open' | { readonly fault: CsvFault } {
  // Most records have no quote, and the platform splits them faster.
  if (!text.includes(QUOTE)) return text.split(',');
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const isQuoted = text[CELL.lastIndex] === QUOTE;
    const [, quoted, plain, end] = CELL.exec(text)!;
    if (isQuoted && quoted === undefined) return 'open';
    if (end === '' && CELL.lastIndex < text.length) {
      if (!isQuoted) return { fault: 'a quote inside a cell' };
      return { fault: isContinued ? NEVER_CLOSED : 'text after a closing quote' };
    }
    cells.push(quoted?.replaceAll('""', QUOTE) ?? plain!);
    if (end === '') return cells;
  }
}

/**
 * Reads the header, the first record; a column that is not read has no name. Undefined where a list has none, so that this
 * record is a row already. Throws when it names other columns than the layout allows.
 */
function readHeader({ firstLine, read }: CsvRecord, { columns, isList }: CsvLayout): readonly string[] | undefined {
  if ('fault' in read) {
    const encodingError = firstLine.bytes && findEncodingError(firstLine.bytes);
    const found = encodingError?.found ?? read.fault;
    throw new Error(`the header is no CSV: ${found}; save the file as "CSV UTF-8 (comma delimited)"`);
  }
  const separator = findSeparator(read, columns);
  if (separator !== undefined) throw new Error(separator);
  const unknown = read.find((name) => !columns.includes(name));
  if (isList && read.length === 1 && unknown !== undefined) return undefined;
  if (unknown !== undefined && !(isList && read.includes('loyaltyId'))) {
    const nearest = nearestName(unknown.trim(), columns);
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    throw new Error(`the header names the column ${JSON.stringify(unknown)}, allowed: ${columns.join(', ')}${meant}`);
  }
  const repeated = read.find((name, index) => columns.includes(name) && read.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`the header names the column ${JSON.stringify(repeated)} twice`);
  return read.map((name) => (columns.includes(name) ? name : NOT_READ));
}

function toRow(header: readonly string[], { firstLine, lastLine, read }: CsvRecord): MemberRow {
  const place = { line: firstLine.number, lastLine: lastLine.number, endOffset: lastLine.endOffset };
  if ('fault' in read) {
    if (read.fault !== 'bytes that are not UTF-8') return unreadable(place, read.fault, ALLOWED[read.fault]);
    const { column, found, allowed } = findEncodingError(firstLine.bytes!)!;
    const before = new TextDecoder().decode(firstLine.bytes).slice(0, column - 1);
    return unreadable(place, found, allowed, header[cellsIn(before) - 1]);
  }
  if (read.length !== header.length) {
    return unreadable(place, `${read.length} cells`, `${header.length}, as in the header`);
  }
  const value: Record<string, unknown> = {};
  for (const [index, column] of header.entries()) {
    const cell = read[index] as string;
    if (column === NOT_READ) continue;
    const isGrants = LISTS.includes(column);
    const spoiled = isGrants ? undefined : findSpoiledCell(column, cell);
    if (spoiled) return { ...place, value: undefined, fault: spoiled };
    if (isGrants) value[column] = cell.split(/[\s;]+/).filter(Boolean);
    else if (cell !== '') value[column] = cell;
    else if (column !== 'programmeId' && column !== 'loyaltyId') value[column] = column === 'status' ? '' : null;
  }
  return { ...place, value };
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
