/** One line of a file of lines, without its line break. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Bytes of the input up to and including this line's break, from which a later run may continue. */
  readonly endOffset: number;
  /** Undefined when the line is longer than `MAX_LINE_BYTES`; such a line is skipped. */
  readonly bytes: Buffer | undefined;
}

/** The longest line. It is longer than any member or basket, and bounds the memory for input without line breaks. */
export const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Splits a stream of bytes into lines, and yields those that each chunk completes. Memory is bounded by one chunk and one
 * line.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let [number, offset] = [0, 0];
  let rest: Buffer[] = [];
  let restBytes = 0;
  const finish = (last: Buffer, breakBytes: number): Line => {
    number += 1;
    const size = restBytes + last.length;
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last]);
    [rest, restBytes, offset] = [[], 0, offset + size + breakBytes];
    return { number, endOffset: offset, bytes: size > MAX_LINE_BYTES ? undefined : withoutReturn(whole) };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      lines.push(finish(bytes.subarray(from, at), 1));
      from = at + 1;
    }
    if (from < bytes.length) {
      restBytes += bytes.length - from;
      // Of a line that is too long, only the length is still needed.
      if (restBytes <= MAX_LINE_BYTES) rest.push(bytes.subarray(from));
      else rest = [];
    }
    if (lines.length > 0) yield lines;
  }
  if (restBytes > 0) yield [finish(Buffer.alloc(0), 0)];
}

/** Puts what is read together to batches of `size`; the last one may be smaller. */
export async function* inBatches<T>(source: AsyncIterable<readonly T[]>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const some of source) {
    for (const one of some) {
      batch.push(one);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a line, without a byte order mark; undefined when it is not UTF-8. */
export function decodeLine(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}
