import type { Upload } from './uploads.ts';

/**
 * Chunk extensions (`5;a=b`, RFC 9112, 7.1.1), which the library reads as digits of the chunk's size. It then takes the
 * framing behind that chunk for content and waits for bytes that never come, and nobody tells us. The content shows it:
 * behind the end of an object comes a line that cannot follow in JSON, or nothing more comes although the JSON is whole.
 * Such a request is refused as soon as that is seen, because its caller would otherwise wait until its time is up.
 */

/** The end of an object, and on a later line what no JSON has there: the size of the last chunk, or another request. */
const FRAMING_IN_JSON = /\}[ \t\r\n]*\r\n[^ \t\r\n,\]}]/;
/** The end of a body and of its last line, behind which the misread last chunk leaves nothing but a line end. */
const END_OF_JSON = /\}[ \t\r\n]*\r\n$/;
/** What is looked at again with the next bytes, because the pieces of a body may be cut anywhere. */
const OVERLAP_BYTES = 256;
/** A sender that is merely slow sends its last chunk within this time after the content is whole. */
const SILENCE_MS = 250;

/** Watches the content of one chunked body that is still arriving. */
export class ChunkWatch {
  readonly #upload: Upload;
  readonly #onMisread: () => void;
  #seenBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onMisread` is called at most once, while the upload is not over. */
  constructor(upload: Upload, onMisread: () => void) {
    this.#upload = upload;
    this.#onMisread = onMisread;
  }

  /** Looks at the content received so far, behind which the library expects more. */
  look(content: Uint8Array): void {
    clearTimeout(this.#timer);
    const news = Buffer.from(content.subarray(Math.max(0, this.#seenBytes - OVERLAP_BYTES))).toString('latin1');
    this.#seenBytes = content.length;
    if (FRAMING_IN_JSON.test(news)) return this.#onMisread();
    if (!END_OF_JSON.test(news.slice(-OVERLAP_BYTES))) return;
    this.#timer = setTimeout(() => {
      if (!this.#upload.isOver && isWhole(content)) this.#onMisread();
    }, SILENCE_MS);
    this.#timer.unref();
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
