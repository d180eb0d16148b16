import { decodeLine, type Line, MAX_LINE_BYTES, readLines } from '../ndjson/read-lines.ts';
import {
  type CsvLayout,
  type Header,
  MEMBER_LAYOUT,
  NO_TEXT,
  NOT_READ,
  type RecordLines,
  readHeader,
  TOO_LONG,
} from './csv-header.ts';
import { type CsvFault, readRecord } from './csv-record.ts';
import { type MemberRow, type Position, unreadable } from './rows.ts';
import { describeBytes, findSpoiledCell } from './spreadsheet.ts';

/** `grants`, `addGrants` and `removeGrants` hold benefit IDs separated by blanks or semicolons; a grant with a quantity or dates needs NDJSON. */
const LISTS: readonly string[] = ['grants', 'addGrants', 'removeGrants'];

const NEVER_CLOSED: CsvFault = 'a quoted cell that is never closed';

/**
 * Reads members as CSV (RFC 4180). The header has the names above in any order; an empty cell removes the value, and a missing
 * column leaves it. `chunks` begin at the file's first byte, because the header is needed; rows before `start` are skipped.
 * Throws on any other header.
 *
 * A quoted cell may go on over several lines. When it is never closed, or closed in the middle of a cell, only the line
 * on which it began is unreadable, and the lines behind it are rows again: one missing quote costs one row.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  start: Position,
  layout: CsvLayout = MEMBER_LAYOUT,
): AsyncGenerator<MemberRow[]> {
  const records = new Records();
  let header: Header | undefined;
  const toRows = (found: readonly RecordLines[]): MemberRow[] =>
    found.flatMap((record) => {
      const isFirst = header === undefined;
      header ??= readHeader(record, layout);
      if (isFirst && !header.isMissing) return [];
      return record.lastLine.endOffset > start.offset ? [toRow(header.columns, record)] : [];
    });
  for await (const lines of readLines(chunks)) yield toRows(records.take(lines));
  yield toRows(records.finish());
  if (!header)
    throw new Error(`the file is empty, allowed: a header such as loyaltyId,status and a row for each member`);
}

/** Puts lines together to records. It holds the lines of one open record, at most `MAX_LINE_BYTES` of them. */
class Records {
  #held: Line[] = [];
  /** The text of the held lines, with their breaks, which belong to the cell that is open. */
  #text = '';
  #endOffset = 0;

  take(lines: readonly Line[]): RecordLines[] {
    return lines.flatMap((line) => this.#takeLine(line));
  }

  /** Ends the input: a record that is still open never closes. */
  finish(): RecordLines[] {
    let found: RecordLines[] = [];
    while (this.#held.length > 0) found = found.concat(this.#giveUp(NEVER_CLOSED));
    return found;
  }

  #takeLine(line: Line): RecordLines[] {
    const isFirst = this.#held.length === 0;
    if (isFirst && line.bytes?.length === 0) return [];
    this.#held.push(line);
    const text = line.bytes && decodeLine(line.bytes);
    if (text === undefined) {
      if (!isFirst) return this.#giveUp(NEVER_CLOSED);
      return this.#giveUp(line.bytes === undefined ? TOO_LONG : NO_TEXT);
    }
    const record = this.#text + text;
    // An even number of quotes leaves the cell open that a line before has opened.
    const outcome = isFirst || hasOddQuotes(text) ? readRecord(record, !isFirst) : 'open';
    this.#text = record + breakOf(line, this.#endOffset);
    this.#endOffset = line.endOffset;
    if (outcome === 'open') {
      const [first] = this.#held as [Line];
      return line.endOffset - first.endOffset > MAX_LINE_BYTES ? this.#giveUp(NEVER_CLOSED) : [];
    }
    if ('fault' in outcome) return this.#giveUp(outcome.fault);
    const [firstLine] = this.#held as [Line];
    this.#begin();
    return [{ firstLine, lastLine: line, read: outcome }];
  }

  /** Names the first of the held lines, and reads the others again as records of their own. */
  #giveUp(fault: CsvFault | typeof NO_TEXT | typeof TOO_LONG): RecordLines[] {
    const [first, ...others] = this.#held as [Line, ...Line[]];
    this.#begin();
    this.#endOffset = first.endOffset;
    return [{ firstLine: first, lastLine: first, read: { fault } }, ...this.take(others)];
  }

  #begin(): void {
    [this.#held, this.#text] = [[], ''];
  }
}

function hasOddQuotes(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** The break behind a line, which is content of a cell that goes on behind it. */
function breakOf(line: Line, beginOffset: number): string {
  return line.endOffset - beginOffset - (line.bytes?.length ?? 0) === 2 ? '\r\n' : '\n';
}

const ALLOWED = {
  'a quote inside a cell': 'cells quoted as in RFC 4180',
  'text after a closing quote': 'cells quoted as in RFC 4180',
  [NEVER_CLOSED]: 'a quote at its end, before a comma or the end of the line',
  [TOO_LONG]: `at most ${MAX_LINE_BYTES} bytes`,
} as const;

function toRow(header: readonly string[], { firstLine, lastLine, read }: RecordLines): MemberRow {
  const place = { line: firstLine.number, lastLine: lastLine.number, endOffset: lastLine.endOffset };
  if ('fault' in read) {
    if (read.fault !== NO_TEXT) return unreadable(place, read.fault, ALLOWED[read.fault]);
    return { ...place, value: undefined, fault: describeBytes(firstLine.bytes as Buffer, header) };
  }
  if (read.length !== header.length) {
    return unreadable(place, `${read.length} cells`, `${header.length}, as in the header`);
  }
  const value: Record<string, unknown> = {};
  for (const [index, column] of header.entries()) {
    const cell = read[index] as string;
    if (column === NOT_READ) continue;
    const spoiled = LISTS.includes(column) ? undefined : findSpoiledCell(column, cell);
    if (spoiled) return { ...place, value: undefined, fault: spoiled };
    if (LISTS.includes(column)) value[column] = cell.split(/[\s;]+/).filter(Boolean);
    else if (cell !== '') value[column] = cell;
    else if (column !== 'programmeId' && column !== 'loyaltyId') value[column] = column === 'status' ? '' : null;
  }
  return { ...place, value };
}
