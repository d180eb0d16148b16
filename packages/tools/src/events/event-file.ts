import { closeSync, createReadStream, existsSync, openSync, truncateSync, writeSync } from 'node:fs';

/** The file of an export: an event a line. What it has already is read again, so that the next run goes on behind it. */

const NEWLINE = 10;
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
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, from)) {
      const place = PLACE.exec(rest.toString('latin1', from, Math.min(at, from + HEAD_BYTES)));
      count += 1;
      if (!place) throw new Error(`${path}: line ${count} is not an event of this command; name another file`);
      last.set(Number(place[1]), place[2]!);
      from = at + 1;
    }
    complete += from;
    rest = rest.subarray(from);
  }
  if (rest.length > 0) truncateSync(path, complete);
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
