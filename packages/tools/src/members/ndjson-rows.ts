import { decodeLine, type Line, MAX_LINE_BYTES, readLines } from '../ndjson/read-lines.ts';
import { type MemberRow, type Position, unreadable } from './rows.ts';
import { describeBytes } from './spreadsheet.ts';

/** Reads members as NDJSON, one object a line; `chunks` begin at `start`. Empty lines are skipped. */
export async function* readNdjsonRows(chunks: AsyncIterable<Uint8Array>, start: Position): AsyncGenerator<MemberRow[]> {
  for await (const lines of readLines(chunks, { number: start.line, offset: start.offset })) {
    yield lines.flatMap((line) => (line.bytes?.length === 0 ? [] : toRow(line)));
  }
}

function toRow({ number, endOffset, bytes }: Line): MemberRow {
  const place = { line: number, lastLine: number, endOffset };
  if (!bytes) return unreadable(place, 'a line that is too long', `at most ${MAX_LINE_BYTES} bytes`);
  const text = decodeLine(bytes);
  if (text === undefined) return { ...place, value: undefined, fault: describeBytes(bytes, []) };
  try {
    return { ...place, value: JSON.parse(text) };
  } catch {
    return unreadable(place, 'something else', 'one JSON object');
  }
}
