import { readLines } from './read-lines.ts';

/** Consecutive lines as bytes, in an ArrayBuffer of their own, so that they can be transferred to a thread. */
export interface LineBatch {
  /** Number of the first line, counted from 1; every line ends with a line feed. */
  readonly firstLine: number;
  readonly bytes: ArrayBuffer;
  /** Numbers of lines that were too long; in the batch they are empty. */
  readonly tooLong: readonly number[];
  /** Bytes of the input up to and including this batch. */
  readonly endOffset: number;
}

const LINE_FEED = Buffer.from('\n');

/** Packs a stream into batches of whole lines, of about `batchBytes` each. */
export async function* readLineBatches(
  chunks: AsyncIterable<Uint8Array>,
  batchBytes: number,
): AsyncGenerator<LineBatch> {
  let pieces: Buffer[] = [];
  let [firstLine, size, endOffset] = [1, 0, 0];
  let tooLong: number[] = [];
  const pack = (): LineBatch => {
    const bytes = new ArrayBuffer(size);
    const target = Buffer.from(bytes);
    let at = 0;
    for (const piece of pieces) at += piece.copy(target, at);
    return { firstLine, bytes, tooLong, endOffset };
  };
  for await (const lines of readLines(chunks)) {
    for (const line of lines) {
      if (pieces.length === 0) firstLine = line.number;
      if (line.bytes) pieces.push(line.bytes);
      else tooLong.push(line.number);
      pieces.push(LINE_FEED);
      size += (line.bytes?.length ?? 0) + 1;
      endOffset = line.endOffset;
      if (size < batchBytes) continue;
      yield pack();
      [pieces, tooLong, size] = [[], [], 0];
    }
  }
  if (pieces.length > 0) yield pack();
}
