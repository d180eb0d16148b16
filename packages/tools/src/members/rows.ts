import type { Fault } from '../../../../src/programme/configuration-error.ts';
import { findEncodingError } from '../../../../src/programme/text-encoding.ts';
import { decodeLine, type Line, MAX_LINE_BYTES, readLines } from '../ndjson/read-lines.ts';

/** The place of a row in the input. */
export interface RowPlace {
  /** The row's first line, counted from 1. */
  readonly line: number;
  /** Its last line; another one only for a row of several lines. */
  readonly lastLine: number;
  /** Bytes of the input up to and including this row. */
  readonly endOffset: number;
}

/** One row of a list of members in any format. */
export interface MemberRow extends RowPlace {
  /** The row's content; undefined when it is unreadable. */
  readonly value: unknown;
  /** The fault of an unreadable row. */
  readonly fault?: Fault;
}

/** Creates a row that cannot be read. */
export function unreadable(place: RowPlace, found: string, allowed: string, column = ''): MemberRow {
  return { ...place, value: undefined, fault: { path: column, found, allowed } };
}

/** Reads members as NDJSON, one object a line. Empty lines, and the first `done` bytes, are skipped. */
export async function* readNdjsonRows(chunks: AsyncIterable<Uint8Array>, done = 0): AsyncGenerator<MemberRow[]> {
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap((line) => (line.endOffset <= done || line.bytes?.length === 0 ? [] : toRow(line)));
  }
}

function toRow({ number, endOffset, bytes }: Line): MemberRow {
  const place = { line: number, lastLine: number, endOffset };
  if (!bytes) return unreadable(place, 'a line that is too long', `at most ${MAX_LINE_BYTES} bytes`);
  const text = decodeLine(bytes);
  if (text === undefined) {
    const { found, allowed } = findEncodingError(bytes)!;
    return unreadable(place, found, allowed);
  }
  try {
    return { ...place, value: JSON.parse(text) };
  } catch {
    return unreadable(place, 'something else', 'one JSON object');
  }
}
