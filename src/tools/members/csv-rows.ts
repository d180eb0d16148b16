import { pipeline, Readable } from 'node:stream';
import { type CsvError, type Info, parse } from 'csv-parse';
import { MAX_LINE_BYTES } from '../ndjson/read-lines.ts';
import { type MemberRow, type Position, unreadable } from './rows.ts';

/** The columns of a member. `grants` holds benefit IDs separated by blanks or semicolons. */
const COLUMNS = ['programmeId', 'loyaltyId', 'status', 'tier', 'memberLabel', 'grants'] as const;
type Column = (typeof COLUMNS)[number];

const ROWS_PER_YIELD = 512;

/**
 * Reads members as CSV (RFC 4180). The header has the names above in any order; an empty cell means that the field is
 * absent. `chunks` begin at the file's first byte, because the header is needed; rows before `start` are skipped.
 * Throws on any other header.
 */
export async function* readCsvRows(chunks: AsyncIterable<Uint8Array>, start: Position): AsyncGenerator<MemberRow[]> {
  // The parser runs ahead of its reader, so a row that it skips waits here until its turn.
  const skipped: MemberRow[] = [];
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_LINE_BYTES,
    on_skip: (error: CsvError | undefined) => {
      const { lines, bytes } = error as unknown as Info;
      skipped.push(unreadable(lines, bytes, 'a row that is no CSV', 'cells quoted as in RFC 4180'));
      return undefined;
    },
  });
  // An error reaches the loop below through the parser.
  pipeline(Readable.from(chunks), parser, () => undefined);
  let header: readonly Column[] | undefined;
  let rows: MemberRow[] = [];
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    while (skipped[0] && skipped[0].endOffset <= info.bytes) rows.push(skipped.shift() as MemberRow);
    if (header) rows.push(toRow(header, record, info));
    else header = readHeader(record);
    if (rows.length < ROWS_PER_YIELD) continue;
    yield rows.filter(({ endOffset }) => endOffset > start.offset);
    rows = [];
  }
  yield [...rows, ...skipped].filter(({ endOffset }) => endOffset > start.offset);
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: Info;
}

function readHeader(names: readonly string[]): readonly Column[] {
  const unknown = names.find((name) => !COLUMNS.includes(name as Column));
  if (unknown !== undefined) {
    throw new Error(`the header names the column ${JSON.stringify(unknown)}, allowed: ${COLUMNS.join(', ')}`);
  }
  return names as readonly Column[];
}

function toRow(header: readonly Column[], cells: readonly string[], { lines, bytes }: Info): MemberRow {
  if (cells.length !== header.length) {
    return unreadable(lines, bytes, `${cells.length} cells`, `${header.length}, as in the header`);
  }
  const value: Record<string, unknown> = {};
  for (const [index, column] of header.entries()) {
    const cell = cells[index] as string;
    if (cell !== '') value[column] = column === 'grants' ? cell.split(/[\s;]+/).filter(Boolean) : cell;
  }
  return { line: lines, endOffset: bytes, value };
}
