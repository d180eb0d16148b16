import { closeSync, createReadStream, existsSync, openSync, truncateSync, writeSync } from 'node:fs';
import { readLines } from '../ndjson/read-lines.ts';

/** The file of an export: an event a line. What it has already is read again, so that the next run goes on behind it. */

/** Enough of a line to read its place in the stream. */
const HEAD_BYTES = 80;
const PLACE = /^\{"stream":(\d+),"id":"(\d+-\d+)"/;
/** Pseudonyms of members and receipts are nobody else's business. */
const MODE = 0o600;

export interface WrittenEvents {
  readonly count: number;
  /** The last entry of each stream. */
  readonly last: ReadonlyMap<number, string>;
}

/**
 * Reads what a file has, and cuts off a last line that an ended process has not completed. Throws where a line is no event of
 * an export.
 */
export async function readWritten(path: string): Promise<WrittenEvents> {
  const last = new Map<number, string>();
  let [count, complete] = [0, 0];
  if (!existsSync(path)) return { count, last };
  for await (const lines of readLines(createReadStream(path))) {
    for (const { bytes, endOffset, number } of lines) {
      // Only the last line of a file can lack its break.
      if (bytes?.length === endOffset - complete) {
        truncateSync(path, complete);
        return { count, last };
      }
      const place = PLACE.exec(bytes?.toString('latin1', 0, HEAD_BYTES) ?? '');
      if (!place) throw new Error(`${path}: line ${number} is not an event of this command; name another file`);
      last.set(Number(place[1]), place[2]!);
      [count, complete] = [number, endOffset];
    }
  }
  return { count, last };
}

/** Appends lines. */
export class EventFile {
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'a', MODE);
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  close(): void {
    closeSync(this.#file);
  }
}
