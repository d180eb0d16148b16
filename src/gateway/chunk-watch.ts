import { type FramingFault, REQUEST_CHUNKS } from './request-head.ts';
import type { Upload, Uploads } from './uploads.ts';

/**
 * Judges the chunks of a body that is still arriving. The library hides their framing, and two kinds must be refused.
 *
 * Chunk extensions (`5;a=b`, RFC 9112, 7.1.1) are read by the library as digits of the chunk's size. It then takes the
 * framing behind that chunk for content and waits for bytes that never come. The content shows it: behind the end of an
 * object comes a line that cannot follow in JSON, or nothing more comes although the JSON is whole. Such a request is
 * refused as soon as that is seen, because its caller would otherwise wait until its time is up. Behind a blank or a tab
 * (`5 ;a=b`) the library skips an extension: the body is right, and nothing shows that there was one.
 *
 * Each chunk costs the event loop a microsecond or two, however small it is, and anybody may send them: four connections
 * with bodies in chunks of one byte left none of 100 signed calls answered. So one body has a bounded number of small
 * chunks, and all bodies together share a bounded number a second.
 */

/** The end of an object, and on a later line what no JSON has there: the size of the last chunk, or another request. */
const FRAMING_IN_JSON = /\}[ \t\r\n]*\r\n[^ \t\r\n,\]}]/;
/** The end of a body and of its last line, behind which the misread last chunk leaves nothing but a line end. */
const END_OF_JSON = /\}[ \t\r\n]*\r\n$/;
/** What is looked at again with the next bytes, because the pieces of a body may be cut anywhere. */
const OVERLAP_BYTES = 256;
/** A sender that is merely slow sends its last chunk within this time after the content is whole. */
const SILENCE_MS = 250;

/** A body may have this many chunks of any size, and beyond them one for each so many bytes; the others are small ones. */
const FREE_CHUNKS = 128;
const BYTES_PER_CHUNK = 32;
/** The most small chunks of one body: a usual basket may come byte by byte. */
const MAX_SMALL_CHUNKS_PER_BODY = 2048;

/** Watches the content of one chunked body that is still arriving. */
export class ChunkWatch {
  readonly #uploads: Uploads;
  readonly #upload: Upload;
  readonly #onFault: (fault: FramingFault) => void;
  #chunks = 0;
  #smallChunks = 0;
  #seenBytes = 0;
  #isParsed = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onFault` is called at most once, while the upload is not over. */
  constructor(uploads: Uploads, upload: Upload, onFault: (fault: FramingFault) => void) {
    this.#uploads = uploads;
    this.#upload = upload;
    this.#onFault = onFault;
  }

  /** Looks at the content received so far, behind which the library expects more. */
  look(content: Uint8Array): void {
    clearTimeout(this.#timer);
    if (!this.#isBorne(content.length)) return this.#onFault(REQUEST_CHUNKS.small);
    const news = Buffer.from(content.subarray(Math.max(0, this.#seenBytes - OVERLAP_BYTES))).toString('latin1');
    this.#seenBytes = content.length;
    if (FRAMING_IN_JSON.test(news)) return this.#onFault(REQUEST_CHUNKS.extended);
    // A body is parsed once at most: its sender is not known yet, and could have it parsed again with every line end.
    if (this.#isParsed || !END_OF_JSON.test(news)) return;
    this.#timer = setTimeout(() => {
      if (this.#upload.isOver) return;
      this.#isParsed = true;
      if (isWhole(content)) this.#onFault(REQUEST_CHUNKS.extended);
    }, SILENCE_MS);
    this.#timer.unref();
  }

  /** Counts a chunk. Returns false when it is one small chunk too many. */
  #isBorne(contentBytes: number): boolean {
    this.#chunks += 1;
    if (this.#chunks <= FREE_CHUNKS + contentBytes / BYTES_PER_CHUNK) return true;
    this.#smallChunks += 1;
    return this.#smallChunks <= MAX_SMALL_CHUNKS_PER_BODY && this.#uploads.takeSmallChunk();
  }
}

function isWhole(content: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(content).toString());
    return true;
  } catch {
    return false;
  }
}
